"""What the apprentice learns: the demo for several seeds, two trials of what came of it, and what each part brings.

    .venv-train/bin/python -m bench.apprentice [--seeds 0 1 2 3 4] [--stages demo trials ablate] [--rehearse]
        [--variants full without_tom] [--held-out acquisition_term_sheet] [--scratch FOLDER] [--output bench/results]

Every stage runs the trainer's own commands and keeps their tables in ``bench/results/apprentice`` and
``bench/results/ablate``; what was finished in the scratch folder is not done again, what was interrupted goes on. Time on
the wall and of the processor are of this run of the script alone.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bench.experiment import SCRATCH, Given, experiment, keep, option, tell
from negotiation.engine.figures import over_seeds
from negotiation.opponents.protocol import PERSON
from trainer.commands.ablate import AblationSettings
from trainer.commands.demo import DemoSettings
from trainer.domains.deal.selfplay import DataSettings
from trainer.domains.deal.tasks import Mixture, measured
from trainer.evaluation.intervals import mean
from trainer.evaluation.players import Scripted
from trainer.evaluation.run import EvaluationSettings
from trainer.learning import recipes
from trainer.learning.recipes import TeachSettings, TrainSettings
from trainer.learning.sft import SftSettings
from trainer.settings import dump, from_dict, to_dict, with_changes

KEPT = ("config.toml", "evaluation.json", "evaluation.md", "data/card.json", "grpo/metrics.jsonl")
FIGURES = ("efficiency", "share_kept", "deal_rate", "breach_rate", "reward", "tom_skill", "validity")
BEFORE, AFTER = "SFT", "GRPO"


@dataclass(frozen=True, slots=True)
class Size:
    """How much of everything."""

    demo: DemoSettings = field(default_factory=DemoSettings)
    trial_episodes: int = 120
    ablated_episodes: int = 360
    """Measured for each seed and variant."""
    stonewalled_each: int = 15
    """Deals of each scenario and seat."""


def rehearsal() -> Size:
    """A few steps of each."""
    changes = {
        "steps": 1,
        "prompts_per_step": 1,
        "num_generations": 2,
        "rows": 8,
        "eval_tasks": 2,
        "save_every": 1,
    }
    train = with_changes(
        to_dict(recipes.apprentice_training()), {f"grpo.{name}": value for name, value in changes.items()}
    )
    demo = DemoSettings(
        data=DataSettings(episodes=16),
        teach=TeachSettings(sft=SftSettings(steps=4, validate_every=4)),
        train=from_dict(TrainSettings, train, "rehearsal"),
        evaluation=EvaluationSettings(episodes=12),
    )
    return Size(demo=demo, trial_episodes=12, ablated_episodes=12, stonewalled_each=1)


@experiment(
    "",
    option("--scratch", type=Path, default=SCRATCH / "apprentice", help="where models are kept"),
    option("--seeds", type=int, nargs="+", default=[0, 1, 2, 3, 4]),
    option("--stages", nargs="+", choices=("demo", "trials", "ablate"), default=["demo"]),
    option("--variants", nargs="+", default=["full", "without_tom"], help="of ablate"),
    option("--held-out", nargs="*", default=[], help="scenarios that ablate measures apart"),
    rehearsal=True,
)
def main(given: Given) -> None:
    size = rehearsal() if given.rehearse else Size()
    if "demo" in given.stages:
        for seed in given.seeds:
            demo(given.scratch / f"seed{seed}", seed, size.demo, given.output)
        over_trainings(given.seeds, given.output)
    folders = {seed: given.scratch / f"seed{seed}" for seed in given.seeds}
    if "trials" in given.stages:
        trials(folders[given.seeds[0]], given.scratch / "trials", size, given.output)
    if "ablate" in given.stages:
        ablate(folders, given.scratch / "ablate", size, given)


def demo(folder: Path, seed: int, size: DemoSettings, output: Path) -> None:
    """The demo with one seed, and what it came to: with all moves open, as it is trained, and guarded, as people meet it."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    config = folder.with_suffix(".toml")
    config.write_text(dump(size), encoding="utf-8")
    models = ("--models", str(folder / "model"))
    spent = trainer("demo", "--config", str(config), "--seed", str(seed), *models, output=folder)
    kept = output / "apprentice" / f"seed{seed}"
    kept.mkdir(parents=True, exist_ok=True)
    for name in KEPT:
        shutil.copyfile(folder / name, kept / Path(name).name)
    (kept / "metrics.jsonl").rename(kept / "grpo.jsonl")
    guarded(folder, seed, size.evaluation)
    shutil.copyfile(folder / "guarded" / "evaluation.json", kept / "guarded.json")
    found = {
        **spent,
        "open": _figures(folder / "evaluation.json"),
        "guarded": _figures(folder / "guarded" / "evaluation.json"),
    }
    keep(found, kept / "summary.json")
    print(json.dumps({"seed": seed, **found}, indent=1))


