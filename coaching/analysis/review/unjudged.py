"""Moves that get no verdict, because none would be true: what the review can't weigh, and what the guide proposed."""

from __future__ import annotations

from typing import Final, Literal, TypedDict

from coaching.analysis.review.moment import Moment
from coaching.analysis.wording import KeptMessage, gettext_noop, told

Why = Literal["asked", "guide"]
STEP_OF_GUIDE: Final = 0.2
"""The most of one's room that the guide proposes to give at once; ``static/js/guide-steps.js`` has the same."""
CARD_OF_GUIDE: Final = "silence"
"""The one card that the guide shows."""


class Unjudged(TypedDict):
    """Why a move has no verdict, for a review that is kept."""

    why: Why
    told: KeptMessage


_ASKED: Final = gettext_noop(
    "You asked before you named a number. What an answer is worth to that number, the review can't weigh, so it gives "
    "no verdict."
)
_PROPOSED: Final = gettext_noop("The guide proposed this, so it is not judged.")
_KEPT_BACK: Final = gettext_noop(
    "What would have been better takes a card that the guide does not show, so this is not judged."
)


def unjudged(moment: Moment) -> Unjudged | None:
    """Why a fault can't be found in this move; ``None`` where it can.

    A question before the first number is asked in every game that the review imagines, but nobody in them chooses a number
    by what was answered. That makes waiting for the answer look dearer than it is.
    """
    if moment.turn.turn <= moment.played.guided_turns and not moment.turn.move.walk_away:
        if _proposed(moment):
            return {"why": "guide", "told": told(_PROPOSED)}
        if moment.better.card not in (None, CARD_OF_GUIDE):
            return {"why": "guide", "told": told(_KEPT_BACK)}
    if moment.played.case is not None and moment.early and _only_asked(moment) and moment.opening:
        return {"why": "asked", "told": told(_ASKED)}
    return None


def _only_asked(moment: Moment) -> bool:
    return moment.asked and _nothing_offered(moment)


def _nothing_offered(moment: Moment) -> bool:
    move = moment.turn.move
    return move.offer is None and not move.accept and not move.walk_away


def _proposed(moment: Moment) -> bool:
    """Whether the guide of a first deal proposed the move."""
    move = moment.turn.move
    if move.accept:
        return moment.standing_inside is not None
    if move.offer is not None:
        return not moment.opening and abs(moment.own.step - _step_of_guide(moment)) < moment.tick / 2
    return moment.opening or move.card == CARD_OF_GUIDE or (moment.asked and not moment.theirs_moved)


def _step_of_guide(moment: Moment) -> float:
    """As ``nextStep`` of the guide has it: half of what lies between both offers, at most its part of the room."""
    at = moment.position
    if at.standing is None:
        return 0.0
    most = min((at.held - at.standing) / 2, STEP_OF_GUIDE * moment.room)
    return most // moment.tick * moment.tick
