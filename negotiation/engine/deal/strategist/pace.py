"""Pace: how fast to come down, what the clock asks for, and when to leave talks that give nothing."""

from __future__ import annotations

from negotiation.engine.deal.strategist.character import Character

_GOOD_FAITH_PER_TURN = 0.022
"""Share of the nominal zone that a player acting in good faith has conceded, per turn."""
HAZARD_FROM_TURN = 4


def aspiration(opening: float, end: float, turn: int, character: Character) -> float:
    """Time-dependent target ``O + (R - O) * (t / (T - 1)) ** (1 / beta)`` (Faratin, Sierra & Jennings 1998)."""
    progress = min(1.0, max(0.0, (turn - 1) / (character.stay - 1)))
    return float(opening + (end - opening) * progress ** (1.0 / character.curvature))


def breakdown_probability(
    character: Character, turn: int, player_conceded: float, own_conceded: float, scale: float, tension: float
) -> float:
    """Chance to walk out this turn. A known last round would make stonewalling dominant; this makes it not.

    ``h * max(0, 1 - conceded / max(good, .6 * mine))``, doubled by a table at boiling point.
    """
    if turn < HAZARD_FROM_TURN:
        return 0.0
    good = _GOOD_FAITH_PER_TURN * scale * turn
    shortfall = max(0.0, 1.0 - max(0.0, player_conceded) / max(good, 0.6 * own_conceded))
    return character.hazard * shortfall * (1.0 + max(0.0, tension - 55.0) / 45.0)
