"""What one side can work out about the other's limit from the offers it has seen.

A grid posterior over (limit x curvature beta x end margin), Gaussian likelihood with an outlier mass, forgetting,
and the hard bound that nobody offers what it would not take (after Zeng & Sycara 1998; Yu, Ren & Zhang 2013).

Everything is in the *observer's value space*: money times the observer's sign, so that more is better for
the observer and the other side's offers climb towards its limit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

FORGETTING: Final = 0.97
OUTLIER_MASS: Final = 0.03
NOISE_SHARE: Final = 0.05
"""Standard deviation of an offer around its model, as a share of the nominal zone."""
POINTS: Final = 51
_OFFSETS: Final[Array] = np.linspace(-1.25, 1.25, POINTS)[:, None, None, None]
_CURVATURES: Final[Array] = np.array([0.15, 0.35, 0.7, 1.2, 2.5])[None, :, None, None]
_CLAIM_SHARE: Final = 0.12


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """What an observer takes into account beside limit and curvature.

    ``margins``: shares of the zone that the other side may keep at the end. ``clocks``: shares of the horizon
    that it may plan for. ``noise``: standard deviation of an offer around the model, as a share of the zone.
    """

    margins: tuple[float, ...] = (0.0, 0.15, 0.35)
    clocks: tuple[float, ...] = (1.0,)
    noise: float = NOISE_SHARE


QUICK: Final = Hypotheses()
"""Enough for a mind that has to decide."""
CAREFUL: Final = Hypotheses(margins=(0.0, 0.25, 0.5, 0.75), clocks=(0.6, 0.8, 1.0), noise=0.08)
"""For the reference observer, whose intervals are quoted: see ``bench/observer.py``."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A summary of the posterior, in the observer's value space."""

    mean: float
    sd: float
    low: float
    high: float


class LimitPosterior:
    """Belief about the other side's limit, updated offer by offer.

    Args:
        prior_mean, prior_sd: of the limit, before anything is seen.
        scale: nominal width of the zone, in money.
        horizon: number of turns that the other side is thought to plan for.
        sharpness: in (0, 1], how much of the evidence this observer takes in.
        hypotheses: the other axes of the grid.
    """

    def __init__(
        self,
        prior_mean: float,
        prior_sd: float,
        scale: float,
        horizon: int,
        sharpness: float = 1.0,
        hypotheses: Hypotheses = QUICK,
    ) -> None:
        self._scale = scale
        self._horizon = horizon
        self._sharpness = sharpness
        self._noise = hypotheses.noise * scale
        self._kept: Array = 1.0 - np.array(hypotheses.margins)[None, None, :, None]
        self._clocks: Array = np.array(hypotheses.clocks)[None, None, None, :]
        self._limits: Array = prior_mean + scale * _OFFSETS
        prior = -0.5 * ((self._limits - prior_mean) / prior_sd) ** 2
        self._prior: Array = np.broadcast_to(
            prior, (POINTS, _CURVATURES.size, self._kept.size, self._clocks.size)
        ).copy()
        self._log: Array = self._prior.copy()
        self._first: float | None = None
        self._best = -np.inf
        self._marginal: Array | None = None

    def observe_offer(self, value: float, turn: int) -> None:
        """Take in an offer of theirs made at ``turn`` (0-based)."""
        self._marginal = None
        self._best = max(self._best, value)
        if self._first is None:
            self._first = value
            return
        spent = np.minimum(1.0, turn / (self._clocks * (self._horizon - 1)))
        progress = spent ** (1.0 / _CURVATURES)
        predicted = self._first + self._kept * (self._limits - self._first) * progress
        density = np.exp(-0.5 * ((value - predicted) / self._noise) ** 2)
        likelihood = (1 - OUTLIER_MASS) * density + OUTLIER_MASS * 0.2
        self._log = (
            self._prior + FORGETTING * (self._log - self._prior) + self._sharpness * np.log(likelihood)
        )

    def observe_bound(self, value: float) -> None:
        """Take in only that they would go as far as ``value``."""
        self._marginal = None
        self._best = max(self._best, value)

    def pull_towards(self, anchor: float, weight: float) -> None:
        """Anchoring: move the whole belief ``weight`` of the way towards a plausible first number."""
        self.shift(weight * (anchor - self.estimate().mean))

    def shift(self, delta: float) -> None:
        """Move the belief by ``delta``, as news does that concerns their limit."""
        self._marginal = None
        self._limits = self._limits + delta

    def observe_claim(self, value: float, believed: float) -> None:
        """Take in a stated limit that is believed with probability ``believed``."""
        self._marginal = None
        near = np.exp(-0.5 * ((self._limits - value) / (_CLAIM_SHARE * self._scale)) ** 2)
        weighed = np.log(1.0 - believed + believed * near + 1e-9)
        self._log = self._log + weighed
        self._prior = self._prior + 0.5 * weighed

    def density(self) -> tuple[Array, Array]:
        """Limits (ascending) and their probabilities, summing to one."""
        if self._marginal is None:
            reachable = np.where(self._limits >= self._best - 1e-6 * self._scale, self._log, -np.inf)
            peak = reachable.max()
            if not np.isfinite(peak):  # they offered beyond the whole grid: the limit is at least there
                marginal = np.zeros(POINTS)
                marginal[-1] = 1.0
                self._limits = self._limits + (self._best - float(self._limits[-1, 0, 0, 0]))
            else:
                marginal = np.exp(reachable - peak).sum(axis=(1, 2, 3))
            self._marginal = marginal / marginal.sum()
        return self._limits[:, 0, 0, 0], self._marginal

    def estimate(self) -> Estimate:
        limits, mass = self.density()
        mean = float(limits @ mass)
        sd = float(np.sqrt(max(0.0, float((limits - mean) ** 2 @ mass))))
        cumulative = np.cumsum(mass)
        low = limits[min(POINTS - 1, int(np.searchsorted(cumulative, 0.025)))]
        high = limits[min(POINTS - 1, int(np.searchsorted(cumulative, 0.975)))]
        return Estimate(mean, sd, float(low), float(high))

    def probability_above(self, value: float) -> float:
        """P(their limit >= value): the chance that they could take ``value`` at all."""
        limits, mass = self.density()
        return float(mass[limits >= value].sum())
