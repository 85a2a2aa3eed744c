"""Means and ratios with their bootstrap intervals (Efron 1979), by episodes: turns of one game are not independent."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from negotiation.engine.figures import RESAMPLES, Figure, resampled


def mean(values: Sequence[float], seed: int = 0) -> Figure | None:
    """The mean of one value an episode; ``None`` without values."""
    return ratio(values, [1.0] * len(values), seed)


def ratio(above: Sequence[float], below: Sequence[float], seed: int = 0) -> Figure | None:
    """A ratio of sums over episodes, such as correct answers over answers; ``None`` where there is nothing below."""
    top, bottom = np.asarray(above, dtype=float), np.asarray(below, dtype=float)
    if not len(top) or bottom.sum() == 0:
        return None
    drawn = np.random.default_rng([seed, 97]).integers(0, len(top), size=(RESAMPLES, len(top)))
    tops, bottoms = top[drawn].sum(axis=1), bottom[drawn].sum(axis=1)
    shares = tops[bottoms > 0] / bottoms[bottoms > 0]
    return resampled(top.sum() / bottom.sum(), shares)


Sums = tuple[Sequence[float], Sequence[float]]
"""What stands above and below in a ratio, one value an episode each."""


def gap(one: Sums, other: Sums, seed: int = 0) -> Figure | None:
    """How much larger the one ratio is than the other, where both players met the same deals with the same luck.

    Deals are drawn for both together; ``None`` where one of the ratios has nothing below.
    """
    sums = [np.asarray(values, dtype=float) for values in (*one, *other)]
    if len({len(values) for values in sums}) != 1:
        raise ValueError("paired differences need pairs")
    top, bottom, other_top, other_bottom = sums
    if not len(top) or not bottom.sum() or not other_bottom.sum():
        return None
    drawn = np.random.default_rng([seed, 97]).integers(0, len(top), size=(RESAMPLES, len(top)))
    below, other_below = bottom[drawn].sum(axis=1), other_bottom[drawn].sum(axis=1)
    kept = (below > 0) & (other_below > 0)
    gaps = top[drawn].sum(axis=1)[kept] / below[kept] - other_top[drawn].sum(axis=1)[kept] / other_below[kept]
    return resampled(top.sum() / bottom.sum() - other_top.sum() / other_bottom.sum(), gaps)


def difference(one: Sequence[float], other: Sequence[float], seed: int = 0) -> Figure | None:
    """The mean of paired differences: both players met the same deals with the same luck."""
    if len(one) != len(other):
        raise ValueError("paired differences need pairs")
    return mean([a - b for a, b in zip(one, other, strict=True)], seed)
