"""Stated floors and deadlines: when to make one, true or false, and whether to believe one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from negotiation.engine.cards.batna_reveal import HONEST_BELOW
from negotiation.engine.deal.belief import LimitPosterior
from negotiation.engine.deal.chance import Number
from negotiation.engine.deal.reward import BLUFF_TOLERANCE
from negotiation.engine.deal.strategist.character import Character
from negotiation.engine.deal.strategist.pace import lesser
from negotiation.engine.deal.strategist.trust import Trust

SHIFT = (0.17, 0.30)
"""A false floor lies this share of the true one away from it: far enough to pay, near enough to pass."""
HONEST_SHADE = 0.04
TRUST_TO_OPEN_UP = 0.62
STANDING_AT_STAKE = 0.5
"""What the standing that a called bluff costs is worth, against the gain of one that is believed."""
PASSES_ABOVE = 0.25
"""A false floor is stated only where the player could take it with this chance: a dead end helps nobody."""
_CALLED_AT_FIRST, _CALLED_PER_DOUBT, _CALLED_AT_MOST = 0.15, 0.25, 0.9
"""The chance it gives the player to call it: more with each time that the player has doubted."""
_GAIN, _TROUBLE = 0.5, 0.02
"""A floor that is believed brings half of its distance from the truth; stating one has a price of its own, in zones."""
_FIGURE = 2
"""People state limits in multiples of so many steps."""


def rounded(claim: Number, step: float) -> Number:
    """People state limits in round figures."""
    round_figure: Number = np.rint(claim / (_FIGURE * step)) * _FIGURE * step
    return round_figure


def shaded(reservation: Number, step: float) -> Number:
    """A constraint that is true to within its shading."""
    return rounded(reservation + HONEST_SHADE * abs(reservation), step)


def shifted(reservation: Number, aggression: float, draw: Number, step: float) -> Number:
    """A false floor: the more aggressive, the further from the true one it may lie."""
    low, high = SHIFT
    return rounded(reservation + (low + (high - low) * aggression * draw) * abs(reservation), step)


def brings_and_costs(
    claim: Number, reservation: Number, doubts: Number, standing: Number, scale: float
) -> tuple[Number, Number]:
    """What a false floor brings when it is believed and costs when it is called, each times its chance, in zones."""
    called = lesser(_CALLED_AT_FIRST + _CALLED_PER_DOUBT * doubts, _CALLED_AT_MOST)
    gain = _GAIN * (claim - reservation) / scale
    return (1 - called) * standing * gain, called * STANDING_AT_STAKE * gain + _TROUBLE


def just_inside(claim: Number) -> Number:
    """How far a limit must lie beyond a stated floor for the floor to be called a bluff."""
    return claim + BLUFF_TOLERANCE * abs(claim)


def honest_floor(reservation: float, offer: float, step: float) -> float | None:
    """A constraint that is true to within its shading, if it says more than the offer does."""
    claim = float(shaded(reservation, step))
    return claim if claim < offer else None


@dataclass(frozen=True, slots=True)
class Position:
    """Where the persona stands when it weighs a claim. Value space.

    ``doubts`` counts how often the player has been sceptical; ``standing`` is the persona's own credit.
    """

    character: Character
    trust: Trust
    reservation: float
    offer: float
    player: LimitPosterior
    doubts: int
    standing: float
    last_claim: float | None
    has_offered: bool
    scale: float
    step: float


def false_floor(at: Position, draw: float) -> float | None:
    """A false floor worth stating, or ``None``.

    It is stated when ``P(believed) * gain > P(called) * what the standing is worth``; it must be milder than
    the offer on the table, and leave the player a deal that it could plausibly take.
    """
    claim = float(shifted(at.reservation, at.character.persona.aggression, draw, at.step))
    if claim >= at.offer or at.player.probability_above(claim) < PASSES_ABOVE:
        return None
    brings, costs = brings_and_costs(claim, at.reservation, float(at.doubts), at.standing, at.scale)
    return claim if brings > costs else None


def choose_claim(at: Position, shift: float) -> float | None:
    """The floor to state now that it wants to state one, in value space, or ``None``."""
    persona = at.character.persona
    if persona.bluff_rate < HONEST_BELOW:
        opens_up = at.trust.value >= TRUST_TO_OPEN_UP
        return honest_floor(at.reservation, at.offer, at.step) if opens_up else None
    return false_floor(at, shift)


def disbelief(claim: float, player: LimitPosterior) -> float:
    """P(the player's stated floor is a bluff), from what its offers have shown. Value space."""
    return player.probability_above(just_inside(claim))
