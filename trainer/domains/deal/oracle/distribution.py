"""The distribution that training draws moves from, its logarithm and its slopes.

The pace is a normal of learnt deviation, accepting and calling are coins, the card is drawn from those that can be
played. Who accepts chooses nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from negotiation.engine.deal.oracle.choice import ACCEPT, CALL, CARD, PACE, Open, Picks
from negotiation.engine.deal.rows import Rows
from trainer.domains.deal.oracle.layers import Single

_HALF_LOG_TWO_PI = np.float32(0.5 * np.log(2 * np.pi))


@dataclass(slots=True)
class DrawnPicks(Rows):
    """What was picked with what could have been chosen, and the logarithm of their likelihood."""

    chosen: Picks
    there: Open
    likelihood: Single


def _sigmoid(logit: Single) -> Single:
    result: Single = np.float32(1.0) / (np.float32(1.0) + np.exp(-logit))
    return result


def _cards(outputs: Single, there: Open) -> Single:
    """Probabilities of none and of each card in hand, shape ``(n, 1 + cards)``."""
    logits = np.where(there.card, outputs[:, CARD:], np.float32(-30.0))
    logits = logits - logits.max(axis=1, keepdims=True)
    mass = np.exp(logits) * there.card
    result: Single = mass / mass.sum(axis=1, keepdims=True)
    return result


def draw(outputs: Single, deviation: Single, there: Open, rng: np.random.Generator) -> DrawnPicks:
    """Choose at random. ``deviation`` is the logarithm of the pace's."""
    games = len(outputs)
    accept = there.accept & (rng.random(games) < _sigmoid(outputs[:, ACCEPT]))
    call = there.call & (rng.random(games) < _sigmoid(outputs[:, CALL]))
    pace = outputs[:, PACE] + np.exp(deviation[0]) * rng.standard_normal(games).astype(np.float32)
    mass = np.cumsum(_cards(outputs, there), axis=1)
    card = np.minimum((rng.random((games, 1)) > mass).sum(axis=1), mass.shape[1] - 1)
    chosen = Picks(pace=pace.astype(np.float64), accept=accept, call=call, card=card)
    return DrawnPicks(chosen, there, likelihood(outputs, deviation, chosen, there)[0])


def likelihood(
    outputs: Single, deviation: Single, chosen: Picks, there: Open
) -> tuple[Single, Single, Single]:
    """The logarithm of the likelihood, its slope in the outputs, and in the deviation, a row a game."""
    rows = np.arange(len(outputs))
    slope = np.zeros_like(outputs)
    takes, goes_on = chosen.accept, (~chosen.accept).astype(np.float32)
    accepting = _sigmoid(outputs[:, ACCEPT])
    can = there.accept.astype(np.float32)
    chance = np.where(takes, accepting, 1 - accepting)
    total = can * np.log(np.maximum(chance, 1e-8))
    slope[:, ACCEPT] = can * (takes - accepting)
    calling = _sigmoid(outputs[:, CALL])
    may = there.call * goes_on
    chance = np.where(chosen.call, calling, 1 - calling)
    total = total + may * np.log(np.maximum(chance, 1e-8))
    slope[:, CALL] = may * (chosen.call - calling)
    scale = np.exp(-deviation[0])
    away = (chosen.pace.astype(np.float32) - outputs[:, PACE]) * scale
    total = total + goes_on * (np.float32(-0.5) * away * away - deviation[0] - _HALF_LOG_TWO_PI)
    slope[:, PACE] = goes_on * away * scale
    mass = _cards(outputs, there)
    total = total + goes_on * np.log(np.maximum(mass[rows, chosen.card], 1e-8))
    slope[:, CARD:] = -mass * goes_on[:, None]
    slope[rows, CARD + chosen.card] += goes_on
    return total.astype(np.float32), slope, (goes_on * (away * away - 1.0)).astype(np.float32)


def curiosity(outputs: Single, there: Open) -> Single:
    """The slope of the entropy of coins and cards in the outputs: what keeps them from settling too soon."""
    slope = np.zeros_like(outputs)
    for at, can in ((ACCEPT, there.accept), (CALL, there.call)):
        chance = _sigmoid(outputs[:, at])
        slope[:, at] = np.where(can, -outputs[:, at] * chance * (1 - chance), 0.0)
    mass = _cards(outputs, there)
    logs = np.log(np.maximum(mass, 1e-8))
    entropy = -(mass * logs).sum(axis=1, keepdims=True)
    slope[:, CARD:] = -mass * (logs + entropy)
    return slope
