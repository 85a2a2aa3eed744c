"""Ratings of the personas at each difficulty and of the reference strategies, in one Glicko-2 pool.

    python -m bench.ratings [--games 12] [--periods 8] [--write]

A game's score for the player is its efficiency (an impasse scores 0), for the persona one minus it. Each
period every strategy meets every persona at every difficulty in ``games`` games; ratings are updated between
periods (Glickman 2013). ``--write`` keeps them where the opponent picker reads them.
"""

from __future__ import annotations

import argparse
import json
import os
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path

from glicko2 import Player

from negotiation.engine.deal import personas, scenarios
from negotiation.engine.deal.selfplay import STRATEGIES, play_one
from negotiation.ratings import RATINGS_FILE

FIRST_SEED = 400_000
DIFFICULTIES = (0.0, 0.25, 0.5, 0.75, 1.0)
Meeting = tuple[str, str, float]


def scores(job: tuple[Meeting, int, int]) -> list[float]:
    """The player's share in each game of one meeting in one period."""
    (strategy, persona, difficulty), games, period = job
    ids = list(scenarios())
    earned = []
    for i in range(games):
        seed = FIRST_SEED + period * 1_000 + i
        seat = "seller" if i % 2 == 0 else "buyer"
        earned.append(
            play_one(ids[(i // 2) % len(ids)], persona, seat, strategy, seed, difficulty).efficiency
        )  # type: ignore[arg-type]
    return earned


def fit(games: int, periods: int, workers: int) -> dict[str, Player]:
    """Ratings of everybody after all periods; keys are ``strategy`` and ``persona@difficulty``."""
    meetings: list[Meeting] = list(product(STRATEGIES, personas(), DIFFICULTIES))
    pool: dict[str, Player] = {name: Player() for name in STRATEGIES}
    pool |= {f"{p}@{d}": Player() for p, d in product(personas(), DIFFICULTIES)}
    with ProcessPoolExecutor(workers) as executor:
        for period in range(periods):
            jobs = [(meeting, games, period) for meeting in meetings]
            results: dict[str, list[tuple[str, float]]] = {name: [] for name in pool}
            for (strategy, persona, difficulty), earned in zip(
                meetings, executor.map(scores, jobs, chunksize=4), strict=True
            ):
                opponent = f"{persona}@{difficulty}"
                for share in earned:
                    results[strategy].append((opponent, share))
                    results[opponent].append((strategy, 1 - share))
            before = {name: (player.rating, player.rd) for name, player in pool.items()}
            for name, player in pool.items():
                met = [before[other] for other, _ in results[name]]
                player.update_player(
                    [r for r, _ in met], [rd for _, rd in met], [s for _, s in results[name]]
                )
    return pool


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=12)
    parser.add_argument("--periods", type=int, default=8)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    pool = fit(options.games, options.periods, options.workers)
    report = {
        name: {"rating": round(player.rating), "deviation": round(player.rd, 1)}
        for name, player in sorted(pool.items(), key=lambda item: -item[1].rating)
    }
    for name, row in report.items():
        print(f"{name:18} {row['rating']:5} ± {2 * row['deviation']:.0f}")
    if options.write:
        Path(RATINGS_FILE).write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
