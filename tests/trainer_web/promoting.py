"""Runs, judgements and generations made the short way, with the stand-in for the trainer."""

from __future__ import annotations

from typing import Any

from accounts.models import User
from trainer.flywheel.models import Dataset
from trainer.flywheel.promotion import services
from trainer.flywheel.promotion.models import Generation
from trainer.flywheel.runs.judging import gate_request
from trainer.flywheel.runs.models import TrainingRun
from trainer.flywheel.runs.services import run_request
from trainer.flywheel.tasks import train


def fresh(run: TrainingRun) -> TrainingRun:
    """The run as its row is now."""
    return TrainingRun.objects.get(pk=run.pk)


def trained(dataset: Dataset | None, base: str, name: str = "One", **set_up: Any) -> TrainingRun:
    wanted = {"recipe": "sft", "sft_steps": 2, "grpo_steps": 2, "base": base, **set_up}
    run = run_request(name=name, by=None, dataset=dataset, **wanted)
    assert train(run.pk)
    assert fresh(run).state == "done", fresh(run).reason
    return fresh(run)


def judged(run: TrainingRun) -> TrainingRun:
    gate = gate_request(run=run, by=None)
    assert train(gate.pk)
    assert fresh(gate).state == "done", fresh(gate).reason
    return fresh(gate)


def promoted(dataset: Dataset, base: str, admin: User, name: str = "One") -> Generation:
    decision = services.run_promote(gate=judged(trained(dataset, base, name)), by=admin, reason="Better.")
    assert decision.after is not None
    return decision.after
