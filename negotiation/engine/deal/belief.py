"""What one side can work out about the other's limit: the posterior of a single game. See ``beliefs.py``."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from negotiation.engine.deal.beliefs import CAREFUL, POINTS, QUICK, Hypotheses, LimitPosteriors
from negotiation.engine.deal.chance import Array

__all__ = ["CAREFUL", "QUICK", "Estimate", "Hypotheses", "LimitPosterior"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A summary of the posterior, in the observer's value space."""

    mean: float
    sd: float
    low: float
    high: float


class LimitPosterior:
    """One game's belief, updated offer by offer; arguments as in :class:`LimitPosteriors`."""

    def __init__(
        self,
        prior_mean: float,
        prior_sd: float,
        scale: float,
        horizon: int,
        sharpness: float = 1.0,
        hypotheses: Hypotheses = QUICK,
    ) -> None:
        self._games = LimitPosteriors(np.array([prior_mean]), prior_sd, scale, horizon, sharpness, hypotheses)

    def observe_offer(self, value: float, turn: int) -> None:
        """Take in an offer of theirs made at ``turn`` (0-based)."""
        self._games.observe_offers(np.array([value]), turn)

    def observe_bound(self, value: float) -> None:
        """Take in only that they would go as far as ``value``."""
        self._games.observe_bounds(np.array([value]))

    def pull_towards(self, anchor: float, weight: float) -> None:
        """Anchoring: move the whole belief ``weight`` of the way towards a plausible first number."""
        self._games.pull_towards(np.array([anchor]), np.array([weight]))

    def shift(self, delta: float) -> None:
        """Move the belief by ``delta``, as news does that concerns their limit."""
        self._games.shift(np.array([delta]))

    def observe_claim(self, value: float, believed: float) -> None:
        """Take in a stated limit that is believed with probability ``believed``."""
        self._games.observe_claims(np.array([value]), np.array([believed]))

    def density(self) -> tuple[Array, Array]:
        """Limits (ascending) and their probabilities, summing to one."""
        limits, mass = self._games.density()
        return limits[0], mass[0].astype(np.float64)

    def mean(self) -> float:
        return float(self._games.mean()[0])

    def estimate(self) -> Estimate:
        limits, mass = self.density()
        cumulative = np.cumsum(mass)
        low = limits[min(POINTS - 1, int(np.searchsorted(cumulative, 0.025)))]
        high = limits[min(POINTS - 1, int(np.searchsorted(cumulative, 0.975)))]
        return Estimate(self.mean(), float(self._games.spread()[0]), float(low), float(high))

    def probability_above(self, value: float) -> float:
        """P(their limit >= value): the chance that they could take ``value`` at all."""
        return float(self._games.probability_above(np.array([value]))[0])
