"""Asking for runs, stopping one, going on with it, and what follows when it ends."""

from __future__ import annotations

import shutil
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from negotiation.table import pings
from owed import services as owed
from trainer.flywheel import store
from trainer.flywheel.models import Dataset, DatasetUse
from trainer.flywheel.runs import quota
from trainer.flywheel.runs.models import TrainingRun
from trainer.flywheel.selectors import entries_gone

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
    run.base = store.name_of(run.base) if run.base else ""
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
    # Where runs are worked elsewhere, the disk there is asked when it begins.
    if not settings.ARTEFACTS_ELSEWHERE and (lack := quota.lacking(settings.RUN_NEEDS_MB)):
        raise RunRefused(lack)
    run.save()
    owed.hand_out(run)
    return run


def _check_dataset(dataset: Dataset | None) -> None:
    if dataset is None:
        raise RunRefused("Learning moves needs a dataset.")
    if entries_gone(dataset).exists():
        raise RunRefused("Deals of this dataset were withdrawn. Freeze a successor and use that.")


def run_ended(run: TrainingRun) -> None:
    """What follows from however a run was let go: its words leave the disk, before anybody reads that it is over."""
    if not run.is_open:
        shutil.rmtree(store.path_of(run.folder) / "data", ignore_errors=True)
        TrainingRun.objects.filter(pk=run.pk).update(finished_at=timezone.now())
    if run.state == TrainingRun.State.DONE:
        DatasetUse.objects.filter(run=run.folder).update(adapter=run.name[:64])
    transaction.on_commit(lambda: pings.announce_access(run.pk), robust=True)


def run_cancel(*, run: TrainingRun) -> bool:
    """Stop a run: at once where it waits, at the next heartbeat where it runs."""
    stopped = owed.cancel(run, finished_at=timezone.now())
    if stopped and run.state == TrainingRun.State.WAITING and settings.TRAINS_ON == "kubernetes":
        # The task's module imports these services.
        from trainer.flywheel.tasks import call_off_job

        owed.send(call_off_job.delay, str(run.pk))
    return stopped


def run_resume(*, run: TrainingRun) -> bool:
    """Go on with a run that failed or was cancelled, from its last checkpoint."""
    return owed.again(run, finished_at=None)
