"""Asking for a run to be judged, and what the judgement says."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

import structlog
from django.db import IntegrityError

from accounts.models import User
from trainer.flywheel import store
from trainer.flywheel.promotion.models import Generation
from trainer.flywheel.runs import bundles
from trainer.flywheel.runs.models import WEIGHTS, TrainingRun
from trainer.flywheel.runs.services import RunRefused, run_request

log = structlog.get_logger(__name__)


def champion_of(base: str, style: str) -> Generation | None:
    """Who plays on this base and in this style now."""
    return Generation.objects.filter(
        base=known_as(base), style=style, state=Generation.State.CHAMPION
    ).first()


def known_as(base: str) -> str:
    """One name for one model: a folder by its place in the store or on the disk, anything else as it is called."""
    path = Path(store.located(base))
    return store.name_of(path.resolve() if path.is_dir() else base)


def gate_request(*, run: TrainingRun, by: User | None) -> TrainingRun:
    """Ask for a run to be judged against the champion of its base and style, on deals nobody has played.

    Raises:
        RunRefused: when the run made no adapter, or a judgement of it is under way or was passed on this champion.
    """
    if run.is_gate or run.state != TrainingRun.State.DONE:
        raise RunRefused("Only a run that is done can be judged.")
    if not run.adapter or not run.model_base:
        raise RunRefused(
            "This run built a model of its own and no adapter: start the model server with it, then train on it."
        )
    if not _has_weights(run):
        raise RunRefused("The adapter of this run is not on the disk any more.")
    base = known_as(run.model_base)
    champion = champion_of(base, run.style)
    if champion is not None and champion.run_id == run.pk:
        raise RunRefused(f"This run is {champion.title}, the champion itself.")
    if run.gates.filter(state__in=[TrainingRun.State.WAITING, TrainingRun.State.RUNNING]).exists():
        raise RunRefused("This run is being judged already.")
    return run_request(
        name=_name(run),
        by=by,
        recipe=TrainingRun.Recipe.GATE,
        base=base,
        style=run.style,
        candidate=run,
        champion=champion,
        # Deals of its own each time: who is judged twice on the same ones is chosen by their luck.
        seed=secrets.randbelow(2**31),
    )


def _has_weights(run: TrainingRun) -> bool:
    """Whether the adapter of a run is still to be had."""
    try:
        bundles.folder_fetch(str(run.results.get("adapter", "")))
    except store.Damaged:
        return False
    return (Path(run.adapter) / WEIGHTS).is_file()


def gates_ask() -> int:
    """Ask for the judgements that runs were to have as soon as they are done; how many that was. Twice asks once."""
    owed = TrainingRun.objects.filter(state=TrainingRun.State.DONE, then_judge=True, gates=None)
    asked = 0
    for run in owed.exclude(recipe=TrainingRun.Recipe.GATE):
        try:
            gate_request(run=run, by=run.by)
        except (RunRefused, IntegrityError) as refused:
            # Nothing that another look would change: it is said once, and a person may still ask.
            TrainingRun.objects.filter(pk=run.pk).update(then_judge=False)
            log.warning("gate_not_asked", run=str(run.pk), why=str(refused))
        else:
            asked += 1
    return asked


def _name(run: TrainingRun) -> str:
    number = run.gates.count() + 1
    return f"{run.name[:60]}, gate" + (f" {number}" if number > 1 else "")


def report_of(gate: TrainingRun) -> dict[str, Any]:
    """What the gate found; empty before it is done."""
    found: dict[str, Any] = gate.results.get("report", {})
    return found


def passed(gate: TrainingRun) -> bool:
    """Whether every criterion was met."""
    return gate.is_gate and gate.state == TrainingRun.State.DONE and bool(report_of(gate).get("passed"))
