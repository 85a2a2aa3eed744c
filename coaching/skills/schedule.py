"""When a card comes back: FSRS, as the ``fsrs`` library has it, in whole days."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from fsrs import Card, Rating, Scheduler

from coaching.analysis.puzzles import Solved

# No steps within a day: who practises is not called back the same evening. No fuzz: the same answers, the same dates.
_SCHEDULER = Scheduler(
    desired_retention=0.9, learning_steps=(), relearning_steps=(), maximum_interval=180, enable_fuzzing=False
)
_BANDS = ((0.5, Rating.Again), (0.75, Rating.Hard), (0.95, Rating.Good))
"""Drill scores below each mark, and how the library is told of them."""


def fresh(number: int, now: datetime) -> dict[str, Any]:
    """A card that was never practised: due at once."""
    return dict(Card(card_id=number, due=now).to_dict())


def after(schedule: dict[str, Any], rating: Rating, now: datetime) -> tuple[dict[str, Any], datetime]:
    """The card after an answer, and when it is due again."""
    card, _ = _SCHEDULER.review_card(Card.from_dict(schedule), rating, review_datetime=now)  # type: ignore[arg-type]
    return dict(card.to_dict()), card.due


def drill_rating(score: float) -> Rating:
    """How a drill went, from its mean score."""
    return next((rating for mark, rating in _BANDS if score < mark), Rating.Easy)


def puzzle_rating(solved: Solved) -> Rating:
    """How a puzzle went. What a careful observer would have got wrong too is not held against anybody."""
    if solved.right:
        return Rating.Easy if 0.5 <= solved.score < 1 else Rating.Good
    return Rating.Again if solved.fair else Rating.Hard
