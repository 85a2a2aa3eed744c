"""Retraining by the calendar. A due row moves its next time on before it asks for anything, so it asks once."""

from __future__ import annotations

from datetime import datetime, timedelta

import structlog
from django.utils import timezone

from accounts.models import User
from negotiation.opponents.protocol import Style
from trainer.flywheel.datasets import DatasetRefused, dataset_freeze
from trainer.flywheel.filters import Filters
from trainer.flywheel.models import DatasetEntry
from trainer.flywheel.promotion.models import Generation
from trainer.flywheel.runs.judging import champion_of
from trainer.flywheel.runs.models import TrainingRun
from trainer.flywheel.runs.services import RunRefused, run_request
from trainer.flywheel.schedule.models import Retraining
from trainer.flywheel.selectors import episodes_usable

log = structlog.get_logger(__name__)

WEEK = timedelta(days=7)


def next_time(weekday: int, hour: int, after: datetime) -> datetime:
    """The first such hour of such a day that lies after a moment; both in UTC."""
    found = after.replace(hour=hour, minute=0, second=0, microsecond=0)
    found += timedelta(days=(weekday - after.weekday()) % 7)
    return found if found > after else found + WEEK


def retraining_add(*, row: Retraining, by: User) -> Retraining:
    """Keep a row, due for the first time when its day comes."""
    row.next_at, row.by = next_time(row.weekday, row.hour, timezone.now()), by
    row.save()
    return row


def retraining_switch(*, row: Retraining, enabled: bool) -> None:
    """On, from the next such day; or off."""
    row.enabled, row.next_at = enabled, next_time(row.weekday, row.hour, timezone.now())
    row.save(update_fields=["enabled", "next_at"])


def retrain_what_is_due(*, now: datetime | None = None) -> int:
    """Ask for the runs whose hour has come; how many that were."""
    now = now or timezone.now()
    return sum(_retrain(row, now) for row in Retraining.objects.filter(enabled=True, next_at__lte=now))


def _retrain(row: Retraining, now: datetime) -> bool:
    mine = Retraining.objects.filter(pk=row.pk, next_at=row.next_at, enabled=True)
    if not mine.update(next_at=next_time(row.weekday, row.hour, now)):
        return False  # another worker was faster
    said, run = "", None
    try:
        run = _asked(row, now)
        said = f"{now:%-d %b %Y}: asked for “{run.name}”."
    except (RunRefused, DatasetRefused) as refused:
        said = f"{now:%-d %b %Y}: {refused}"
    Retraining.objects.filter(pk=row.pk).update(said=said[:300], **({"last_run": run} if run else {}))
    log.info("retraining", row=row.pk, said=said)
    return run is not None


def _asked(row: Retraining, now: datetime) -> TrainingRun:
    start: Generation | None = None
    style: Style = "brief"
    champion = champion_of(row.base, "brief") or champion_of(row.base, "full")
    if champion is not None:
        style = "full" if champion.style == "full" else "brief"
        start = champion if row.go_on else None
    new = new_deals(row)
    if new < row.least_new:
        raise RunRefused(f"{new} new deals are too few, {row.least_new} are asked for.")
    name = f"Week of {now:%-d %b %Y}" + (f", {row.pk}" if Retraining.objects.count() > 1 else "")
    dataset = dataset_freeze(
        name=name, note="Frozen by the calendar.", filters=Filters(style=style), by=row.by
    )
    return run_request(
        name=name,
        by=row.by,
        dataset=dataset,
        recipe=row.recipe,
        base=row.base,
        start=start,
        sft_steps=row.sft_steps,
        grpo_steps=row.grpo_steps,
        minutes=row.minutes,
        then_judge=True,
    )


def new_deals(row: Retraining) -> int:
    """Deals to learn from that the last run of this row had not."""
    usable = episodes_usable()
    last = row.last_run.dataset if row.last_run is not None else None
    if last is not None:
        usable = usable.exclude(pk__in=DatasetEntry.objects.filter(dataset=last).values("episode"))
    return usable.count()
