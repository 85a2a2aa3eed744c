"""Stated floors and deadlines: when to make one, true or false, and whether to believe one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from negotiation.engine.deal.belief import LimitPosterior
from negotiation.engine.deal.chance import Number, TurnDraws
from negotiation.engine.deal.reward import BLUFF_TOLERANCE
from negotiation.engine.deal.strategist.character import Character
from negotiation.engine.deal.strategist.trust import Trust

EARLIEST_CLAIM = 3
SHIFT = (0.17, 0.30)
"""A false floor lies this share of the true one away from it: far enough to pay, near enough to pass."""
HONEST_SHADE = 0.04
TRUST_TO_OPEN_UP = 0.62
HONEST_BELOW = 0.3
"""Personas with a bluff rate below this never state a false floor."""
STANDING_AT_STAKE = 0.5


def rounded(claim: Number, step: float) -> Number:
    """People state limits in round figures."""
    round_figure: Number = np.rint(claim / (2 * step)) * 2 * step
    return round_figure


def honest_floor(reservation: float, offer: float, step: float) -> float | None:
    """A constraint that is true to within its shading, if it says more than the offer does."""
    claim = float(rounded(reservation + HONEST_SHADE * abs(reservation), step))
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
    low, high = SHIFT
    shift = low + (high - low) * at.character.persona.aggression * draw
    claim = float(rounded(at.reservation + shift * abs(at.reservation), at.step))
    if claim >= at.offer or at.player.probability_above(claim) < 0.25:
        return None
    called = min(0.9, 0.15 + 0.25 * at.doubts)
    believed = (1 - called) * at.standing
    gain = 0.5 * (claim - at.reservation) / at.scale
    if believed * gain <= called * STANDING_AT_STAKE * gain + 0.02:
        return None
    return claim


def choose_claim(at: Position, draws: TurnDraws) -> float | None:
    """The floor to state now, in value space, or ``None``."""
    persona = at.character.persona
    if persona.bluff_rate < HONEST_BELOW:
        opens_up = at.trust.value >= TRUST_TO_OPEN_UP and draws.claim < 0.5
        return honest_floor(at.reservation, at.offer, at.step) if opens_up else None
    if draws.claim >= 0.5 * persona.bluff_rate:
        return None
    return false_floor(at, draws.shift)


def disbelief(claim: float, player: LimitPosterior) -> float:
    """P(the player's stated floor is a bluff), from what its offers have shown. Value space."""
    return player.probability_above(claim + BLUFF_TOLERANCE * abs(claim))
