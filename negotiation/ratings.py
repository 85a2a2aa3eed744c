"""Ratings of the opponents as measured by self-play: ``bench/ratings.py`` writes them, the picker shows them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TypedDict

RATINGS_FILE = Path(__file__).resolve().parent / "data" / "ratings.json"


class Rating(TypedDict):
    """A Glicko-2 rating; the truth lies within two deviations with 95% confidence."""

    difficulty: float
    rating: int
    deviation: float


@cache
def persona_ratings() -> dict[str, list[Rating]]:
    """Ratings of each persona by rising difficulty."""
    measured: dict[str, dict[str, float]] = json.loads(RATINGS_FILE.read_text(encoding="utf-8"))
    found: dict[str, list[Rating]] = {}
    for name, row in measured.items():
        persona, at, difficulty = name.partition("@")
        if at:
            found.setdefault(persona, []).append(
                {
                    "difficulty": float(difficulty),
                    "rating": int(row["rating"]),
                    "deviation": row["deviation"],
                }
            )
    return {persona: sorted(rows, key=lambda row: row["difficulty"]) for persona, rows in found.items()}
