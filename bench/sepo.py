"""What SEPO makes of the apprentice: every stage of every game, and the dilemma under each of the paper's choices.

    nice -n 10 .venv-train/bin/python -m bench.sepo [--games ipd,kuhn,...] [--modes ours,...] [--seeds 3] [--config FILE]
        [--scratch FOLDER] [--output bench/results/sepo.json]

One thread, in ``.venv-train``. What was done already is read from the output and not done again, so a run that was
stopped goes on. Figures are means over seeds with 95% t intervals over seeds; each seed's own figures stand beside
them with bootstrap intervals over matches.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import torch

from bench.experiment import Cell, Figures, Given, experiment, option
from negotiation.engine.drills import GAMES
from negotiation.engine.figures import over_seeds
from trainer.learning.sepo.course import begin, measured, settings_for, strengthen, write_about
from trainer.runs import Run

FIXED_POOL = {"sepo.grow_every": 0}
MODES: dict[str, dict[str, Any]] = {
    "harm charged beside adversaries": {"sepo.objective.harm": "all"},
    "constant penalty": {"sepo.objective.constant": True},
    "credit as the paper": {"sepo.objective.credit": "paper"},
    "by the episode": {"sepo.objective.normalise": "episode"},
    "paid by the round alone": {"sepo.objective.returns": "immediate"},
    "all as the paper": {"sepo.objective.credit": "paper", "sepo.objective.returns": "immediate"},
    "without exploit": {"sepo.objective.exploit": False},
    "without collusion": {"sepo.objective.collusion": False},
    "without externality": {"sepo.objective.externality": False},
    "fixed pool": FIXED_POOL,
}
"""Beside our defaults, in the dilemma. What ``sepo.json`` keeps of it was made when the pool was fixed by default."""
SHOWN = ("pay", "exploit", "robust", "collusion", "externality", "safety_table1", "nash_conv", "worst_margin")


def plan(games: list[str]) -> list[tuple[str, str, dict[str, Any]]]:
    """(game, name of the mode, what it changes), the headline first."""
    found: list[tuple[str, str, dict[str, Any]]] = [(game, "ours", {}) for game in games]
    if "ipd" in games:
        found += [("ipd", name, changes) for name, changes in MODES.items()]
    if "kuhn" in games:
        found.append(("kuhn", "fixed pool", FIXED_POOL))
    return found


def course(
    game: str, mode: str, changes: dict[str, Any], seed: int, config: Path | None, scratch: Path
) -> dict[str, Any]:
    """One course, or only its second stage where the first was done for another mode."""
    folder = scratch / f"{game}-{seed}"
    settings = settings_for(config, {"game": game, **changes})
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
    chosen = strengthen(settings, folder / "base", seed, run, adapter=folder / "adapter")
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


@experiment(
    "sepo.json",
    option("--games", default=",".join(GAMES)),
    option("--modes", help="names from MODES, and 'ours'; all of them unless given"),
    option("--seeds", type=int, default=3),
    option("--config", type=Path, help="TOML of the course's settings"),
    option("--scratch", type=Path, help="where models are kept; a temporary folder unless given"),
)
def main(asked: Given) -> None:
    torch.set_num_threads(1)
    scratch = asked.scratch or Path(tempfile.mkdtemp(prefix="sepo-"))
    report = asked.kept({"runs": {}})
    modes = {
        (game, mode): changes
        for game, mode, changes in plan(asked.games.split(","))
        if not asked.modes or mode in asked.modes.split(",")
    }

    def trained(cell: Cell) -> Figures:
        _, game, mode, seed = cell
        return course(game, mode, modes[game, mode], int(seed), asked.config, scratch)

    cells = [("runs", game, mode, str(seed)) for game, mode in modes for seed in range(asked.seeds)]
    asked.cells(report, cells, trained, lambda report: summary_of(report["runs"]))
    for game, mode in modes:
        for stage in ("untrained", "base", "adapter"):
            print(game, mode, stage, json.dumps(stage_over_seeds(report["runs"][game][mode], stage)))


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
