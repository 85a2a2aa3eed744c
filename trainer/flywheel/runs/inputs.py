"""What a run stands on, brought to the machine that works it: its base, the adapter it goes on from, who is judged."""

from __future__ import annotations

from django.conf import settings

from trainer.flywheel import store
from trainer.flywheel.promotion.keeping import NotKept, adapter_at_hand
from trainer.flywheel.runs import bundles
from trainer.flywheel.runs.models import TrainingRun


def inputs_fetch(run: TrainingRun) -> None:
    """Fetch the folders of the store that the run's commands are given.

    Raises:
        store.Damaged: when one can't be had, or is not what was sent.
    """
    if not settings.ARTEFACTS_ELSEWHERE:
        return
    bundles.folder_fetch(run.base)
    if run.candidate is not None:
        bundles.folder_fetch(str(run.candidate.results.get("adapter", "")))
    for generation in (run.start, run.champion):
        if generation is not None:
            try:
                adapter_at_hand(generation)
            except NotKept as problem:
                raise store.Damaged(str(problem)) from problem
