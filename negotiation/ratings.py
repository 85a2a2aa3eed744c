"""Ratings of the opponents as measured by self-play: ``bench/ratings.py`` writes them, the picker shows them.

A persona's stand in its folder (``rating.toml``), those of the reference strategies beside this file; there, too, those
of the tables that people are rated at: scenario, seat, persona and difficulty together (``bench/tables.py``).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TypedDict

import numpy as np

from negotiation.engine.personas import RATING, folders, table

RATINGS_FILE = Path(__file__).resolve().parent / "data" / "ratings.json"


TABLES_FILE = Path(__file__).resolve().parent / "data" / "tables.json"


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


class TableRatings(TypedDict):
    """Ratings of tables as opponents; ``weight`` is as how many wins or losses a share counts at one."""

    weight: float
    tables: dict[str, list[Rating]]


@cache
def table_ratings() -> TableRatings:
    """Ratings of every table that ships, by ``scenario/seat/persona`` and rising difficulty: ``bench/tables.py``."""
    measured: TableRatings = json.loads(TABLES_FILE.read_text(encoding="utf-8"))
    return measured


def between(rows: Sequence[Rating], difficulty: float) -> tuple[float, float] | None:
    """Rating and deviation between the two measured difficulties around one; ``None`` where nothing is measured."""
    if not rows:
        return None
    at = [row["difficulty"] for row in rows]
    rating = np.interp(difficulty, at, [row["rating"] for row in rows])
    deviation = np.interp(difficulty, at, [row["deviation"] for row in rows])
    return float(rating), float(deviation)


@cache
def strategy_ratings() -> dict[str, dict[str, float]]:
    """Ratings of the reference strategies, with their deviations."""
    measured: dict[str, dict[str, float]] = json.loads(RATINGS_FILE.read_text(encoding="utf-8"))
    return measured
