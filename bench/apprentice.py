"""What the apprentice learns: the demo for several seeds, two trials of what came of it, and what each part brings.

    .venv-train/bin/python -m bench.apprentice --scratch var/apprentice [--seeds 0 1 2] [--stages demo trials ablate]
                                              [--variants full without_tom] [--held-out acquisition_term_sheet]

Every stage runs the trainer's own commands and keeps their tables in ``bench/results/apprentice`` and
``bench/results/ablate``; what was finished in the scratch folder is not done again, what was interrupted goes on. Time on
the wall and of the processor are of this run of the script alone.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from negotiation.opponents.protocol import PERSON
from trainer.commands.ablate import AblationSettings
from trainer.commands.demo import DemoSettings
from trainer.domains.deal.tasks import Mixture, measured
from trainer.evaluation.intervals import mean
from trainer.evaluation.players import Scripted
from trainer.evaluation.run import EvaluationSettings
from trainer.runs import revision
from trainer.settings import dump

RESULTS = Path("bench/results")
KEPT = ("config.toml", "evaluation.json", "evaluation.md", "data/card.json", "grpo/metrics.jsonl")
FIGURES = ("efficiency", "deal_rate", "breach_rate", "reward", "tom_skill", "validity")
BEFORE, AFTER = "SFT", "GRPO"
ABLATED_EPISODES = 360
"""Measured for each seed and variant."""
STONEWALLED_EACH = 15
"""Deals of each scenario and seat."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scratch", type=Path, required=True)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--stages", nargs="+", choices=("demo", "trials", "ablate"), default=["demo"])
    parser.add_argument("--variants", nargs="+", default=["full", "without_tom"], help="of ablate")
    parser.add_argument("--held-out", nargs="*", default=[], help="scenarios that ablate measures apart")
    given = parser.parse_args()
    if "demo" in given.stages:
        for seed in given.seeds:
            demo(given.scratch / f"seed{seed}", seed)
    folders = {seed: given.scratch / f"seed{seed}" for seed in given.seeds}
    if "trials" in given.stages:
        trials(folders[given.seeds[0]], given.scratch / "trials")
    if "ablate" in given.stages:
        ablate(folders, given.scratch / "ablate", given.variants, given.held_out)


def demo(folder: Path, seed: int) -> None:
    """The demo with one seed, and what it came to."""
    spent = trainer("demo", "--seed", str(seed), "--models", str(folder / "model"), output=folder)
    kept = RESULTS / "apprentice" / f"seed{seed}"
    kept.mkdir(parents=True, exist_ok=True)
    for name in KEPT:
        shutil.copyfile(folder / name, kept / Path(name).name)
    (kept / "metrics.jsonl").rename(kept / "grpo.jsonl")
    players = json.loads((folder / "evaluation.json").read_text())["players"]
    told = {name: {figure: players[name][figure] for figure in FIGURES} for name in (BEFORE, AFTER)}
    share = {name: told[name]["efficiency"]["ci95"] for name in told}
    found = {
        "revision": revision(),
        **spent,
        **told,
        "intervals_of_share_are_disjoint": share[AFTER][0] > share[BEFORE][1],
        "gain_deal_by_deal": json.loads((folder / "evaluation.json").read_text())["gain_over_baseline"][
            AFTER
        ],
    }
    (kept / "summary.json").write_text(json.dumps(found, indent=1) + "\n")
    print(json.dumps({"seed": seed, **found}, indent=1))


def trials(demo_folder: Path, folder: Path) -> None:
    """Anchoring and exploitability, before and after."""
    base, adapter = demo_folder / "sft" / "base", demo_folder / "grpo" / "adapter"
    players = (f"{BEFORE}={base}", f"{AFTER}={base}+{adapter}", "linear", "expert")
    trainer("evaluate", *players, "--tests", "--episodes", "120", output=folder)
    for name in ("evaluation.json", "evaluation.md"):
        shutil.copyfile(folder / name, RESULTS / "apprentice" / f"trials{Path(name).suffix}")
    print((folder / "evaluation.md").read_text())
    stonewalled()


def stonewalled() -> None:
    """What somebody who never moves takes from the reference strategies in the persona's seat: a yardstick of the trial."""
    mixture = Mixture(personas=("diplomat",))
    tasks = [replace(task, persona=PERSON) for task in measured(mixture, STONEWALLED_EACH, 0, jitter=False)]
    found = {}
    for name in ("conceder", "linear", "tit_for_tat", "expert"):
        played = Scripted("stonewaller").play([replace(task, rival=name) for task in tasks])
        share = mean([record.efficiency for record in played])
        deals = sum(record.deal for record in played) / len(played)
        found[name] = {"share_won": None if share is None else share.as_json(), "deals": deals}
    (RESULTS / "apprentice" / "stonewalled.json").write_text(json.dumps(found, indent=1) + "\n")
    print(json.dumps(found, indent=1))


def ablate(demos: dict[int, Path], folder: Path, variants: list[str], held_out: list[str]) -> None:
    """Every variant trained as in the demo, each seed's from what its demo had taught; the demos' own are the whole.

    The seeds have to follow one another.
    """
    seeds = list(demos)
    if seeds != list(range(seeds[0], seeds[0] + len(seeds))):
        raise SystemExit("--seeds: ablate needs seeds that follow one another")
    wanted = AblationSettings(
        variants=tuple(variants),
        held_out=tuple(held_out),
        train=DemoSettings().train,
        evaluation=EvaluationSettings(episodes=ABLATED_EPISODES),
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
    kept = RESULTS / "ablate"
    kept.mkdir(parents=True, exist_ok=True)
    for part in ("trained", "held_out")[: 2 if held_out else 1]:
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
