"""What a model learnt from: its own data and that of everything it stands on."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

from django.db.models import QuerySet

from trainer.flywheel import store
from trainer.flywheel.models import Dataset, DatasetEntry, Episode
from trainer.flywheel.runs.models import TrainingRun


def ancestors(run: TrainingRun) -> Iterator[TrainingRun]:
    """The run itself, the one whose adapter it went on from, the one that built its base, and so on; each once."""
    seen: set[uuid.UUID] = set()
    left: list[TrainingRun | None] = [run]
    while left:
        each = left.pop(0)
        if each is None or each.pk in seen:
            continue
        seen.add(each.pk)
        yield each
        left.append(each.start.run if each.start is not None else None)
        left.append(_builder_of(each.base))


def _builder_of(base: str) -> TrainingRun | None:
    """The run in whose folder a base lies; none where it came from elsewhere."""
    runs = store.path_of("runs")
    try:
        name = Path(store.located(base)).resolve().relative_to(runs).parts[0]
        return TrainingRun.objects.filter(pk=uuid.UUID(name)).first()
    except (ValueError, IndexError):
        return None


def datasets_of(run: TrainingRun) -> list[Dataset]:
    """Every dataset that the run's model learnt from or played against, its own first."""
    found: dict[int, Dataset] = {}
    for each in ancestors(run):
        for dataset in (each.dataset, each.pool):
            if dataset is not None:
                found.setdefault(dataset.pk, dataset)
    return list(found.values())


def entries_of(run: TrainingRun) -> QuerySet[DatasetEntry]:
    """Every deal in them."""
    found: QuerySet[DatasetEntry] = DatasetEntry.objects.filter(dataset__in=datasets_of(run))
    return found


def deals_withdrawn(run: TrainingRun) -> int:
    """How many of the deals that it learnt from were withdrawn since."""
    gone = entries_of(run).filter(episode__state=Episode.State.WITHDRAWN)
    return gone.values("episode").distinct().count()
