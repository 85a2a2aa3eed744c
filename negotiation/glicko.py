"""Glicko-2 for one player, after Glickman, "Example of the Glicko-2 system" (2013).

Pure. Our own sixty lines, because the packaged implementation that the bench uses for its large pools puts the
rating where step 5 of the paper has the deviation, which the volatility then follows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

SCALE = 173.7178
TAU = 0.5
"""How fast volatility may change; the paper advises 0.3 to 1.2."""
CONVERGED = 1e-6
MAX_DEVIATION = 350.0


@dataclass(frozen=True, slots=True)
class Rating:
    """Rating and deviation on the Glicko scale (1500 is the middle), volatility as in the paper."""

    rating: float = 1500.0
    deviation: float = MAX_DEVIATION
    volatility: float = 0.06


def rested(before: Rating, periods: float) -> Rating:
    """The same player after rating periods without a game: no weaker, but less certain (step 6)."""
    phi = before.deviation / SCALE
    grown = math.sqrt(phi**2 + max(0.0, periods) * before.volatility**2) * SCALE
    return Rating(before.rating, min(MAX_DEVIATION, grown), before.volatility)


def played(before: Rating, games: Sequence[tuple[Rating, float]], weight: float = 1.0) -> Rating:
    """The player after the games of one rating period: each an opponent, as measured, and a score from 0 to 1.

    Args:
        weight: as how many wins or losses one score counts. A share of something says more than a win: it varies less
            around what was expected.
    """
    mu, phi = (before.rating - 1500) / SCALE, before.deviation / SCALE
    information = surprise = 0.0
    for opponent, score in games:
        mu_j, phi_j = (opponent.rating - 1500) / SCALE, opponent.deviation / SCALE
        g = 1 / math.sqrt(1 + 3 * phi_j**2 / math.pi**2)
        expected = 1 / (1 + math.exp(-g * (mu - mu_j)))
        information += weight * g**2 * expected * (1 - expected)
        surprise += weight * g * (score - expected)
    v = 1 / information
    sigma = _volatility(phi, v, v * surprise, before.volatility)
    phi_star = math.sqrt(phi**2 + sigma**2)
    phi_new = 1 / math.sqrt(1 / phi_star**2 + 1 / v)
    return Rating((mu + phi_new**2 * surprise) * SCALE + 1500, phi_new * SCALE, sigma)


def _volatility(phi: float, v: float, delta: float, sigma: float) -> float:
    """Step 5: the root of f by the Illinois algorithm."""
    a = math.log(sigma**2)

    def f(x: float) -> float:
        ex = math.exp(x)
        spread = phi**2 + v + ex
        return ex * (delta**2 - spread) / (2 * spread**2) - (x - a) / TAU**2

    low = a
    if delta**2 > phi**2 + v:
        high = math.log(delta**2 - phi**2 - v)
    else:
        k = 1
        while f(a - k * TAU) < 0:
            k += 1
        high = a - k * TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > CONVERGED:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)
