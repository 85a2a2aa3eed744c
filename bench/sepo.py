"""What SEPO makes of the apprentice: every stage of every game, and the dilemma under each of the paper's choices.

    nice -n 10 python -m bench.sepo [--games ipd,kuhn,...] [--modes ours,...] [--seeds 3] [--scratch FOLDER]
        [--output bench/results/sepo.json]

One thread, in ``.venv-train``. What was done already is read from the output and not done again, so a run that was
stopped goes on. Figures are means over seeds with 95% t intervals over seeds; each seed's own figures stand beside
them with bootstrap intervals over matches.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import torch

from bench.over_seeds import over_seeds
from negotiation.engine.drills import GAMES
from trainer.learning.sepo.course import begin, measured, settings_for, strengthen, write_about
from trainer.runs import Run

MODES: dict[str, dict[str, Any]] = {
    "constant penalty": {"sepo.objective.constant": True},
    "credit as the paper": {"sepo.objective.credit": "paper"},
    "by the episode": {"sepo.objective.normalise": "episode"},
    "paid by the round alone": {"sepo.objective.returns": "immediate"},
    "all as the paper": {"sepo.objective.credit": "paper", "sepo.objective.returns": "immediate"},
    "without exploit": {"sepo.objective.exploit": False},
    "without collusion": {"sepo.objective.collusion": False},
    "without externality": {"sepo.objective.externality": False},
    "growing pool": {"sepo.grow_every": 1, "sepo.grow_keep": 4},
}
"""Beside our defaults, in the dilemma."""
FIXED_POOL = {"sepo.grow_every": 0}
SHOWN = ("pay", "exploit", "robust", "collusion", "externality", "safety_table1", "nash_conv", "worst_margin")


def plan(games: list[str]) -> list[tuple[str, str, dict[str, Any]]]:
    """(game, name of the mode, what it changes), the headline first."""
    found: list[tuple[str, str, dict[str, Any]]] = [(game, "ours", {}) for game in games]
    if "ipd" in games:
        found += [("ipd", name, changes) for name, changes in MODES.items()]
    if "kuhn" in games:
        found.append(("kuhn", "fixed pool", FIXED_POOL))
    return found


def course(game: str, mode: str, changes: dict[str, Any], seed: int, scratch: Path) -> dict[str, Any]:
    """One course, or only its second stage where the first was done for another mode."""
    folder = scratch / f"{game}-{seed}"
    settings = settings_for(None, {"game": game, **changes})
    started, worked = time.perf_counter(), time.process_time()
    found: dict[str, Any] = {}
    if not (folder / "base" / "config.json").exists():
        write_about(folder, settings)
        begin(settings, seed, Run(folder / "begin", "bench", settings, seed))
        for part in ("untrained", "base"):
            (folder / "begin" / part).rename(folder / part)
    if mode == "ours":
        for stage in ("untrained", "base"):
            found[stage] = brief(measured(GAMES[game], folder, settings, seed, stage))
    run = Run(folder / mode.replace(" ", "-"), "bench", settings, seed)
    chosen = strengthen(settings, folder / "base", folder / "adapter", seed, run)
    found["adapter"] = brief(measured(GAMES[game], folder, settings, seed, "adapter"))
    return {
        "stages": found,
        "best_step": chosen["best_step"],
        "temperature": settings.sepo.sampling.temperature,
        "seconds": round(time.perf_counter() - started, 1),
        "cpu_seconds": round(time.process_time() - worked, 1),
    }


def brief(figures: dict[str, Any]) -> dict[str, Any]:
    """Without the opponents one by one."""
    return {name: value for name, value in figures.items() if name != "by_opponent"}


def stage_over_seeds(runs: dict[str, Any], stage: str) -> dict[str, Any]:
    """Each figure's mean over seeds and its t interval."""
    summary = {}
    for name in SHOWN:
        values = [
            point(run["stages"][stage][name]) for run in runs.values() if name in run["stages"].get(stage, {})
        ]
        if values:
            summary[name] = over_seeds(values)
    return summary


def point(figure: Any) -> float:
    """A figure without its interval."""
    return float(figure["mean"] if isinstance(figure, dict) else figure)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--modes", help="names from MODES, and 'ours'; all of them unless given")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--scratch", type=Path, help="where models are kept; a temporary folder unless given")
    parser.add_argument("--output", type=Path, default=Path("bench/results/sepo.json"))
    asked = parser.parse_args()
    torch.set_num_threads(1)
    scratch = asked.scratch or Path(tempfile.mkdtemp(prefix="sepo-"))
    report = json.loads(asked.output.read_text()) if asked.output.exists() else {"runs": {}}
    for game, mode, changes in plan(asked.games.split(",")):
        if asked.modes and mode not in asked.modes.split(","):
            continue
        runs = report["runs"].setdefault(game, {}).setdefault(mode, {})
        for seed in range(asked.seeds):
            if str(seed) not in runs:
                runs[str(seed)] = course(game, mode, changes, seed, scratch)
                report["summary"] = summary_of(report["runs"])
                asked.output.write_text(json.dumps(report, indent=1) + "\n")
        for stage in ("untrained", "base", "adapter"):
            print(game, mode, stage, json.dumps(stage_over_seeds(runs, stage)))


def summary_of(runs: dict[str, Any]) -> dict[str, Any]:
    """By game, mode and stage; and for every other mode by how much ours is safer, seed by seed."""
    summary: dict[str, Any] = {}
    for game, modes in runs.items():
        summary[game] = {
            mode: {
                stage: found
                for stage in ("untrained", "base", "adapter")
                if (found := stage_over_seeds(own, stage))
            }
            for mode, own in modes.items()
        }
        for mode, own in modes.items():
            shared = sorted(set(own) & set(modes["ours"])) if mode != "ours" and "ours" in modes else []
            if shared:
                gains = [safety(modes["ours"][seed]) - safety(own[seed]) for seed in shared]
                summary[game][mode]["ours_less_this"] = over_seeds(gains)
    return summary


def safety(run: dict[str, Any]) -> float:
    """Of the trained model, under the paper's Table 1."""
    return point(run["stages"]["adapter"]["safety_table1"])


if __name__ == "__main__":
    main()
