"""Asking for runs, claiming one, keeping it, and letting go of it."""

from __future__ import annotations

import secrets
from typing import Any

import structlog
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from accounts.models import User
from negotiation.table import pings
from trainer.flywheel.models import Dataset, DatasetUse
from trainer.flywheel.runs import quota
from trainer.flywheel.runs.models import HEARTBEAT_LOST, TrainingRun
from trainer.flywheel.selectors import entries_gone

log = structlog.get_logger(__name__)

SET_UP = ("dataset", "recipe", "base", "start", "sft_steps", "grpo_steps", "minutes", "seed", "then_judge")
"""What a clone has in common with its model."""


class RunRefused(ValueError):
    """What was asked for can't be done; the message is for the admin."""


def run_request(*, name: str, by: User | None, **set_up: Any) -> TrainingRun:
    """Ask for a run. It waits until the machine is free.

    Raises:
        RunRefused: when the name is taken, the recipe lacks its data or its base, or the disk has no room.
    """
    if TrainingRun.objects.filter(name=name).exists():
        raise RunRefused(f"There is a run “{name}” already. Choose another name.")
    run = TrainingRun(name=name, by=by, **set_up)
    if run.start is not None:
        run.base, run.style = run.start.base, run.start.style
    if run.recipe in (TrainingRun.Recipe.SFT, TrainingRun.Recipe.BOTH):
        _check_dataset(run.dataset)
    elif not run.is_gate:
        run.dataset = None
        if not run.base:
            raise RunRefused("Playing needs a base: a model that knows the moves.")
    if run.dataset is not None:
        if run.start is not None and run.start.style != run.dataset.style:
            raise RunRefused(
                f"{run.start.title} reads in the {run.start.style} style, this dataset does not."
            )
        run.style = run.dataset.style
    if lack := quota.lacking(settings.RUN_NEEDS_MB):
        raise RunRefused(lack)
    run.save()
    transaction.on_commit(lambda: _enqueue(run), robust=True)
    return run


def _check_dataset(dataset: Dataset | None) -> None:
    if dataset is None:
        raise RunRefused("Learning moves needs a dataset.")
    if entries_gone(dataset).exists():
        raise RunRefused("Deals of this dataset were withdrawn. Freeze a successor and use that.")


def _enqueue(run: TrainingRun) -> None:
    # The task's module imports these services.
    from trainer.flywheel.tasks import train

    try:
        train.delay(str(run.pk))
    except OperationalError:  # the sweep finds it when the broker is back
        log.exception("run_not_enqueued", run=str(run.pk))


def run_claim(*, run_id: Any) -> TrainingRun | None:
    """Take a run for this worker: a waiting one, or one whose worker is lost. ``None`` where it is not to be had.

    However often the broker delivers it, one worker gets it; and while one run is running no other one starts.
    """
    lease, now = secrets.token_hex(16), timezone.now()
    mine = TrainingRun.objects.filter(pk=run_id)
    free = mine.filter(state=TrainingRun.State.WAITING)
    lost = mine.filter(state=TrainingRun.State.RUNNING, heartbeat_at__lt=now - HEARTBEAT_LOST)
    for found in (free, lost):
        try:
            with transaction.atomic():
                taken = found.update(state=TrainingRun.State.RUNNING, lease=lease, heartbeat_at=now)
        except IntegrityError:  # another run has the machine
            return None
        if taken:
            run = mine.select_related("dataset").get()
            run.starts += 1
            run.started_at = run.started_at or now
            run.save(update_fields=["starts", "started_at"])
            return run
    return None


def run_beat(*, run: TrainingRun) -> str:
    """Say that the worker is alive: ``go on``, ``cancel``, or ``lost`` where somebody else has the run by now."""
    mine = TrainingRun.objects.filter(pk=run.pk, lease=run.lease)
    if not mine.update(heartbeat_at=timezone.now()):
        return "lost"
    pings.announce_access(run.pk)
    return "cancel" if mine.values_list("cancel", flat=True).first() else "go on"


def run_let_go(
    *, run: TrainingRun, state: str, reason: str = "", results: dict[str, Any] | None = None
) -> bool:
    """Write down how it ended. False where somebody else has the run by now, and nothing is written."""
    over = state != TrainingRun.State.WAITING
    with transaction.atomic():
        written = TrainingRun.objects.filter(pk=run.pk, lease=run.lease).update(
            state=state,
            lease="",
            cancel=False,
            reason=reason[:300],
            results=results or {},
            finished_at=timezone.now() if over else None,
        )
        if written and state == TrainingRun.State.DONE:
            DatasetUse.objects.filter(run=run.folder).update(adapter=run.name[:64])
    pings.announce_access(run.pk)
    log.info("run_let_go", run=str(run.pk), state=state, reason=reason)
    return bool(written)


def run_cancel(*, run: TrainingRun) -> bool:
    """Stop a run: at once where it waits, at the next heartbeat where it runs."""
    mine = TrainingRun.objects.filter(pk=run.pk)
    stopped = mine.filter(state=TrainingRun.State.WAITING).update(
        state=TrainingRun.State.CANCELLED, finished_at=timezone.now()
    )
    return bool(stopped or mine.filter(state=TrainingRun.State.RUNNING).update(cancel=True))


def run_resume(*, run: TrainingRun) -> bool:
    """Go on with a run that failed or was cancelled, from its last checkpoint."""
    over = (TrainingRun.State.FAILED, TrainingRun.State.CANCELLED)
    again = TrainingRun.objects.filter(pk=run.pk, state__in=over).update(
        state=TrainingRun.State.WAITING, reason="", cancel=False, finished_at=None
    )
    if again:
        transaction.on_commit(lambda: _enqueue(run), robust=True)
    return bool(again)


def runs_owed() -> list[TrainingRun]:
    """The run that a worker should have: a lost one, else the oldest that waits for a free machine."""
    running = TrainingRun.objects.filter(state=TrainingRun.State.RUNNING).first()
    if running is not None:
        return [running] if running.is_lost else []
    return list(TrainingRun.objects.filter(state=TrainingRun.State.WAITING).order_by("created_at")[:1])


def runs_enqueue() -> int:
    """Tell a worker of what is owed; how many runs that was. Telling twice does no harm."""
    owed = runs_owed()
    for run in owed:
        _enqueue(run)
    return len(owed)
