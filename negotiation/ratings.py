"""Ratings of the opponents as measured by self-play: ``bench/ratings.py`` writes them, the picker shows them.

A persona's stand in its folder (``rating.toml``), those of the reference strategies beside this file.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TypedDict

from negotiation.engine.personas import RATING, folders, table

RATINGS_FILE = Path(__file__).resolve().parent / "data" / "ratings.json"


class Rating(TypedDict):
    """A Glicko-2 rating; the truth lies within two deviations with 95% confidence."""

    difficulty: float
    rating: int
    deviation: float


def persona_ratings() -> dict[str, list[Rating]]:
    """Ratings of each persona by rising difficulty; none where nobody has measured it."""
    return {
        persona: [
            {"difficulty": float(difficulty), "rating": row["rating"], "deviation": row["deviation"]}
            for difficulty, row in sorted(table(persona, RATING).items())
        ]
        for persona in folders()
    }


@cache
def strategy_ratings() -> dict[str, dict[str, float]]:
    """Ratings of the reference strategies, with their deviations."""
    measured: dict[str, dict[str, float]] = json.loads(RATINGS_FILE.read_text(encoding="utf-8"))
    return measured
