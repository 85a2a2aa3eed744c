"""``demo``: from nothing to a trained apprentice on two cores, with a report.

Self-play of reference strategies makes the data; a model of a million weights and its vocabulary are made on the spot
and taught the moves; then it plays whole deals against the personas and learns from what they earned. Before and
after are measured on the same held-out deals, and everything is drawn on one page.
"""

from __future__ import annotations

import json
import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trainer import settings
from trainer.commands.arguments import parser, show
from trainer.domains.deal import files
from trainer.domains.deal.selfplay import DataSettings
from trainer.domains.deal.tasks import measured
from trainer.errors import BadInput
from trainer.evaluation import run as evaluations
from trainer.evaluation.players import NamedPlayer, Scripted
from trainer.evaluation.records import GameRecord
from trainer.evaluation.run import EvaluationSettings
from trainer.learning import recipes
from trainer.learning.player import ModelPlayer
from trainer.learning.policy import load
from trainer.learning.recipes import TeachSettings, TrainSettings
from trainer.learning.sft import SftSettings
from trainer.reports import curves, evaluation, games, page
from trainer.runs import Run, read_metrics, say

BEFORE, AFTER = "SFT", "GRPO"
APPRENTICE = Path("var/models/apprentice")


@dataclass(frozen=True, slots=True)
class DemoSettings:
    """The demo's sizes: what fits into eight minutes on two cores. Checkpoints are chosen by the game's whole reward."""

    data: DataSettings = field(
        default_factory=lambda: DataSettings(
            episodes=1200, teachers={"conceder": 0.3, "linear": 0.3, "expert": 0.4}
        )
    )
    """Teachers good and bad, in one crowd: what is learnt first is to play like any of them, and by playing, which of
    them to play like."""
    teach: TeachSettings = field(
        default_factory=lambda: TeachSettings(
            sft=SftSettings(steps=320, validate_every=160, precision="auto")
        )
    )
    train: TrainSettings = field(default_factory=recipes.apprentice_training)
    evaluation: EvaluationSettings = field(default_factory=lambda: EvaluationSettings(episodes=600))


def run(argv: list[str]) -> int:
    """Run the command."""
    arguments = parser("demo", __doc__ or "", "var/runs/demo")
    arguments.add_argument("--steps", type=int, help="GRPO steps, instead of the settings'")
    arguments.add_argument(
        "--models", type=Path, default=APPRENTICE, help="where the apprentice goes (%(default)s)"
    )
    given = arguments.parse_args(argv)
    recipes.fix_threads()
    changes = {} if given.steps is None else {"train.grpo.steps": given.steps}
    wanted = settings.load(DemoSettings, given.config, changes)
    if not given.resume and (given.output / "metrics.jsonl").exists():
        raise BadInput(f"{given.output} holds a demo already; go on with --resume, or give another --output")
    result = demo(wanted, given.output, given.seed, resume=given.resume)
    put_in_place(given.output, given.models)
    show(result | {"apprentice": str(given.models)}, as_json=given.json)
    return 0


