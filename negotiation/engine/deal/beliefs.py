"""What one side can work out about the other's limit from the offers it has seen, for many games at once.

A grid posterior over (limit x curvature beta x end margin x clock), Gaussian errors with outliers, forgetting,
and the hard bound that nobody offers what it would not take (after Zeng & Sycara 1998; Yu, Ren & Zhang 2013).
The logarithm of "Gaussian or outlier" is taken as the larger of the two, a capped square (Huber 1981).

Everything is in the *observer's value space*: money times the observer's sign, so that more is better for
the observer and the other side's offers climb towards its limit. Inside, limits are shares of the zone around
each game's centre, so that one grid serves all games.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from negotiation.engine.deal.chance import Array

Mask = npt.NDArray[np.bool_]
_Grid = npt.NDArray[np.float32]

# What an array's own methods call in the end; a small array takes longer on the way there than there.
_any, _all = np.logical_or.reduce, np.logical_and.reduce

FORGETTING: Final = 0.97
OUTLIER_MASS: Final = 0.03
_OUTLIER_DENSITY: Final = 0.2
_CAP: Final = np.float32(-math.log(OUTLIER_MASS * _OUTLIER_DENSITY / (1 - OUTLIER_MASS)))
NOISE_SHARE: Final = 0.05
"""Standard deviation of an offer around its model, as a share of the nominal zone."""
POINTS: Final = 41
_OFFSETS: Final[_Grid] = np.linspace(-1.25, 1.25, POINTS, dtype=np.float32)
_REACH: Final = float(_OFFSETS[-1])
_WIDE_OFFSETS: Final[Array] = _OFFSETS.astype(np.float64)[None, :]
_CLAIM_SHARE: Final = 0.12
_SAME: Final = 1e-5


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """What an observer takes into account beside the limit.

    ``curvatures``: betas of the other side's concessions. ``margins``: shares of the zone that it may keep at
    the end. ``clocks``: shares of the horizon that it may plan for. ``noise``: standard deviation of an offer
    around the model, as a share of the zone.
    """

    curvatures: tuple[float, ...] = (0.2, 0.5, 1.0, 2.2)
    margins: tuple[float, ...] = (0.05, 0.25)
    clocks: tuple[float, ...] = (1.0,)
    noise: float = NOISE_SHARE

    @property
    def precision(self) -> np.float32:
        """What an error is multiplied by, so that half its square is the Gaussian's exponent."""
        return np.float32(1.0 / (self.noise * math.sqrt(2.0)))


QUICK: Final = Hypotheses()
"""Enough for a mind that has to decide."""
CAREFUL: Final = Hypotheses(
    curvatures=(0.15, 0.35, 0.7, 1.2, 2.5),
    margins=(0.0, 0.25, 0.5, 0.75),
    clocks=(0.6, 0.8, 1.0),
    noise=0.08,
)
"""For the reference observer, whose intervals are quoted: see ``bench/observer.py``."""


@lru_cache(maxsize=1024)
def _paths(hypotheses: Hypotheses, horizon: int, turn: int) -> tuple[_Grid, _Grid]:
    """How far towards the limit each hypothesis has come by ``turn``, shape ``(cells,)``, and what that makes of an
    offer for each limit, in units of the noise, shape ``(1, cells, limits)``. The same for every game; read only."""
    clocks = np.array(hypotheses.clocks)[None, None, :]
    spent = np.minimum(1.0, turn / (clocks * (horizon - 1)))
    progress = spent ** (1.0 / np.array(hypotheses.curvatures)[:, None, None])
    kept = 1.0 - np.array(hypotheses.margins)[None, :, None]
    speed = (kept * progress).astype(np.float32).reshape(-1)
    expected = (speed[:, None] * _OFFSETS * hypotheses.precision)[None]
    speed.flags.writeable = expected.flags.writeable = False
    return speed, expected


