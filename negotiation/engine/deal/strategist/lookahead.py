"""The Veteran's second thought: it models the player's model of it (level k = 2).

A level-1 player infers the persona's limit from the persona's own offers, expects to end somewhere between
that estimate and its own limit, and takes an offer that beats the wait. The persona keeps that player's
posterior (``mirror``) itself, and scores each candidate offer by
``P(accept) * gain + (1 - P) * continuation - signalling cost`` (Camerer, Ho & Chong 2004; Stahl & Wilson 1995).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from negotiation.engine.deal.chance import Array

CANDIDATES = 9
_IMPATIENCE_OF_PLAYER = 0.88
_SOFTNESS = 0.08
_SIGNAL_WEIGHT = 0.45


def acceptance(
    candidates: Array, limits: Array, mass: Array, mirrored: Array, scale: float, joint_gain: Array
) -> Array:
    """P(a level-1 player takes each candidate), in ``n`` games. Values in the persona's value space.

    Args:
        candidates: shape ``(n, candidates)``.
        limits, mass: belief about the player's limit, shape ``(n, limits)``.
        mirrored: what the player is thought to believe the persona's limit to be, shape ``(n,)``.
        joint_gain: what the terms that go with the candidates add for both together, shape ``(n,)``.
    """
    reach = limits + joint_gain[:, None]
    surplus = reach[:, None, :] - candidates[:, :, None]
    expected_end = np.maximum(0.0, 0.5 * (reach - mirrored[:, None]))[:, None, :]
    pull = np.clip((surplus - _IMPATIENCE_OF_PLAYER * expected_end) / (_SOFTNESS * scale), -30, 30)
    takes = np.where(surplus >= 0, 1.0 / (1.0 + np.exp(-pull)), 0.0)
    result: Array = (takes * mass[:, None, :]).sum(axis=2)
    return result


@dataclass(frozen=True, slots=True)
class Prospect:
    """What the second thought weighs, in ``n`` games; every array of shape ``(n,)`` unless said.

    ``highest`` and ``lowest`` bound the candidates. ``target`` is where the persona expects to end if this turn
    does not settle it; ``patience`` the discount of waiting a turn, in (0, 1]. The rest as in :func:`acceptance`.
    """

    highest: Array
    lowest: Array
    reservation: Array
    target: Array
    limits: Array
    mass: Array
    mirrored: Array
    patience: Array
    joint_gain: Array
    scale: float


def best_candidates(at: Prospect) -> Array:
    """The offer between ``lowest`` and ``highest`` with the best expected gain; shape ``(n,)``."""
    steps = np.arange(CANDIDATES) / (CANDIDATES - 1)
    span = np.maximum(0.0, at.highest - at.lowest)
    candidates = at.lowest[:, None] + span[:, None] * steps
    takes = acceptance(candidates, at.limits, at.mass, at.mirrored, at.scale, at.joint_gain)
    continuation = (at.patience * np.maximum(0.0, at.target - at.reservation))[:, None]
    signalling = _SIGNAL_WEIGHT * (at.highest[:, None] - candidates) * (1 - takes)
    score = takes * (candidates - at.reservation[:, None]) + (1 - takes) * continuation - signalling
    best = candidates[np.arange(len(candidates)), np.argmax(score, axis=1)]
    result: Array = np.where(span > 0, best, at.highest)
    return result
