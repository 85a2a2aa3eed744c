"""The copy of an adapter that outlives its run, under the name of its weights: made twice, on any machine, it is one."""

from __future__ import annotations

import shutil
from pathlib import Path

from django.conf import settings

from trainer.flywheel import store
from trainer.flywheel.promotion.models import Generation
from trainer.flywheel.runs import bundles
from trainer.flywheel.runs.models import WEIGHTS, TrainingRun

MODELS = "models"


class NotKept(ValueError):
    """There is no such copy and none can be made; the message says why."""


def adapter_keep(run: TrainingRun, sha256: str) -> str:
    """Copy the adapter that a run made, whose weights have this checksum; what rows call the copy.

    Raises:
        NotKept: when the weights are others, or the disk takes no more.
    """
    name = f"{MODELS}/{sha256[:32]}"
    kept = store.path_of(name)
    partial = kept.with_name(f".{kept.name}{store.PARTIAL}")
    try:
        bundles.folder_fetch(str(run.results.get("adapter", "")))
        adapter = Path(run.adapter)
        if not sha256 or store.checksum((adapter / WEIGHTS).read_bytes()) != sha256:
            raise NotKept("The weights on the disk are not those that were judged.")
        if not (kept / WEIGHTS).is_file():
            shutil.rmtree(partial, ignore_errors=True)
            partial.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(adapter, partial)
            shutil.rmtree(kept, ignore_errors=True)
            partial.rename(kept)
    except (OSError, store.Damaged) as problem:
        shutil.rmtree(partial, ignore_errors=True)
        raise NotKept(f"The adapter can't be kept: {_why(problem)}.") from problem
    return name


def adapter_at_hand(generation: Generation) -> str:
    """Where the adapter of a generation lies on this machine, made again from what its run sent if it must be.

    Raises:
        NotKept: as :func:`adapter_keep`.
    """
    place = store.located(generation.path)
    if settings.ARTEFACTS_ELSEWHERE and not (Path(place) / WEIGHTS).is_file():
        adapter_keep(generation.run, generation.sha256)
    return place


def _why(problem: Exception) -> str:
    """In the system's words; copying a folder gathers one reason for each file of it."""
    if isinstance(problem, shutil.Error) and problem.args and isinstance(problem.args[0], list):
        return str(problem.args[0][0][-1])
    return getattr(problem, "strerror", None) or str(problem)
