"""What the apprentice learns on the seven-power board: every stage against the untrained masked policy, and its words.

    nice -n 10 .venv-train/bin/python -m bench.envoy [--stages learn measure arena] [--seeds 0,1,2] [--config FILE]
        [--scratch FOLDER] [--output bench/results/envoy.json]

One thread, in ``.venv-train``. ``learn`` makes the players (examples of bots' turns, then GRPO), ``measure`` plays their
answers in held-out positions on under common luck, ``arena`` seats them for ten years among six bots. What was done
already is read from the output and not done again, so a run that was stopped goes on. Intervals of one seed are 95%
bootstrap over positions or games; those over seeds are 95% t intervals.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import torch

from bench.experiment import SCRATCH, Given, experiment, option
from negotiation.engine.diplomacy.bots import BOTS
from negotiation.engine.figures import over_seeds
from trainer.domains.diplomacy.arena import Seat, arena
from trainer.domains.diplomacy.measure import answered, records, summary, worth_of_words
from trainer.domains.diplomacy.pool import Positions
from trainer.domains.diplomacy.tables import BotPlayer, TablePlayer
from trainer.evaluation import intervals
from trainer.learning.course import STAGES
from trainer.learning.diplomacy.course import BoardCourseSettings, open_player, reader, run_course
from trainer.runs import Run
from trainer.settings import load

CHANGES: dict[str, Any] = {"workers": 0}
MEASURED_SEED = 101
"""Of the measured positions, for all seeds of training; no training run and no choice has seen them."""
NAMES = {"learn": "learnt", "measure": "measured", "arena": "arena"}
"""The stages of the work, and where in the report each is kept."""
YARDSTICKS = ("random", "dumbbot")
SHOWN = ("worth", "hard", "centres", "tag_accuracy", "mistag_rate", "lie_precision", "promising", "valid")


def learn(settings: BoardCourseSettings, seed: int, scratch: Path) -> dict[str, Any]:
    """One player from nothing."""
    started = time.process_time()
    folder = scratch / f"seed{seed}"
    found = run_course(settings, seed, Run(folder, "bench", settings, seed, resume=True), resume=True)
    return {**found, "cpu_seconds": round(time.process_time() - started, 1)}


def measure(
    player: TablePlayer, settings: BoardCourseSettings, positions: int, rollouts: int, seed: int
) -> tuple[dict[str, Any], list[float]]:
    """A player in held-out positions; its figures, and what it was worth in each."""
    groups = Positions(settings.positions, MEASURED_SEED).held_out(positions)
    samples = answered(player, groups, seed)
    found = records(samples, groups, settings.rewards, reader(settings.others), rollouts)
    words = worth_of_words(samples, groups, settings.rewards, rollouts, seed)
    return {**summary(found, seed), "words": words}, [record.worth for record in found]


def measured_stages(
    settings: BoardCourseSettings, seed: int, scratch: Path, positions: int, rollouts: int
) -> dict[str, Any]:
    """Every stage, and how much it is worth beside those before it, position by position."""
    players: dict[str, TablePlayer] = {
        stage: open_player(scratch / f"seed{seed}" / stage) for stage in STAGES
    }
    worth: dict[str, list[float]] = {}
    stages: dict[str, Any] = {}
    for name, player in players.items():
        stages[name], worth[name] = measure(player, settings, positions, rollouts, seed)
    gains = {
        f"{one} over {other}": intervals.difference(worth[one], worth[other], seed)
        for one, other in (("base", "untrained"), ("adapter", "untrained"), ("adapter", "base"))
    }
    return {
        "stages": stages,
        "gains": {name: figure.as_json() for name, figure in gains.items() if figure is not None},
    }


def arenas(seed: int, scratch: Path, games: int, against: list[str]) -> dict[str, Any]:
    """Each stage in one seat among six bots of a kind, ten years, powers rotated, the same luck for all."""
    found: dict[str, Any] = {}
    for stage in STAGES:
        player = open_player(scratch / f"seed{seed}" / stage)
        for others in against:
            seats = [Seat(stage, player), *(Seat(others, BotPlayer(BOTS[others]())) for _ in range(6))]
            figures = arena(seats, games, 10, 1)["policies"][stage]
            found[f"{stage} v 6 {others}"] = {"games": games, **figures}
    return found


def summed(report: dict[str, Any]) -> dict[str, Any]:
    """The figures of all seeds together."""
    runs = [run for run in report["seeds"].values() if "measured" in run]
    if not runs:
        return {}
    stages = {
        stage: {
            name: over_seeds([run["measured"]["stages"][stage][name]["mean"] for run in runs])
            for name in SHOWN
            if all(name in run["measured"]["stages"][stage] for run in runs)
        }
        for stage in STAGES
    }
    gains = {
        name: over_seeds([run["measured"]["gains"][name]["mean"] for run in runs])
        for name in runs[0]["measured"]["gains"]
    }
    after, before = ([run["measured"]["stages"][stage] for run in runs] for stage in ("adapter", "base"))
    if all("tag_accuracy" in each for each in (*after, *before)):
        gains["tag accuracy, adapter over base"] = over_seeds(
            [
                one["tag_accuracy"]["mean"] - two["tag_accuracy"]["mean"]
                for one, two in zip(after, before, strict=True)
            ]
        )
    words = {
        stage: {
            tag: {
                readers: over_seeds([each["words"][tag][readers]["centres"]["mean"] for each in told])
                for readers in told[0]["words"][tag]
            }
            for tag in ("truth", "lie")
            if all(tag in each["words"] for each in told)
        }
        for stage, told in (("base", before), ("adapter", after))
    }
    return {"stages": stages, "gains": gains, "words": words}


@experiment(
    "envoy.json",
    option("--stages", nargs="+", choices=tuple(NAMES), default=list(NAMES)),
    option("--config", type=Path, help="TOML of the course's settings"),
    option("--seeds", default="0,1,2"),
    option("--positions", type=int, default=560),
    option("--rollouts", type=int, default=8),
    option("--games", type=int, default=140),
    option("--against", default="dumbbot,trusting", help="the bots in the other six seats"),
    option("--scratch", type=Path, default=SCRATCH / "envoy", help="where models are kept"),
)
def main(asked: Given) -> None:
    torch.set_num_threads(1)
    settings = load(BoardCourseSettings, asked.config, dict(CHANGES))
    scratch, report = asked.scratch, asked.kept({"seeds": {}})
    steps: dict[str, Callable[[int], dict[str, Any]]] = {
        NAMES["learn"]: lambda seed: learn(settings, seed, scratch),
        NAMES["measure"]: lambda seed: measured_stages(
            settings, seed, scratch, asked.positions, asked.rollouts
        ),
        NAMES["arena"]: lambda seed: arenas(seed, scratch, asked.games, asked.against.split(",")),
    }
    if "measure" in asked.stages and "yardsticks" not in report:
        report["yardsticks"] = {
            name: measure(BotPlayer(BOTS[name]()), settings, asked.positions, asked.rollouts, 0)[0]
            for name in YARDSTICKS
        }
    cells = [
        ("seeds", str(int(seed)), NAMES[stage]) for stage in asked.stages for seed in asked.seeds.split(",")
    ]
    asked.cells(report, cells, lambda cell: steps[cell[2]](int(cell[1])), summed)
    print(json.dumps(report["summary"], indent=1))


if __name__ == "__main__":
    main()
