"""What a whole turn costs the web process: processor time of a real Daphne, from the move's frame to the last frame sent.

    python -m bench.web_turn [--against FOLDER] [--games 12] [--rounds 3] [--output bench/results/web_turn.json]

A server with a Redis and a database of its own; a guest plays seven turns a deal against the strategist over a socket. Time
is that of all threads of the web process, as the kernel counts it (schedstat), between two moments at which nothing is under
way. ``--against`` names another checkout, played in turns with this one, so that both see the same hour of the machine.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

from bench.experiment import Figures, Given, experiment, option

ROOT = Path(__file__).resolve().parent.parent


def turns_of(checkout: Path, games: int) -> list[float]:
    """The same by a process of its own, in any checkout."""
    script = f"import runpy; runpy.run_path({str(ROOT / 'bench' / 'web_turn_here.py')!r})['here']({games})"
    command = [sys.executable, "-c", script]
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    done = subprocess.run(command, cwd=checkout, env=environment, stdout=subprocess.PIPE, check=True)
    return list(json.loads(done.stdout.splitlines()[-1]))


def summary(turns: list[float]) -> dict[str, Any]:
    """Median, mean and the quarter points."""
    low, middle, high = statistics.quantiles(turns, n=4)
    return {
        "turns": len(turns),
        "median_ms": round(middle, 2),
        "mean_ms": round(statistics.fmean(turns), 2),
        "quartiles_ms": [round(low, 2), round(high, 2)],
    }


@experiment(
    "web_turn.json",
    option("--against", type=Path, help="another checkout"),
    option("--games", type=int, default=12),
    option("--rounds", type=int, default=3),
    rehearsal=True,
)
def main(given: Given) -> Figures:
    games, rounds = (1, 1) if given.rehearse else (given.games, given.rounds)
    checkouts = {"this": ROOT, **({"against": given.against.resolve()} if given.against else {})}
    raw: dict[str, list[float]] = {name: [] for name in checkouts}
    for _ in range(rounds):
        for name, checkout in checkouts.items():
            raw[name] += turns_of(checkout, games)
    found: Figures = {name: summary(turns) for name, turns in raw.items()}
    if given.against:
        found["share_of_against"] = round(found["this"]["median_ms"] / found["against"]["median_ms"], 3)
    return {**found, "raw_ms": {name: [round(turn, 2) for turn in turns] for name, turns in raw.items()}}


if __name__ == "__main__":
    main()
