"""Pace: how fast to come down, what the clock asks for, and when to leave talks that give nothing."""

from __future__ import annotations

from typing import cast

import numpy as np

from negotiation.engine.deal.chance import Array, Number
from negotiation.engine.deal.rows import Mask

_GOOD_FAITH_PER_TURN = 0.022
"""Share of the nominal zone that a player acting in good faith has conceded, per turn."""
HAZARD_FROM_TURN = 4
"""Nobody leaves over the first offers: they are openings."""
_OF_ITS_OWN = 0.6
"""A player must have given this share of what the persona gave, however early it is."""
_BOILING, _BOILING_RANGE = 55.0, 45.0
"""Above a strained table's tension the chance to leave grows, and has doubled at the hottest there is."""
_REACH = 0.4
"""Offers further than this beyond the persona's limit, in zones, are not in earnest."""


def lesser(one: Number, other: Number | float) -> Number:
    """``numpy.minimum``; for two plain numbers without what an array costs."""
    if isinstance(one, float):
        return min(one, other)
    result: Number = np.minimum(one, other)
    return result


def greater(one: Number, other: Number | float) -> Number:
    """``numpy.maximum``; for two plain numbers without what an array costs."""
    if isinstance(one, float):
        return max(one, other)
    result: Number = np.maximum(one, other)
    return result


def either(condition: bool | Mask, one: Number, other: Number | float) -> Number:
    """``numpy.where``; for a plain condition one of two plain numbers."""
    if not isinstance(condition, np.ndarray):
        return one if condition else other  # type: ignore[return-value]
    return cast(Number, np.where(condition, one, other))


def credited(gift: Number, value: Number, reservation: Number, scale: float) -> Number:
    """What of the player's step counts as a concession: a step in the clouds gives nothing.

    Args:
        gift: the step, in money to the persona; negative when the player asked for more.
        value: what the player's package is worth to the persona after it.
    """
    return lesser(gift, greater(value - (reservation - _REACH * scale), 0.0))


def aspiration(opening: Number, end: Number, turn: float | Array, stay: Number, curvature: Number) -> Number:
    """Time-dependent target ``O + (R - O) * (t / (T - 1)) ** (1 / beta)`` (Faratin, Sierra & Jennings 1998)."""
    passed: Number = (turn - 1) / (stay - 1)  # type: ignore[assignment]  # an array wherever stay is one
    progress = lesser(greater(passed, 0.0), 1.0)
    target: Number = opening + (end - opening) * np.power(progress, 1.0 / curvature)
    return target


def breakdown_probability(
    hazard: float, turn: int, player_conceded: Number, own_conceded: Number, scale: float, tension: Number
) -> Number:
    """Chance to walk out this turn. A known last round would make stonewalling dominant; this makes it not.

    ``h * max(0, 1 - conceded / max(good, .6 * mine))``, doubled by a table at boiling point.
    """
    good = _GOOD_FAITH_PER_TURN * scale * turn
    shortfall = greater(1.0 - greater(player_conceded, 0.0) / greater(_OF_ITS_OWN * own_conceded, good), 0.0)
    began = 1.0 if turn >= HAZARD_FROM_TURN else 0.0
    chance: Number = began * hazard * shortfall * (1.0 + greater(tension - _BOILING, 0.0) / _BOILING_RANGE)
    return chance
