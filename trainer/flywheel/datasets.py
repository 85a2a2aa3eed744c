"""Datasets: frozen once, checked file by file, handed out with a trace."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import structlog
from django.db import transaction

from accounts.models import User
from trainer.datasets import write
from trainer.flywheel import store
from trainer.flywheel.card import card_of
from trainer.flywheel.filters import Filters, Split, choose
from trainer.flywheel.models import Dataset, DatasetEntry, DatasetUse, Episode
from trainer.flywheel.records import for_training, from_bytes
from trainer.flywheel.selectors import entries_gone

log = structlog.get_logger(__name__)

SPLITS: tuple[Split, ...] = ("train", "validation")


class DatasetRefused(ValueError):
    """What was asked for can't be done; the message is for the admin."""


@transaction.atomic
def dataset_freeze(*, name: str, note: str, filters: Filters, by: User | None) -> Dataset:
    """Write down what the filters let through now. Every file is read and checked before.

    Raises:
        DatasetRefused: when the name is taken, nothing is let through, or a file is damaged.
    """
    if Dataset.objects.filter(name=name).exists():
        raise DatasetRefused(
            f"There is a dataset “{name}” already. A frozen one never changes; choose another name."
        )
    choice = choose(filters)
    if not any(each.split == "train" for each in choice.chosen):
        raise DatasetRefused("Nothing that the filters let through would be there to train on.")
    damaged = [str(each.episode.pk) for each in choice.chosen if not _is_whole(each.episode)]
    if damaged:
        raise DatasetRefused(
            f"{len(damaged)} {'file is' if len(damaged) == 1 else 'files are'} gone or changed; leave "
            f"{'it' if len(damaged) == 1 else 'them'} out first: {', '.join(damaged[:5])}"
        )
    files = [[each.episode.file, each.episode.sha256, each.split] for each in choice.chosen]
    dataset = Dataset.objects.create(
        name=name,
        note=note,
        style=filters.style,
        filters=filters.to_json(),
        card=card_of(choice),
        sha256=store.checksum(json.dumps(files).encode()),
        by=by,
    )
    DatasetEntry.objects.bulk_create(
        DatasetEntry(dataset=dataset, episode=each.episode, sha256=each.episode.sha256, split=each.split)
        for each in choice.chosen
    )
    log.info("dataset_frozen", dataset=dataset.pk, episodes=len(choice.chosen))
    return dataset


def _is_whole(episode: Episode) -> bool:
    try:
        store.read(episode.file, episode.sha256)
    except store.Damaged:
        return False
    return True


def dataset_records(dataset: Dataset, split: Split) -> Iterator[dict[str, Any]]:
    """The examples of one side as a trainer reads them.

    Raises:
        DatasetRefused: when a deal of it was withdrawn since, or a file is damaged. Before the first record.
    """
    gone = entries_gone(dataset).count()
    if gone:
        raise DatasetRefused(
            f"{gone} of its deals {'was' if gone == 1 else 'were'} withdrawn or may not be used now. Freeze a "
            "successor with the same filters; this one is kept to tell what was trained on it."
        )
    for entry in dataset.entries.filter(split=split).select_related("episode").order_by("id"):
        try:
            content = store.read(entry.episode.file, entry.sha256)
        except store.Damaged as problem:
            raise DatasetRefused(f"A file of it is damaged: {problem}.") from problem
        for record in from_bytes(content):
            found = for_training(record, dataset.style)  # type: ignore[arg-type]  # a constraint of the table
            if found is not None:
                yield found


def dataset_lines(dataset: Dataset, split: Split) -> Iterator[bytes]:
    """The same as JSON lines."""
    for record in dataset_records(dataset, split):
        yield json.dumps(record, ensure_ascii=False).encode() + b"\n"


def dataset_take_away(*, dataset: Dataset, split: Split, by: User) -> Iterator[bytes]:
    """Hand one side to a person, and note who it was."""
    lines = dataset_lines(dataset, split)
    first = next(lines, b"")
    DatasetUse.objects.create(dataset=dataset, kind=DatasetUse.Kind.DOWNLOAD, run=f"{split}.jsonl", by=by)

    def all_of_it() -> Iterator[bytes]:
        yield first
        yield from lines

    return all_of_it()


def dataset_write(*, dataset: Dataset, folder: Path, run: str, by: User | None = None) -> dict[Split, int]:
    """Write ``train.jsonl``, ``validation.jsonl`` and ``card.json`` for a training run; how many examples of each.

    The run is noted before anything is written: whatever becomes of it, it had the words.
    """
    for split in SPLITS:
        next(dataset_records(dataset, split), None)
    DatasetUse.objects.get_or_create(dataset=dataset, kind=DatasetUse.Kind.RUN, run=run, defaults={"by": by})
    counts = {split: write(folder / f"{split}.jsonl", dataset_records(dataset, split)) for split in SPLITS}
    card = {"name": dataset.name, "sha256": dataset.sha256, "filters": dataset.filters, "card": dataset.card}
    (folder / "card.json").write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
    return counts


@transaction.atomic
def episode_exclude(*, episode: Episode, note: str, by: User) -> None:
    """Leave an episode out of every dataset made from now on.

    Raises:
        DatasetRefused: without a reason, or where there is nothing to leave out.
    """
    found = Episode.objects.select_for_update().get(pk=episode.pk)
    if found.state != Episode.State.TAKEN:
        raise DatasetRefused("This deal is in no dataset made from now on anyway.")
    if not note.strip():
        raise DatasetRefused("Say why, for those who come after.")
    found.state, found.why = Episode.State.EXCLUDED, Episode.Why.HAND
    found.note, found.decided_by = note.strip(), by
    found.save()


@transaction.atomic
def episode_include(*, episode: Episode, by: User) -> None:
    """Take an episode that was left out by hand back in.

    Raises:
        DatasetRefused: when it was not left out by hand.
    """
    found = Episode.objects.select_for_update().get(pk=episode.pk)
    if found.state != Episode.State.EXCLUDED:
        raise DatasetRefused("This deal was not left out by hand.")
    found.state, found.why, found.note, found.decided_by = Episode.State.TAKEN, "", "", by
    found.save()
