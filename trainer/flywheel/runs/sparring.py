"""The exploit pool as sparring partners: the deals in which people beat a model, frozen for one run.

A pool is a dataset, so that it is checked, noted as used, and refused once a deal of it is withdrawn, as any other.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.db import transaction

from accounts.models import User
from trainer.domains.deal.replays import Replay
from trainer.flywheel import store
from trainer.flywheel.datasets import DatasetRefused, dataset_freeze
from trainer.flywheel.filters import Filters
from trainer.flywheel.models import Dataset, DatasetUse
from trainer.flywheel.records import from_bytes
from trainer.flywheel.runs.models import TrainingRun
from trainer.flywheel.runs.services import run_request
from trainer.flywheel.selectors import entries_gone

FILE = "pool.jsonl"


@transaction.atomic
def asked(*, name: str, by: User | None, with_pool: bool = False, **set_up: Any) -> TrainingRun:
    """Ask for a run; with the exploit pool across the table for a share of its deals, if so wished.

    Raises:
        RunRefused: as :func:`run_request`.
        DatasetRefused: when there is nothing in the pool.
    """
    pool = None
    if with_pool and set_up.get("recipe") in (TrainingRun.Recipe.GRPO, TrainingRun.Recipe.BOTH):
        everything = Filters(least=0.0, unknown=False, pool=True, validation=0.0)
        pool = dataset_freeze(
            name=f"Exploit pool of {name}"[:80], note="To play against.", filters=everything, by=by
        )
    return run_request(name=name, by=by, pool=pool, **set_up)


def pool_write(*, pool: Dataset, folder: Path, run: TrainingRun) -> Path:
    """The moves of the pool's deals as a file for the trainer: figures, and no words. Noted before it is written.

    Raises:
        DatasetRefused: when a deal of it was withdrawn.
        store.Damaged: when a file of it is not what it was.
    """
    DatasetUse.objects.get_or_create(
        dataset=pool, kind=DatasetUse.Kind.RUN, run=run.folder, defaults={"by": run.by}
    )
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / FILE
    if entries_gone(pool).exists():
        raise DatasetRefused("Deals of the exploit pool were withdrawn. Ask for the run anew.")
    lines = []
    for entry in pool.entries.select_related("episode").order_by("id"):
        records = from_bytes(store.read(entry.episode.file, entry.sha256))
        offers = [record["move"].get("offer") for record in records]
        replay = Replay(
            scenario=entry.episode.scenario,
            seat=entry.episode.seat,  # type: ignore[arg-type]  # a choice of the table's
            offers=tuple(float(offer) for offer in offers if offer is not None),
        )
        if replay.offers:
            lines.append(replay.to_json() + "\n")
    path.write_text("".join(lines), encoding="utf-8")
    return path
