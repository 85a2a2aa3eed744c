"""The Veteran's second thought: it models the player's model of it (level k = 2).

A level-1 player infers the persona's limit from the persona's own offers, expects to end somewhere between
that estimate and its own limit, and takes an offer that beats the wait. The persona keeps that player's
posterior (``mirror``) itself, and scores each candidate offer by
``P(accept) * gain + (1 - P) * continuation - signalling cost`` (Camerer, Ho & Chong 2004; Stahl & Wilson 1995).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from negotiation.engine.deal.chance import Array
from negotiation.engine.deal.rows import Rows

CANDIDATES = 9
"""How many offers it weighs against each other."""
_IMPATIENCE_OF_PLAYER = 0.88
"""What a player who expects to end somewhere makes of a turn's wait."""
_HALFWAY = 0.5
"""Where between the two limits, as it sees them, a level-1 player expects to end."""
_SOFTNESS = 0.08
"""How far from the better choice, in zones, a player still errs by chance (logit)."""
_LARGEST_ODDS = 30.0
"""Beyond this power of e an offer is never taken; float32 would overflow at 88."""
_SIGNAL_WEIGHT = 0.45
"""What each step down tells the player of its limit costs, while no deal comes of it."""


def acceptance(
    candidates: Array,
    limits: Array,
    mass: npt.NDArray[np.floating[Any]],
    mirrored: Array,
    scale: float,
    joint_gain: Array,
) -> Array:
    """P(a level-1 player takes each candidate), in ``n`` games. Values in the persona's value space.

    Args:
        candidates: shape ``(n, candidates)``.
        limits, mass: belief about the player's limit, shape ``(n, limits)``.
        mirrored: what the player is thought to believe the persona's limit to be, shape ``(n,)``.
        joint_gain: what the terms that go with the candidates add for both together, shape ``(n,)``.
    """
    reach = limits + joint_gain[:, None]
    expected_end = np.maximum(0.0, _HALFWAY * (reach - mirrored[:, None]))
    base = candidates[:, :1]
    far = ((reach - base) / scale).astype(np.float32)[:, None, :]
    asked = ((candidates - base) / scale).astype(np.float32)[:, :, None]
    wait = (_IMPATIENCE_OF_PLAYER * expected_end / scale).astype(np.float32)[:, None, :]
    softness = np.float32(1 / _SOFTNESS)
    odds = asked * softness + (wait - far) * softness
    np.minimum(odds, np.float32(_LARGEST_ODDS), out=odds)
    np.exp(odds, out=odds)
    odds += np.float32(1.0)
    takes = np.divide(mass.astype(np.float32)[:, None, :], odds, out=odds)
    takes *= far >= asked
    result: Array = takes.sum(axis=2).astype(np.float64)
    return result


@dataclass(frozen=True, slots=True)
class Prospect(Rows):
    """What the second thought weighs, in ``n`` games; every array of shape ``(n,)`` unless said.

    ``highest`` and ``lowest`` bound the candidates. ``target`` is where the persona expects to end if this turn
    does not settle it; ``patience`` the discount of waiting a turn, in (0, 1]. The rest as in :func:`acceptance`.
    """

    highest: Array
    lowest: Array
    reservation: Array
    target: Array
    limits: Array
    mass: npt.NDArray[np.floating[Any]]
    mirrored: Array
    patience: Array
    joint_gain: Array
    scale: float


def best_candidates(at: Prospect) -> Array:
    """The offer between ``lowest`` and ``highest`` with the best expected gain; shape ``(n,)``."""
    best = at.highest.copy()
    rows = np.flatnonzero(at.highest > at.lowest)
    if len(rows):
        best[rows] = _best_of_grid(at if len(rows) == len(best) else at.take(rows))
    return best


def _best_of_grid(at: Prospect) -> Array:
    steps = np.arange(CANDIDATES) / (CANDIDATES - 1)
    candidates = at.lowest[:, None] + (at.highest - at.lowest)[:, None] * steps
    takes = acceptance(candidates, at.limits, at.mass, at.mirrored, at.scale, at.joint_gain)
    continuation = (at.patience * np.maximum(0.0, at.target - at.reservation))[:, None]
    signalling = _SIGNAL_WEIGHT * (at.highest[:, None] - candidates) * (1 - takes)
    score = takes * (candidates - at.reservation[:, None]) + (1 - takes) * continuation - signalling
    best: Array = candidates[np.arange(len(candidates)), np.argmax(score, axis=1)]
    return best
