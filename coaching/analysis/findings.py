"""What a review found in a deal: each lesson once, with its turns; and the turn where it was decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Any

from coaching.analysis.review.labels import FAULTS
from coaching.analysis.review.lessons import BY_ID, Lesson, opposite

NEARLY = 0.9
"""From this share of the costliest fault on, an earlier one with the same reason is where a habit began to cost."""
APART = 0.5
"""Standard errors within which two costs are taken for the same."""
Reviewed = Mapping[str, Any]
"""A move of a review, as plain values."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One lesson and the turns on which it was found, a habit where there are several; ``regret`` is their sum."""

    lesson: Lesson
    turns: tuple[int, ...]
    regret: float


def told(review: Mapping[str, Any] | None) -> list[Reviewed]:
    """The moves of which the review says something that the table of lessons knows, in order."""
    return [move for move in (review or {}).get("moves", ()) if move.get("lesson") and move["code"] in BY_ID]


def findings(review: Mapping[str, Any] | None) -> list[Finding]:
    """Every lesson of a deal once: that of the move that decided it, then the grave, then the costliest; of two that ask
    for the opposite the first."""
    turns: dict[str, list[Reviewed]] = {}
    for move in told(review):
        turns.setdefault(move["code"], []).append(move)
    found = [
        Finding(BY_ID[code], tuple(each["turn"] for each in moves), sum(_regret(each) for each in moves))
        for code, moves in turns.items()
    ]
    key = decided(review)
    first = key["code"] if key else None
    found.sort(key=lambda each: (each.lesson.id != first, not each.lesson.grave, -each.regret))
    kept: list[Finding] = []
    for each in found:
        if not any(opposite(each.lesson.direction, other.lesson.direction) for other in kept):
            kept.append(each)
    return kept


def decided(review: Mapping[str, Any] | None) -> Reviewed | None:
    """The move that decided the deal: the first grave one, else the costliest; in a run of one reason the first that cost
    nearly as much."""
    moves = told(review)
    grave = [move for move in moves if BY_ID[move["code"]].grave]
    if grave:
        return grave[0]
    faults = [move for move in moves if move["label"] in FAULTS]
    if not faults:
        return None
    worst = _first_of_the_costliest(faults)
    dear = NEARLY * float(worst["regret"])
    return next(move for move in _run_of(worst, faults) if float(move["regret"]) >= dear)


def _first_of_the_costliest(faults: Sequence[Reviewed]) -> Reviewed:
    """The first fault that can't be told from the costliest: another look must not name another turn."""
    top = max(faults, key=lambda move: float(move["regret"]))

    def as_dear(move: Reviewed) -> bool:
        apart = APART * hypot(move["error"], top["error"])
        return float(move["regret"]) >= float(top["regret"]) - apart

    return next(move for move in faults if as_dear(move))


def _run_of(worst: Reviewed, faults: Sequence[Reviewed]) -> list[Reviewed]:
    """The faults around the worst one that follow each other with the same reason."""
    place = faults.index(worst)
    first = place
    while first > 0 and faults[first - 1]["code"] == worst["code"]:
        first -= 1
    return list(faults[first : place + 1])


def _regret(move: Reviewed) -> float:
    return float(move["regret"]) if move["label"] in FAULTS else 0.0
