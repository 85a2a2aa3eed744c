"""What of a review may be shown: a better move only once its player has tried to find it."""

from __future__ import annotations

import uuid
from typing import Any, TypedDict

from coaching.analysis.findings import decided
from coaching.analysis.review import VERSION
from coaching.analysis.review.lessons import reason_of
from coaching.reviews.choices import order_of
from coaching.reviews.models import MoveReview, TriedMove


class ReviewState(TypedDict):
    """A review as a page sees it; ``review`` is there once it is done."""

    status: str
    done: int
    total: int
    seconds: float | None
    review: dict[str, Any] | None


def latest_of(game_id: uuid.UUID) -> MoveReview | None:
    """The present version of a game's review, in whatever state."""
    return MoveReview.objects.filter(game_id=game_id, version=VERSION).first()


def review_of(game_id: uuid.UUID) -> dict[str, Any] | None:
    """The whole review of a game, better moves and all: for analysis, not for the page of its player."""
    done = MoveReview.objects.filter(game_id=game_id, version=VERSION, state=MoveReview.State.DONE).first()
    data: dict[str, Any] | None = done.data if done else None
    return data


def review_state(review: MoveReview, *, reveal: bool = False) -> ReviewState:
    """A review for its player; with ``reveal`` for a coach, who sees every better move."""
    shown = None
    if review.state == MoveReview.State.DONE and review.data is not None:
        tried = {each.turn: each for each in review.tried.all()}
        key = decided(review.data)
        # What the debrief tells first is told: there is no question about it.
        told = key["turn"] if key else None
        moves = [
            move_shown(move, review.pk, tried.get(move["turn"]), reveal=reveal or move["turn"] == told)
            for move in review.data["moves"]
        ]
        shown = {**review.data, "moves": moves, "decided": told}
    return {
        "status": review.state,
        "done": review.done,
        "total": review.total,
        "seconds": review.seconds,
        "review": shown,
    }


def move_shown(
    move: dict[str, Any], review_id: int, tried: TriedMove | None, *, reveal: bool = False
) -> dict[str, Any]:
    """A move of the review. Until it is tried, its choices have no order and no worth, and the reason is kept.

    Where no question tells, there is nothing to try and nothing is kept.
    """
    # A review from before there was "asked" has a question for every fault.
    if reveal or tried is not None or move["better"] is None or not move.get("asked", True):
        answer = None if tried is None else {"choice": tried.choice, "right": tried.right}
        return {**move, "reason": reason_of(move), "hidden": False, "tried": answer}
    choices = [
        {**{key: value for key, value in move["choices"][index].items() if key != "value"}, "index": place}
        for place, index in enumerate(order_of(review_id, move))
    ]
    kept = {
        key: value
        for key, value in move.items()
        if key not in ("better", "reason", "code", "skill", "follow_up", "lesson", "knew")
    }
    return {
        **kept,
        "better": None,
        "reason": "",
        "code": None,
        "skill": None,
        "follow_up": None,
        "choices": choices,
        "hidden": True,
        "tried": None,
    }