def guarded(folder: Path, seed: int, wanted: EvaluationSettings) -> None:
    """The same deals with the same luck once more, moves beyond the own limit closed off."""
    base, adapter = folder / "sft" / "base", folder / "grpo" / "adapter"
    config = folder / "guarded.toml"
    config.write_text(dump(wanted), encoding="utf-8")
    told = ("--config", str(config), "--guarded", "--seed", str(seed))
    players = (f"{BEFORE}={base}", f"{AFTER}={base}+{adapter}", "linear", "expert")
    trainer("evaluate", *players, *told, output=folder / "guarded")


def _figures(table: Path) -> dict[str, Any]:
    found = json.loads(table.read_text())
    told = {name: {figure: found["players"][name][figure] for figure in FIGURES} for name in (BEFORE, AFTER)}
    return {**told, "gain_deal_by_deal": found["gain_over_baseline"][AFTER]}


def over_trainings(seeds: Sequence[int], output: Path) -> None:
    """What the trainings of these seeds came to, with Student's t interval over them."""
    found = [
        json.loads((output / "apprentice" / f"seed{seed}" / "summary.json").read_text()) for seed in seeds
    ]

    def each(part: str, player: str, figure: str) -> list[float]:
        return [one[part][player][figure]["mean"] for one in found]

    table: dict[str, Any] = {"seeds": list(seeds)}
    for part in ("open", "guarded"):
        table[part] = {
            player: {figure: over_seeds(each(part, player, figure)) for figure in FIGURES}
            for player in (BEFORE, AFTER)
        }
        table[part]["gain"] = {
            figure: over_seeds(
                [b - a for a, b in zip(each(part, BEFORE, figure), each(part, AFTER, figure), strict=True)]
            )
            for figure in FIGURES
        }
    tell(table, output / "apprentice" / "trainings.json")


def trials(demo_folder: Path, folder: Path, size: Size, output: Path) -> None:
    """Anchoring and exploitability, before and after."""
    base, adapter = demo_folder / "sft" / "base", demo_folder / "grpo" / "adapter"
    players = (f"{BEFORE}={base}", f"{AFTER}={base}+{adapter}", "linear", "expert")
    trainer("evaluate", *players, "--tests", "--episodes", str(size.trial_episodes), output=folder)
    for name in ("evaluation.json", "evaluation.md"):
        shutil.copyfile(folder / name, output / "apprentice" / f"trials{Path(name).suffix}")
    print((folder / "evaluation.md").read_text())
    stonewalled(size.stonewalled_each, output)


def stonewalled(each: int, output: Path) -> None:
    """What somebody who never moves takes from the reference strategies in the persona's seat: a yardstick of the trial."""
    mixture = Mixture(personas=("diplomat",))
    tasks = [replace(task, persona=PERSON) for task in measured(mixture, each, 0, jitter=False)]
    found = {}
    for name in ("conceder", "linear", "tit_for_tat", "expert"):
        played = Scripted("stonewaller").play([replace(task, rival=name) for task in tasks])
        share = mean([record.efficiency for record in played])
        deals = sum(record.deal for record in played) / len(played)
        found[name] = {"share_won": None if share is None else share.as_json(), "deals": deals}
    tell(found, output / "apprentice" / "stonewalled.json")


def ablate(demos: dict[int, Path], folder: Path, size: Size, given: Given) -> None:
    """Every variant trained as in the demo, each seed's from what its demo had taught; the demos' own are the whole.

    The seeds have to follow one another.
    """
    seeds = list(demos)
    if seeds != list(range(seeds[0], seeds[0] + len(seeds))):
        raise SystemExit("--seeds: ablate needs seeds that follow one another")
    wanted = AblationSettings(
        variants=tuple(given.variants),
        held_out=tuple(given.held_out),
        train=size.demo.train,
        evaluation=EvaluationSettings(episodes=size.ablated_episodes),
    )
    for seed, demo_folder in demos.items():
        shutil.copytree(
            demo_folder / "grpo" / "adapter", folder / f"full-{seed}" / "adapter", dirs_exist_ok=True
        )
    (folder / "wanted.toml").write_text(dump(wanted), encoding="utf-8")
    bases = [str(demo_folder / "sft" / "base") for demo_folder in demos.values()]
    told = ("--config", str(folder / "wanted.toml"), "--seed", str(seeds[0]), "--seeds", str(len(seeds)))
    spent = trainer("ablate", "--base", *bases, *told, output=folder)
    print(json.dumps(spent))
    kept = given.output / "ablate"
    kept.mkdir(parents=True, exist_ok=True)
    for part in ("trained", "held_out")[: 2 if given.held_out else 1]:
        for suffix in (".json", ".md"):
            shutil.copyfile(folder / part / f"evaluation{suffix}", kept / f"{part}{suffix}")
        print((kept / f"{part}.md").read_text())


def trainer(command: str, *more: str, output: Path) -> dict[str, Any]:
    """Run one of the trainer's commands, going on where it was; the seconds it took."""
    resume = ["--resume"] if output.exists() else []
    began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "trainer", command, *more, "--output", str(output), *resume],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "resumed": bool(resume),
        "seconds": round(time.monotonic() - began, 1),
        "processor_seconds": round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1),
        "load": os.getloadavg()[0],
    }


if __name__ == "__main__":
    main()
