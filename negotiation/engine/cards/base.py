"""What a card is: one object that minds, rules, language, coach and pages read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Number = TypeVar("Number", float, Array)
"""A formula that holds for one game and for many takes and gives either."""
Draw = Literal["press", "linger", "give", "claim"]
"""Which of a turn's draws decides (``deal/chance.py``)."""


class Nature(Protocol):
    """What a habit asks of a persona."""

    @property
    def aggression(self) -> float: ...
    @property
    def patience(self) -> float: ...
    @property
    def bluff_rate(self) -> float: ...


@dataclass(frozen=True, slots=True)
class Pressed(Generic[Number]):
    """What a card of the player's meets in a persona's mind.

    ``scale`` is the nominal zone in money, ``impatience`` 1 less the persona's patience, ``urgency`` its own,
    ``standing`` the player's credit, ``worn`` what is left of the card after so many times (``Card.wears_off``).
    """

    scale: float
    impatience: float
    urgency: Number
    standing: Number
    worn: Number


class Press(Protocol):
    """Extra movement that a card buys, in money."""

    def __call__(self, at: Pressed[Number], /) -> Number | float: ...


class Reframe(Protocol):
    """Where a card sets the value that offers are compared with: from the old one, the offer's value, the zone."""

    def __call__(self, reference: Number, value: Number, scale: float, /) -> Number: ...


@dataclass(frozen=True, slots=True)
class Habit:
    """When a persona plays a card of its own accord; where several fit, the lowest ``rank``.

    Args:
        draw, chance: it does so where this draw of the turn lies below this chance, which persona and warmth give.
        from_turn: and not before.
        trust_above, patience_above: only with more trust, only the more patient.
        after_gift: only in answer to a concession, with an offer of its own on the table.
        no_deadline: not while a deadline of its own runs.
    """

    rank: int
    draw: Draw
    chance: Callable[[Nature, float], float]
    from_turn: int = 1
    trust_above: float = -1.0
    patience_above: float = -1.0
    after_gift: bool = False
    no_deadline: bool = False


@dataclass(frozen=True, slots=True)
class Coaching:
    """What the coach makes of a card that would have been better.

    ``step`` is the concession that it tries with the card, as a share of the zone; ``say`` the instruction, with
    ``{offer}``; ``why`` the reason; ``skill`` and ``mark`` what the reason is counted under.
    """

    step: float
    say: str
    why: str
    skill: str
    mark: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One card.

    Args:
        order: its place in the hand.
        title, does, hint, theory: for pages and agents; ``does`` in a few words.
        cost: points of credibility.
        limit: how often it may be played in a game (sweeteners are limited by stock).
        needs_offer: whether it goes with a number.
        heat, their_heat: what it adds to the tension when the player plays it, when the persona does.
        trust: what it earns or costs with the persona.
        presses, reframes, anchors: what it does to the persona's next offer, to its reference, to its belief (the
            share of its anchor pull).
        wears_off: each further time presses with this share of the last.
        habit: when a persona plays it.
        coaching: what the coach says of it.
        told: what a model is told that speaks for a persona who plays it; ``{sweetener}`` and ``{rounds}`` are known.
        said, heard: what any voice says with it, and to it, that has no lines of its own for it.
        gives, names_deadline, states_floor, keeps_still: the one thing beyond that only one card does.
    """

    id: str
    order: int
    title: str
    does: str
    hint: str
    theory: str
    cost: int
    limit: int
    needs_offer: bool = False
    heat: float = 0.0
    their_heat: float = 0.0
    trust: float = 0.0
    presses: Press | None = None
    reframes: Reframe | None = None
    anchors: float = 0.0
    wears_off: float = 1.0
    habit: Habit | None = None
    coaching: Coaching | None = None
    told: str = ""
    said: tuple[str, ...] = ()
    heard: tuple[str, ...] = ()
    gives: bool = False
    names_deadline: bool = False
    states_floor: bool = False
    keeps_still: bool = False
