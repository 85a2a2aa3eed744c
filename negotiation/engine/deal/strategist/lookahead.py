"""The Veteran's second thought: it models the player's model of it (level k = 2).

A level-1 player infers the persona's limit from the persona's own offers, expects to end somewhere between
that estimate and its own limit, and takes an offer that beats the wait. The persona keeps that player's
posterior (``mirror``) itself, and scores each candidate offer by
``P(accept) * gain + (1 - P) * continuation - signalling cost`` (Camerer, Ho & Chong 2004; Stahl & Wilson 1995).
"""

from __future__ import annotations

import numpy as np

from negotiation.engine.deal.belief import Array, LimitPosterior

CANDIDATES = 9
_IMPATIENCE_OF_PLAYER = 0.88
_SOFTNESS = 0.08
_SIGNAL_WEIGHT = 0.45


def acceptance(
    candidates: Array, player: LimitPosterior, mirrored_limit: float, scale: float, joint_gain: float = 0.0
) -> Array:
    """P(a level-1 player takes each candidate); shape ``(n,)``. Values in the persona's value space.

    ``joint_gain`` is what the terms that go with the candidates add for both together.
    """
    limits, mass = player.density()
    surplus_now = limits[None, :] + joint_gain - candidates[:, None]
    expected_end = np.maximum(0.0, 0.5 * (limits + joint_gain - mirrored_limit))[None, :]
    pull = np.clip((surplus_now - _IMPATIENCE_OF_PLAYER * expected_end) / (_SOFTNESS * scale), -30, 30)
    takes = np.where(surplus_now >= 0, 1.0 / (1.0 + np.exp(-pull)), 0.0)
    result: Array = takes @ mass
    return result


def best_candidate(
    highest: float,
    lowest: float,
    reservation: float,
    target: float,
    player: LimitPosterior,
    mirror_mean: float,
    scale: float,
    patience_factor: float,
    joint_gain: float = 0.0,
) -> float:
    """The offer between ``lowest`` and ``highest`` with the best expected gain.

    Args:
        target: where the persona expects to end if this turn does not settle it.
        mirror_mean: what the player is thought to believe the persona's limit to be.
        patience_factor: discount of waiting a turn, in (0, 1].
    """
    if highest <= lowest:
        return highest
    candidates = np.linspace(lowest, highest, CANDIDATES)
    takes = acceptance(candidates, player, mirror_mean, scale, joint_gain)
    continuation = patience_factor * max(0.0, target - reservation)
    signalling = _SIGNAL_WEIGHT * (highest - candidates) * (1 - takes)
    score = takes * (candidates - reservation) + (1 - takes) * continuation - signalling
    return float(candidates[int(np.argmax(score))])