class LimitPosteriors:
    """Beliefs about the other side's limit in ``n`` games, updated offer by offer.

    Args:
        prior_mean: of the limit, before anything is seen, shape ``(n,)``.
        prior_sd: its standard deviation in money.
        scale: nominal width of the zone, in money.
        horizon: number of turns that the other side is thought to plan for.
        sharpness: in (0, 1], how much of the evidence this observer takes in.
        hypotheses: the other axes of the grid.
    """

    def __init__(
        self,
        prior_mean: Array,
        prior_sd: float,
        scale: float,
        horizon: int,
        sharpness: float = 1.0,
        hypotheses: Hypotheses = QUICK,
    ) -> None:
        self._scale = scale
        self._horizon = horizon
        self._sharpness = np.float32(sharpness)
        self._hypotheses = hypotheses
        self._noise = hypotheses.precision
        self._centre: Array = np.array(prior_mean, dtype=np.float64)
        games = len(self._centre)
        prior = -0.5 * (_OFFSETS * np.float32(scale / prior_sd)) ** 2
        cells = len(hypotheses.curvatures) * len(hypotheses.margins) * len(hypotheses.clocks)
        self._prior: _Grid = np.tile(prior, (games, 1))
        self._log: _Grid = np.repeat(self._prior[:, None, :], cells, axis=1)
        self._first: Array = np.full(games, np.nan)
        self._best: Array = np.full(games, -np.inf)
        self._weights: _Grid | None = None
        self._mass: _Grid | None = None
        self._mean: tuple[_Grid, Array, Array] | None = None
        """The mean, with the mass and the centre that it is of."""

    def take(self, kept: npt.NDArray[np.intp]) -> LimitPosteriors:
        """The beliefs of some of the games, in the order of ``kept``."""
        taken = LimitPosteriors.__new__(LimitPosteriors)
        taken.__dict__.update(self.__dict__)
        for name in ("_centre", "_prior", "_log", "_first", "_best"):
            setattr(taken, name, getattr(self, name)[kept])
        taken._weights = None if self._weights is None else self._weights[kept]
        taken._mass = None if self._mass is None else self._mass[kept]
        return taken

    # -- taking in ---------------------------------------------------------------------------------

    def observe_offers(self, values: Array, turn: int, where: Mask | None = None) -> None:
        """Take in an offer of theirs made at ``turn`` (0-based), in the games of ``where``."""
        self._mass = self._weights = None
        first, best = np.isnan(self._first), np.maximum(self._best, values)
        later = ~first
        if where is None:
            self._best = best
        else:
            self._best = np.where(where, best, self._best)
            first, later = first & where, later & where
        if _any(first):
            self._first = np.where(first, values, self._first)
        if _all(later):
            self._log = self._updated(self._log, self._prior, values, self._first, self._centre, turn)
        elif _any(later):
            at = np.flatnonzero(later)
            self._log[at] = self._updated(
                self._log[at], self._prior[at], values[at], self._first[at], self._centre[at], turn
            )

    def _updated(
        self, log: _Grid, prior: _Grid, values: Array, first: Array, centre: Array, turn: int
    ) -> _Grid:
        """Forget a little, then add the log-likelihood of the offers; shape ``(n, cells, limits)``."""
        speed, expected = _paths(self._hypotheses, self._horizon, turn)
        opened = ((first - centre) / self._scale).astype(np.float32)[:, None]
        moved = ((values - first) / self._scale).astype(np.float32)[:, None]
        come = (moved + opened * speed) * self._noise
        # Laid out in full first: subtracting arrays of one shape takes less than broadcasting along the last axis.
        error = np.repeat(come, POINTS, axis=1).reshape(*come.shape, POINTS)
        np.subtract(error, expected, out=error)
        np.multiply(error, error, out=error)
        np.minimum(error, _CAP, out=error)
        if self._sharpness != 1.0:
            np.multiply(error, self._sharpness, out=error)
        log = log * np.float32(FORGETTING)
        log += (prior * np.float32(1 - FORGETTING))[:, None, :]
        log -= error
        return log

    def observe_bounds(self, values: Array, where: Mask | None = None) -> None:
        """Take in only that they would go as far as ``values``."""
        self._mass = None
        best = np.maximum(self._best, values)
        self._best = best if where is None else np.where(where, best, self._best)

    def shift(self, delta: Array) -> None:
        """Move the beliefs by ``delta``, as news does that concerns their limit."""
        self._mass = None
        self._centre = self._centre + delta

    def pull_towards(self, anchors: Array, weight: Array) -> None:
        """Anchoring: move the whole belief ``weight`` of the way towards a plausible number."""
        self.shift(weight * (anchors - self.mean()))

    def observe_claims(self, values: Array, believed: Array) -> None:
        """Take in a stated limit that is believed with probability ``believed``; 0 leaves all as it is."""
        self._mass = self._weights = None
        away = (((values - self._centre) / self._scale).astype(np.float32)[:, None] - _OFFSETS) / np.float32(
            _CLAIM_SHARE
        )
        near = np.exp(np.float32(-0.5) * away * away)
        share = believed.astype(np.float32)[:, None]
        weighed = np.log(np.float32(1.0) - share + share * near + np.float32(1e-9))
        weighed[believed <= 0] = 0.0
        self._log = self._log + weighed[:, None, :]
        self._prior = self._prior + np.float32(0.5) * weighed

    # -- summing up --------------------------------------------------------------------------------

    def density(self) -> tuple[Array, _Grid]:
        """Limits (ascending) and their probabilities, summing to one; each of shape ``(n, limits)``."""
        mass = self._marginal()
        return self._centre[:, None] + self._scale * _WIDE_OFFSETS, mass

    def _marginal(self) -> _Grid:
        """The probabilities of the limits, worked out once for what was seen so far."""
        if self._mass is None:
            self._mass = self._summed()
        return self._mass

    def _summed(self) -> _Grid:
        ahead = (self._best - self._centre) / self._scale
        beyond = ahead > _REACH + _SAME
        if _any(beyond):  # they offered beyond the whole grid: the limit is at least there
            ahead = np.where(beyond, _REACH, ahead)
            self._centre = np.where(beyond, self._best - self._scale * _REACH, self._centre)
        bound = (ahead - _SAME).astype(np.float32)[:, None]
        reachable = _OFFSETS[None, :] >= bound
        if self._weights is None:
            peak = np.maximum.reduce(self._log, axis=(1, 2))
            likely = self._log - peak[:, None, None]
            # The sum over the cells, in their order; as ``add.reduce`` gives it, and quicker.
            self._weights = np.einsum("ncl->nl", np.exp(likely, out=likely))
        mass = np.where(reachable, self._weights, np.float32(0.0))
        total = np.add.reduce(mass, axis=1)
        if not _all(total):  # all that is left was too unlikely for the grid's precision: the nearest limit
            nearest = np.argmax(reachable, axis=1)
            mass[total == 0, nearest[total == 0]] = 1.0
            total = mass.sum(axis=1)
        result: _Grid = mass / total[:, None]
        return result

    def mean(self) -> Array:
        """Expected limit of each game, shape ``(n,)``."""
        mass = self._marginal()
        if self._mean is None or self._mean[0] is not mass or self._mean[1] is not self._centre:
            share = np.add.reduce(mass * _OFFSETS, axis=1).astype(np.float64)
            self._mean = (mass, self._centre, self._centre + self._scale * share)
        return self._mean[2]

    def spread(self) -> Array:
        """Standard deviation of each belief, shape ``(n,)``."""
        mass = self._marginal()
        away = _OFFSETS[None, :] - (mass * _OFFSETS).sum(axis=1)[:, None]
        result: Array = self._scale * np.sqrt((mass * away * away).sum(axis=1)).astype(np.float64)
        return result

    def probability_above(self, values: Array) -> Array:
        """P(their limit >= value) in each game: the chance that they could take ``value`` at all."""
        mass = self._marginal()
        wanted = ((values - self._centre) / self._scale).astype(np.float32)[:, None]
        result: Array = np.where(_OFFSETS[None, :] >= wanted, mass, 0.0).sum(axis=1).astype(np.float64)
        return result
