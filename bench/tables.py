"""Ratings of tables as opponents, so that no choice of table buys a rating.

    python -m bench.tables [--games 24] [--fresh 12] [--write] [--output bench/results/tables.json]

A table is a scenario, a seat, a persona and a difficulty. All reference strategies play all of them, with the case that
people play with; strategies and tables get the ratings whose expected scores add up to what each earned (the maximum
of the Bradley-Terry likelihood for shares), with the strategies' mean where ``bench.ratings`` has it. ``weight`` is as
how many wins or losses one share counts: it varies less around what was expected. On fresh seeds: ``menus`` is how far
a strategy's long-run rating differs between the scenarios and seats that it may keep to, and between single tables,
with personas and with tables as opponents; ``coverage`` how often two deviations hold the long-run rating after so many
games at tables by chance. ``--write`` keeps the ratings where people's are worked out.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from typing import Any

import numpy as np

from bench.experiment import Figures, Given, experiment, option
from negotiation import glicko
from negotiation.engine.deal import Negotiation, personas, scenarios
from negotiation.engine.deal.chance import Array
from negotiation.engine.deal.selfplay import STRATEGIES
from negotiation.engine.deal.streams import stream
from negotiation.engine.deal.types import SIGN, Seat
from negotiation.ratings import TABLES_FILE, between, persona_ratings, strategy_ratings

FIRST_SEED, FRESH_SEED = 5_000_000, 5_500_000
DIFFICULTIES = (0.0, 0.5, 1.0)
Table = tuple[str, Seat, str, float]
LOWEST, HIGHEST = 0.02, 0.98
"""Mean shares beyond which no rating can be told."""
STREAMS, LENGTHS = 200, (10, 30, 60)
FULL = 1 / np.log(10) * 400
"""What one unit of the logistic curve is in rating points."""


def tables(names: Iterable[str]) -> list[Table]:
    """Every table of these scenarios, at three difficulties."""
    return list(product(names, SIGN, personas(), DIFFICULTIES))


def shares(job: tuple[str, Table, int, int]) -> list[float]:
    """What a strategy wins at a table, game by game, cut to [0, 1] as ratings count it."""
    strategy, (scenario, seat, persona, difficulty), games, first = job
    won = []
    for seed in range(first, first + games):
        game = Negotiation(scenario, persona, seat, seed, difficulty=difficulty, speak=False, case=True)
        player = STRATEGIES[strategy]()
        player.told(game.scenario)
        while not game.done:
            game.step(player.act(game.observe(), stream(seed, "player", game.turn)))
        won.append(min(1.0, max(0.0, game.outcome.efficiency if game.outcome else 0.0)))
    return won


def played(at: list[Table], games: int, first: int, workers: int) -> Array:
    """All strategies at these tables; shape ``(strategies, tables, games)``."""
    jobs = [(strategy, table, games, first) for strategy in STRATEGIES for table in at]
    with ProcessPoolExecutor(workers) as executor:
        won = list(executor.map(shares, jobs, chunksize=8))
    return np.array(won).reshape(len(STRATEGIES), len(at), games)


def expected(rating: Array | float, opponent: Array | float) -> Array:
    """The share that a rating earns against another one on average."""
    return np.asarray(1 / (1 + 10 ** ((np.asarray(opponent) - rating) / 400)))


def crossing(falling: Callable[[float], float]) -> float:
    """Where a falling function of a rating is zero."""
    low, high = -1000.0, 4000.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return (low + high) / 2


def fit(means: Array, anchor: float) -> tuple[Array, Array]:
    """Ratings of strategies and of tables whose expected scores add up to what was earned."""
    strategies, at = np.full(len(means), anchor), np.full(means.shape[1], anchor)
    for _ in range(25):
        at = np.array([strength(column, strategies) for column in means.T])
        strategies = np.array([long_run(row, at) for row in means])
        at, strategies = at + anchor - strategies.mean(), strategies + anchor - strategies.mean()
    return strategies, at


def strength(means: Array, strategies: Array) -> float:
    """The rating of a table at which strategies so rated earn these means."""
    return crossing(lambda x: float((expected(strategies, x) - means).sum()))


def long_run(means: Array, at: Array) -> float:
    """The rating at which a player who earns these means against these opponents stays."""
    return crossing(lambda x: float((means - expected(x, at)).sum()))


def spreads(tried: list[Table], means: Array, at: Array) -> dict[str, float]:
    """How far long-run ratings differ between menus, the median over strategies."""
    keep = [table[:2] for table in tried]
    by_menu, single = [], []
    for row in means:
        menus = [np.array([each == menu for each in keep]) for menu in sorted(set(keep))]
        found = [long_run(row[menu], at[menu]) for menu in menus]
        by_menu.append(max(found) - min(found))
        told = (row > LOWEST) & (row < HIGHEST)
        alone = [long_run(row[[j]], at[[j]]) for j in np.flatnonzero(told)]
        low, high = np.quantile(alone, [0.05, 0.95])
        single.append(float(high - low))
    return {
        "scenario_and_seat": round(float(np.median(by_menu))),
        "scenario_and_seat_most": round(float(max(by_menu))),
        "single_tables": round(float(np.median(single))),
    }


def coverage(won: Array, at: Array, weight: float) -> dict[str, float]:
    """How often two deviations hold the long-run rating, after so many games at tables by chance."""
    rng = np.random.default_rng(1)
    held: dict[int, list[bool]] = {length: [] for length in LENGTHS}
    for row in won:
        truth = long_run(row.mean(axis=1), at)
        for _ in range(STREAMS):
            rating = glicko.Rating()
            for game in range(1, max(LENGTHS) + 1):
                j = int(rng.integers(len(at)))
                score = float(rng.choice(row[j]))
                rating = glicko.played(rating, [(glicko.Rating(float(at[j]), 15.0), score)], weight)
                if game in held:
                    held[game].append(abs(rating.rating - truth) <= 2 * rating.deviation)
    return {str(length): round(float(np.mean(each)), 3) for length, each in held.items()}


@experiment(
    "tables.json",
    option("--games", type=int, default=24, help="of each strategy at each table, to rate by"),
    option("--fresh", type=int, default=12, help="and to measure with"),
    option("--scenarios", nargs="+", choices=tuple(scenarios()), default=list(scenarios())),
    option("--workers", type=int, default=os.cpu_count() or 1),
    option("--write", action="store_true"),
    told=False,
)
def main(chosen: Given) -> Figures:
    tried = tables(chosen.scenarios)
    won = played(tried, chosen.games, FIRST_SEED, chosen.workers)
    anchor = float(np.mean([strategy_ratings()[name]["rating"] for name in STRATEGIES]))
    strategies, at = fit(won.mean(axis=2), anchor)
    likely = expected(strategies[:, None], at[None])
    weight = float((likely * (1 - likely)).mean() / ((won - likely[:, :, None]) ** 2).mean())
    slope = (likely * (1 - likely)).sum(axis=0) / FULL
    deviations = np.sqrt((won.var(axis=2) / chosen.games).sum(axis=0)) / slope
    fresh = played(tried, chosen.fresh, FRESH_SEED, chosen.workers)
    of_personas = np.array(
        [(between(persona_ratings()[table[2]], table[3]) or (anchor, 0.0))[0] for table in tried]
    )
    kept: dict[str, list[dict[str, float]]] = {}
    for (scenario, seat, persona, difficulty), rating, deviation in zip(tried, at, deviations, strict=True):
        row = {
            "difficulty": difficulty,
            "rating": round(float(rating)),
            "deviation": round(float(deviation), 1),
        }
        kept.setdefault(f"{scenario}/{seat}/{persona}", []).append(row)
    report: dict[str, Any] = {
        "weight": round(weight, 2),
        "strategies": {
            name: round(float(rating)) for name, rating in zip(STRATEGIES, strategies, strict=True)
        },
        "menus": {
            "personas": spreads(tried, fresh.mean(axis=2), of_personas),
            "tables": spreads(tried, fresh.mean(axis=2), at),
        },
        "coverage": {"one": coverage(fresh, at, 1.0), "weighed": coverage(fresh, at, weight)},
        "tables": kept,
    }
    print({name: value for name, value in report.items() if name != "tables"})
    if chosen.write:
        TABLES_FILE.write_text(
            json.dumps({"weight": report["weight"], "tables": kept}, indent=1) + "\n", encoding="utf-8"
        )
    return report


if __name__ == "__main__":
    main()
