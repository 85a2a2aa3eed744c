"""A deal for three in figures: who gets how much, which coalitions form, and what each way of playing earns.

    python -m bench.coalition [--episodes 30] [--casts 200] [--strategies fair ...] [--output bench/results/coalition.json]

Every reference strategy plays every seat against every ordered pair of personas; then the personas play among
themselves in all six orders. All cells meet the same seeds. Payoffs are in multiples of the seat's own Shapley value;
no deal counts as 0. Intervals are 95% bootstrap.
"""

from __future__ import annotations

import json
import os
import time
from itertools import permutations
from typing import Any

import numpy as np

from bench.experiment import Figures, Given, experiment, option, processes
from negotiation.engine.coalition import COALITIONS, SEATS, Outcome, Seat
from negotiation.engine.coalition.outcome import name_of
from negotiation.engine.coalition.selfplay import play_one
from negotiation.engine.coalition.strategies import STRATEGIES
from negotiation.engine.deal import personas
from negotiation.engine.figures import bootstrap

FIRST_SEED = 70_000
SCENARIO = "cold_store"
Cast = tuple[str, str, str]
Job = tuple[Cast, int]


def outcomes(job: Job) -> list[Outcome]:
    """All games of one cast, in the order of the seats."""
    cast, episodes = job
    players: dict[Seat, str] = dict(zip(SEATS, cast, strict=True))
    return [play_one(SCENARIO, players, FIRST_SEED + index) for index in range(episodes)]


def seating(strategy: str, at: int, pair: tuple[str, ...]) -> Cast:
    """A strategy on the ``at``-th seat, two personas on the others."""
    one, other = pair
    casts: tuple[Cast, Cast, Cast] = ((strategy, one, other), (one, strategy, other), (one, other, strategy))
    return casts[at]


def interval(values: list[float]) -> dict[str, Any]:
    return dict(bootstrap(values).as_json(4))


def formed(games: list[Outcome]) -> dict[str, float]:
    """Rate of each coalition; ``none`` is no deal."""
    names = [name_of(game.agreement.members) if game.agreement else "none" for game in games]
    known = [*(name_of(members) for members in COALITIONS), "none"]
    return {name: round(names.count(name) / len(names), 3) for name in known}


def of_seat(games: list[Outcome], seat: Seat) -> dict[str, Any]:
    return {
        "share_of_shapley": interval([game.payoffs[seat] / game.shapley[seat] for game in games]),
        "left_out_rate": round(
            float(
                np.mean([game.agreement is not None and seat not in game.agreement.members for game in games])
            ),
            3,
        ),
        "efficiency": interval([game.efficiency for game in games]),
        "formed": formed(games),
    }


def run(episodes: int, casts: int, strategies: list[str], workers: int) -> dict[str, Any]:
    pairs = list(permutations(personas(), 2))
    seated: dict[tuple[str, Seat, tuple[str, ...]], Cast] = {
        (strategy, seat, pair): seating(strategy, at, pair)
        for strategy in strategies
        for at, seat in enumerate(SEATS)
        for pair in pairs
    }
    among: list[Cast] = list(permutations(personas(), 3))
    jobs: list[Job] = [*((cast, episodes) for cast in seated.values()), *((cast, casts) for cast in among)]
    started = time.perf_counter()
    played = dict(zip(jobs, processes(workers, outcomes, jobs), strict=True))
    table: dict[str, dict[str, Any]] = {}
    for strategy in strategies:
        table[strategy] = {}
        for seat in SEATS:
            games = [game for pair in pairs for game in played[seated[strategy, seat, pair], episodes]]
            table[strategy][seat] = of_seat(games, seat)
    everyone = [game for cast in among for game in played[cast, casts]]
    return {
        "episodes_per_cell": episodes,
        "episodes_per_cast": casts,
        "seconds": round(time.perf_counter() - started, 1),
        "table": table,
        "casts": {
            "/".join(cast): {
                "formed": formed(played[cast, casts]),
                "efficiency": interval([game.efficiency for game in played[cast, casts]]),
                "stable_rate": round(float(np.mean([game.stable for game in played[cast, casts]])), 3),
                "share_of_shapley": {
                    seat: interval([game.payoffs[seat] / game.shapley[seat] for game in played[cast, casts]])
                    for seat in SEATS
                },
            }
            for cast in among
        },
        "among_personas": {
            "formed": formed(everyone),
            "efficiency": interval([game.efficiency for game in everyone]),
            "stable_rate": round(float(np.mean([game.stable for game in everyone])), 3),
            "mean_rounds": round(float(np.mean([game.rounds for game in everyone])), 2),
            "core_exists_rate": round(float(np.mean([game.core is not None for game in everyone])), 3),
            "share_of_shapley": {
                seat: interval([game.payoffs[seat] / game.shapley[seat] for game in everyone])
                for seat in SEATS
            },
            "by_persona": {
                who: interval(
                    [
                        game.payoffs[seat] / game.shapley[seat]
                        for cast in among
                        for seat, sits in zip(SEATS, cast, strict=True)
                        if sits == who
                        for game in played[cast, casts]
                    ]
                )
                for who in personas()
            },
        },
    }


def show(report: dict[str, Any]) -> None:
    def cell(figure: dict[str, Any]) -> str:
        return f"{figure['mean']:.2f} [{figure['ci95'][0]:.2f}, {figure['ci95'][1]:.2f}]"

    print("share of own Shapley value (left out)".ljust(12), *SEATS)
    for strategy, row in report["table"].items():
        cells = (
            f"{cell(row[seat]['share_of_shapley'])} ({row[seat]['left_out_rate']:.2f})" for seat in SEATS
        )
        print(strategy.ljust(12), *(text.ljust(28) for text in cells))
    for cast, found in report["casts"].items():
        shares = (cell(found["share_of_shapley"][seat]) for seat in SEATS)
        print(cast.ljust(28), *shares, found["formed"])
    print(json.dumps(report["among_personas"], indent=1))


@experiment(
    "coalition.json",
    option("--episodes", type=int, default=30),
    option("--casts", type=int, default=200),
    option("--workers", type=int, default=os.cpu_count() or 1),
    option("--strategies", nargs="+", choices=tuple(STRATEGIES), default=list(STRATEGIES)),
    told=False,
)
def main(options: Given) -> Figures:
    report = run(options.episodes, options.casts, options.strategies, options.workers)
    show(report)
    return report


if __name__ == "__main__":
    main()