def demo(wanted: DemoSettings, folder: Path, seed: int, *, resume: bool = False) -> dict[str, Any]:
    """All of it; every stage that has been finished is left as it is when a demo is resumed."""
    started = time.monotonic()
    made = Run(folder, "demo", wanted, seed, resume=resume)
    stages: dict[str, float] = {}

    def stage(name: str) -> None:
        stages[name] = round(time.monotonic() - started - sum(stages.values()), 1)
        say(f"-- {name}: {stages[name]} s")

    data, taught, trained = folder / "data", folder / "sft", folder / "grpo"
    if not (data / "card.json").exists():
        files.generate(wanted.data, seed, Run(data, "generate", wanted.data, seed, resume=True))
    stage("data")
    if not (taught / "base" / "config.json").exists():
        teaching = Run(taught, "sft", wanted.teach, seed, resume=True)
        policy = recipes.apprentice(wanted.teach, data, taught / "untrained", seed)
        teaching.finish(**recipes.teach(policy, wanted.teach.sft, data, seed, teaching, resume=True))
        recipes.keep_as_base(policy, taught / "base")
    stage("sft")
    if not (trained / "adapter" / "parlay.json").exists():
        training = Run(trained, "grpo", wanted.train, seed, resume=True)
        _, results = recipes.train(taught / "base", wanted.train, seed, training, resume=True)
        training.finish(**results)
    stage("grpo")
    table = report(wanted, folder, seed)
    stage("evaluation")
    made.log(kind="demo", step=0, stages=stages)
    result = {
        "report": str(folder / "report.html"),
        "seconds": round(time.monotonic() - started, 1),
        "efficiency_before": table["players"][BEFORE]["efficiency"],
        "efficiency_after": table["players"][AFTER]["efficiency"],
        "gain": table["gain_over_baseline"][AFTER],
        "deal_rate_before": table["players"][BEFORE]["deal_rate"],
        "deal_rate_after": table["players"][AFTER]["deal_rate"],
        "validity_after": table["players"][AFTER]["validity"],
    }
    made.finish(stages=stages, **result)
    return result


def report(wanted: DemoSettings, folder: Path, seed: int) -> dict[str, Any]:
    """Measure before and after on the same held-out deals, and write the page."""
    base, adapter = folder / "sft" / "base", folder / "grpo" / "adapter"
    before = ModelPlayer.of(BEFORE, load(base), wanted.evaluation, seed)
    after = ModelPlayer.of(AFTER, load(base, adapter), wanted.evaluation, seed)
    players: list[NamedPlayer] = [before, after, *(Scripted(name) for name in ("random", "linear", "expert"))]
    table, records = evaluations.evaluate(players, wanted.evaluation, seed, BEFORE)
    evaluations.write(table, folder)
    typical = typical_deal(records[BEFORE], records[AFTER])
    task = measured(wanted.evaluation.mixture, 1, seed, jitter=False)[0] if typical is None else typical.task
    told = {"Before": before.tell(task), "After": after.tell(task)}
    lines = read_metrics(folder / "sft") + read_metrics(folder / "grpo")
    parts = [
        *evaluation.parts(table),
        games.side_by_side(told, "One deal, before and after"),
        *curves.of_run(lines),
    ]
    lead = (
        "A model of about a million weights, made from nothing: what it does after learning the moves of others (SFT),"
        f" and after playing for itself (GRPO). Measured on {table['episodes'][BEFORE]} held-out deals."
    )
    page.write(page.Report("The apprentice", lead, parts), folder / "report.html")
    return table


def typical_deal(before: list[GameRecord], after: list[GameRecord]) -> GameRecord | None:
    """The deal whose gain is nearest to the mean gain: neither the best nor the worst to show."""
    if not before:
        return None
    gained = [new.efficiency - old.efficiency for old, new in zip(before, after, strict=True)]
    mean = sum(gained) / len(gained)
    return before[min(range(len(gained)), key=lambda place: abs(gained[place] - mean))]


def put_in_place(folder: Path, models: Path) -> None:
    """The apprentice where the server looks for it: the base itself, and its adapter in ``adapter/``."""
    partial, old = models.with_name(f".{models.name}.part"), models.with_name(f".{models.name}.old")
    try:
        for leftover in (partial, old):
            shutil.rmtree(leftover, ignore_errors=True)
        shutil.copytree(folder / "sft" / "base", partial)
        shutil.copytree(folder / "grpo" / "adapter", partial / "adapter")
        described = partial / "adapter" / "adapter_config.json"
        config = json.loads(described.read_text(encoding="utf-8"))
        config["base_model_name_or_path"] = str(models)
        described.write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
        if models.exists():
            models.rename(old)
        partial.rename(models)
        shutil.rmtree(old, ignore_errors=True)
    except OSError as problem:
        raise BadInput(f"{models}: {problem.strerror}") from problem
