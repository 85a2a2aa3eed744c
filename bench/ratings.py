"""Ratings of the personas at each difficulty and of the reference strategies, in one Glicko-2 pool.

    python -m bench.ratings [--games 12] [--periods 8] [--persona ID] [--write] [--output bench/results/ratings.json]

A game's score for the player is its efficiency (an impasse scores 0), for the persona one minus it. Each
period every strategy meets every persona at every difficulty in ``games`` games; ratings are updated between
periods (Glickman 2013). ``--persona`` rates one newcomer against the strategies as they are rated, and moves nobody
else. ``--write`` keeps the ratings where the opponent picker reads them: a persona's in its folder.
"""

from __future__ import annotations

import json
import os
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path

from glicko2 import Player

from bench.experiment import Figures, Given, experiment, option
from negotiation.engine.deal import personas, scenarios
from negotiation.engine.deal.selfplay import STRATEGIES, play_one
from negotiation.engine.deal.types import Seat
from negotiation.engine.personas import RATING, folders
from negotiation.ratings import RATINGS_FILE, strategy_ratings

FIRST_SEED = 400_000
DIFFICULTIES = (0.0, 0.25, 0.5, 0.75, 1.0)
HEAD = "# Glicko-2 by difficulty, in one pool with the reference strategies: bench/ratings.py measures and writes it.\n"
Meeting = tuple[str, str, float]


def scores(job: tuple[Meeting, int, int]) -> list[float]:
    """The player's share in each game of one meeting in one period."""
    (strategy, persona, difficulty), games, period = job
    ids = list(scenarios())
    earned = []
    for i in range(games):
        seed = FIRST_SEED + period * 1_000 + i
        seat: Seat = "seller" if i % 2 == 0 else "buyer"
        earned.append(
            play_one(ids[(i // 2) % len(ids)], persona, seat, strategy, seed, difficulty).efficiency
        )
    return earned


def rated() -> dict[str, Player]:
    """The strategies as they stand."""
    kept = strategy_ratings()
    return {name: Player(rating=kept[name]["rating"], rd=kept[name]["deviation"]) for name in STRATEGIES}


def fit(games: int, periods: int, workers: int, newcomer: str | None = None) -> dict[str, Player]:
    """Ratings of everybody after all periods; keys are ``strategy`` and ``persona@difficulty``.

    With a ``newcomer`` the strategies keep the ratings that they have.
    """
    who = [newcomer] if newcomer else list(personas())
    meetings: list[Meeting] = list(product(STRATEGIES, who, DIFFICULTIES))
    pool: dict[str, Player] = rated() if newcomer else {name: Player() for name in STRATEGIES}
    pool |= {f"{p}@{d}": Player() for p, d in product(who, DIFFICULTIES)}
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
                if newcomer and name in STRATEGIES:
                    continue
                met = [before[other] for other, _ in results[name]]
                player.update_player(
                    [r for r, _ in met], [rd for _, rd in met], [s for _, s in results[name]]
                )
    return pool


@experiment(
    "ratings.json",
    option("--games", type=int, default=12),
    option("--periods", type=int, default=8),
    option("--workers", type=int, default=os.cpu_count() or 1),
    option("--persona", choices=list(personas()), help="only this one, against the rest as rated"),
    option("--write", action="store_true"),
    told=False,
)
def main(options: Given) -> Figures:
    pool = fit(options.games, options.periods, options.workers, options.persona)
    report = {
        name: {"rating": round(player.rating), "deviation": round(player.rd, 1)}
        for name, player in sorted(pool.items(), key=lambda item: -item[1].rating)
    }
    for name, row in report.items():
        print(f"{name:18} {row['rating']:5} ± {2 * row['deviation']:.0f}")
    if options.write:
        write(report, strategies=not options.persona)
    return report


def write(report: dict[str, dict[str, float]], *, strategies: bool) -> None:
    """Keep the ratings: the personas' in their folders, the strategies' beside ``negotiation/ratings.py``."""
    for persona, folder in folders().items():
        rows = [
            f'"{d}" = {{ rating = {row["rating"]}, deviation = {row["deviation"]} }}\n'
            for d in DIFFICULTIES
            if (row := report.get(f"{persona}@{d}"))
        ]
        if rows:
            (folder / RATING).write_text(HEAD + "".join(rows), encoding="utf-8")
    if strategies:
        kept = {name: row for name, row in report.items() if name in STRATEGIES}
        Path(RATINGS_FILE).write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
