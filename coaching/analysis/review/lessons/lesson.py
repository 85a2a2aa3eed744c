"""What a lesson is: what it was tested on, what it says, and what to do, say and practise next time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypedDict

from coaching.analysis.review.moment import Moment
from coaching.analysis.wording import KeptMessage

Skill = Literal["opening", "probing", "pacing", "bluff_calls", "closing", "tension", "packaging"]
SKILLS: tuple[Skill, ...] = (
    "opening",
    "probing",
    "pacing",
    "bluff_calls",
    "closing",
    "tension",
    "packaging",
)
Direction = Literal[
    "less", "more", "ask", "take", "stay", "leave", "call", "trust", "terms", "manner", "card"
]
"""What a lesson asks for: to give less or more, to ask, to take what lies there, to stay on or to leave, to call a stated
limit or to let it be, to trade terms, to speak otherwise, to play another card or none."""


def _nothing(moment: Moment) -> str:
    return ""


def _no_figure(moment: Moment) -> float | None:
    return None


@dataclass(frozen=True, slots=True)
class Lesson:
    """One reason that the coach can give.

    Attributes:
        id: its code in a review.
        skill: which it counts under, and of which the exercise is.
        direction: what it asks for: two that ask for the opposite are never given of one deal.
        tested: whether it holds of a move. It says nothing that this has not tested.
        says: what happened, with its figures.
        start: what to begin, as a point; or, with ``stop``, what to leave.
        act: what to do next time, one sentence.
        line: what could be said, empty where nothing is to be said.
        figure: the price that goes with it, where there is one.
        grave: whether it is told whatever the move was worth.
    """

    id: str
    skill: Skill
    direction: Direction
    tested: Callable[[Moment], bool]
    says: Callable[[Moment], KeptMessage]
    act: str | KeptMessage
    start: str | KeptMessage = ""
    stop: str = ""
    line: Callable[[Moment], str] = _nothing
    figure: Callable[[Moment], float | None] = _no_figure
    grave: bool = False


class FoundLesson(TypedDict):
    """A lesson as it was found on a move: plain values, for a review that is kept."""

    id: str
    skill: Skill
    text: str
    told: KeptMessage
    act: str | KeptMessage
    line: str
    figure: float | None


def opposite(one: Direction, other: Direction) -> bool:
    """Whether two lessons ask for the opposite."""
    pairs = ({"less", "more"}, {"take", "stay"}, {"leave", "stay"}, {"call", "trust"}, {"take", "leave"})
    return {one, other} in pairs
