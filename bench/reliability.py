"""How far a skill's figure tells players apart: its reliability after so many deals.

    python -m bench.reliability [--players 16] [--deals 16] [--output bench/results/reliability.json]

Players are simulated reps whose seven skills are each drawn between .02 and .9; all play the same tables with seeds of
their own. ``alone`` is the share of the variance of one deal's score that lies between players (one-way random effects,
ICC(1), Shrout and Fleiss 1979, with deals that put a skill to no test left out); what *n* deals make of it is Spearman and
Brown's formula, which is the mean over all splits into halves of so many. ``enough`` are the deals from which it reaches
:data:`ENOUGH`, ``None`` where no number below :data:`MOST` does. Intervals are bootstraps over players.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import Any, Final

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "parlay_web.settings.test")

import django
import numpy as np

from bench.experiment import Figures, Given, experiment, option, processes
from coaching.analysis.review.lessons import SKILLS

SEED: Final = 1_400_001
"""Of the bootstrap."""
ENOUGH: Final = 0.7
MOST: Final = 200
"""Deals beyond which nobody waits for a figure."""
AFTER: Final = (5, 10, 20, 40)
RESAMPLES: Final = 1000

Scores = Sequence[Sequence[float]]
"""Of each player, the score of each deal that put the skill to the test."""


def alone(scores: Scores) -> float:
    """The share of a deal's variance that lies between players, from 0 to 1; 0 where nothing can be said."""
    groups = [np.asarray(each, dtype=float) for each in scores if len(each) > 0]
    total = sum(len(each) for each in groups)
    if len(groups) < 2 or total <= len(groups):
        return 0.0
    mean = sum(float(each.sum()) for each in groups) / total
    between = sum(len(each) * (float(each.mean()) - mean) ** 2 for each in groups) / (len(groups) - 1)
    within = sum(float(((each - each.mean()) ** 2).sum()) for each in groups) / (total - len(groups))
    size = (total - sum(len(each) ** 2 for each in groups) / total) / (len(groups) - 1)
    component = (between - within) / size
    variance = component + within
    return float(min(1.0, max(0.0, component / variance))) if variance > 0 else 0.0


def after(deals: float, share: float) -> float:
    """The reliability of the mean of so many deals (Spearman and Brown)."""
    return deals * share / (1 + (deals - 1) * share)


def enough(share: float) -> int | None:
    """The deals from which it reaches ``ENOUGH``."""
    if share <= 0:
        return None
    if share >= 1:
        return 1
    deals = math.ceil(ENOUGH / (1 - ENOUGH) * (1 - share) / share - 1e-9)
    return max(1, deals) if deals <= MOST else None


def figures_of(scores: Scores) -> dict[str, Any]:
    """The figures of one skill."""
    share = alone(scores)
    rng = np.random.default_rng(SEED)
    picks = rng.integers(len(scores), size=(RESAMPLES, len(scores)))
    again = [alone([scores[place] for place in row]) for row in picks]
    low, high = (round(float(each), 4) for each in np.percentile(again, (2.5, 97.5)))
    return {
        "deals": sum(len(each) for each in scores),
        "alone": {"mean": round(share, 4), "ci95": [low, high]},
        "after": {str(each): round(after(each, share), 3) for each in AFTER},
        "enough": enough(share),
    }


@experiment(
    "reliability.json",
    option("--players", type=int, default=16),
    option("--deals", type=int, default=16, help="of each"),
    option("--workers", type=int, default=os.cpu_count() or 1),
)
def main(given: Given) -> Figures:
    django.setup()
    from bench.reliability_deals import scored  # imports models

    jobs = [(player, number) for player in range(given.players) for number in range(given.deals)]
    rows = processes(given.workers, scored, jobs)
    by_player = [
        [row for (player, _), row in zip(jobs, rows, strict=True) if player == one]
        for one in range(given.players)
    ]
    return {
        skill: figures_of([[row[skill] for row in deals if skill in row] for deals in by_player])
        for skill in SKILLS
    }


if __name__ == "__main__":
    main()
