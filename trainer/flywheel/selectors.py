"""Reads of the data room."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum

from accounts.selectors import users_consenting
from trainer.flywheel.models import Dataset, DatasetEntry, DatasetUse, Episode

WITH_WORDS = (Episode.State.TAKEN, Episode.State.EXCLUDED)


def _permitted(before: str = "") -> Q:
    """Episodes whose words may be used now. The consent is asked for each time: an example alone is no licence."""
    ours = {"source": Episode.Source.GAME, "game__redaction": None, "game__player__in": users_consenting()}
    from_elsewhere = {"source": Episode.Source.IMPORT}
    return Q(**{before + "state__in": WITH_WORDS}) & (
        Q(**{before + name: value for name, value in ours.items()})
        | Q(**{before + name: value for name, value in from_elsewhere.items()})
    )


def episodes_usable() -> QuerySet[Episode]:
    """What a dataset may be made of now."""
    found = Episode.objects.filter(_permitted(), state=Episode.State.TAKEN)
    return found.select_related("brought")


def entries_gone(dataset: Dataset) -> QuerySet[DatasetEntry]:
    """What a dataset holds and nobody may use any more."""
    found: QuerySet[DatasetEntry] = DatasetEntry.objects.filter(dataset=dataset)
    return found.exclude(pk__in=found.filter(_permitted("episode__")).values("pk"))


@dataclass(frozen=True, slots=True)
class Stock:
    """What the store holds: deals and decisions to learn from, and what is not used, by reason."""

    episodes: int
    decisions: int
    people: int
    pool: int
    waiting: int
    """Taken, but without a yes to the present wording."""
    left_out: int
    refused: int
    withdrawn: int


def stock() -> Stock:
    """The store at a glance."""
    usable = episodes_usable()
    sums = usable.aggregate(episodes=Count("pk"), decisions=Sum("records"))
    states = dict(Episode.objects.order_by().values_list("state").annotate(Count("pk")))
    return Stock(
        episodes=sums["episodes"],
        decisions=sums["decisions"] or 0,
        people=usable.exclude(person="").order_by().values("person").distinct().count(),
        pool=usable.filter(beat_model=True).count(),
        waiting=states.get("taken", 0) - sums["episodes"],
        left_out=states.get("excluded", 0),
        refused=states.get("refused", 0),
        withdrawn=states.get("withdrawn", 0),
    )


def datasets() -> list[dict[str, Any]]:
    """Every dataset, latest first, with what became of its deals and how often it was used."""
    counted = {
        row["dataset"]: row["uses"]
        for row in DatasetUse.objects.order_by().values("dataset").annotate(uses=Count("pk"))
    }
    return [
        {"dataset": dataset, "gone": entries_gone(dataset).count(), "uses": counted.get(dataset.pk, 0)}
        for dataset in Dataset.objects.select_related("by")
    ]


@dataclass(frozen=True, slots=True)
class Taught:
    """A withdrawn deal, and the uses of datasets that held it."""

    episode: Episode
    uses: list[DatasetUse]


def withdrawn_and_learnt() -> list[Taught]:
    """Withdrawn deals, latest first, each with what had it: these runs and adapters must be trained anew."""
    episodes = Episode.objects.filter(state=Episode.State.WITHDRAWN).order_by("-changed_at")
    found = []
    for episode in episodes.prefetch_related("entries"):
        held = [entry.dataset_id for entry in episode.entries.all()]
        uses = DatasetUse.objects.filter(dataset__in=held, at__lte=episode.changed_at)
        found.append(Taught(episode, list(uses.select_related("dataset", "by"))))
    return found


def to_retrain() -> list[tuple[DatasetUse, int]]:
    """Training runs that learnt from deals withdrawn since, with how many of them."""
    withdrawn = Q(dataset__entries__episode__state=Episode.State.WITHDRAWN)
    runs = DatasetUse.objects.filter(kind=DatasetUse.Kind.RUN).annotate(
        lost=Count("dataset__entries", filter=withdrawn)
    )
    return [(run, run.lost) for run in runs.filter(lost__gt=0).select_related("dataset")]
