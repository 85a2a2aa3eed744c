"""The exploit pool as sparring partners: the deals in which people beat a model, frozen for one run.

A pool is a dataset, so that it is checked, noted as used, and refused once a deal of it is withdrawn, as any other.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.db import transaction

from accounts.models import User
from trainer.flywheel.datasets import dataset_freeze, dataset_write
from trainer.flywheel.filters import Filters
from trainer.flywheel.models import Dataset
from trainer.flywheel.runs.models import TrainingRun
from trainer.flywheel.runs.services import run_request


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
    """The pool as the trainer reads people's wins. Noted before it is written.

    Raises:
        DatasetRefused: when a deal of it was withdrawn, or a file of it is damaged.
    """
    dataset_write(dataset=pool, folder=folder, run=run.folder, by=run.by)
    return folder
