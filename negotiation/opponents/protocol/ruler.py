"""Points: the one scale on which a model reads and writes money.

A network of a million weights cannot learn that $148,500 over a limit of $131,000 in a zone of $40,000 is the
same situation as 312 over 295 in another deal. So every sum is written as *points*: 300 is one's own limit, 100
points are the width of the deal's usual zone, and more is always better for oneself, whichever seat one holds.
Points run from 100 to 699: three digits always, one token each, so that the first digit is worth a hundred
everywhere. A package of terms is written as what it is worth to oneself, price and terms together.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from negotiation.engine.deal.checks import HARD_BOUND_FACTOR
from negotiation.engine.deal.issues import Terms, bundle_of, bundle_worths
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.types import SIGN, Observation

LIMIT_POINTS = 300
LOW_POINTS, HIGH_POINTS = 100, 699


@dataclass(frozen=True, slots=True)
class Ruler:
    """Money to points and back, for one seat of one deal as it stands now."""

    scenario: Scenario
    sign: int
    limit: float
    worths: tuple[float, ...]
    """What each bundle of terms is worth to this seat beyond the first, in money."""

    @classmethod
    def of(cls, seen: Observation, scenario: Scenario) -> Ruler:
        worths = bundle_worths(scenario.issues, seen.own.values)
        return cls(scenario, SIGN[seen.seat], seen.own.walk_away, tuple(float(worth) for worth in worths))

    def points(self, price: float, terms: Terms | None = None) -> int:
        """What a price, or a package, is worth to this seat; cut to the scale's ends."""
        worth = self.worths[bundle_of(self.scenario.issues, terms or {})]
        gain = self.sign * (price - self.limit) + worth
        found = round(LIMIT_POINTS + 100 * gain / self.scenario.nominal_width)
        return max(LOW_POINTS, min(HIGH_POINTS, found))

    def money(self, points: int, terms: Terms | None = None) -> float:
        """The price that makes a package worth ``points``, on the scenario's grid.

        Rounding never turns a package at or above the limit into one below it.
        """
        worth = self.worths[bundle_of(self.scenario.issues, terms or {})]
        gain = (points - LIMIT_POINTS) / 100 * self.scenario.nominal_width
        price = self.scenario.round(self.limit + self.sign * (gain - worth))
        short = self.sign * (price - self.limit) + worth < 0
        if points >= LIMIT_POINTS and short:
            price += self.sign * self.scenario.step
        return float(max(self._least, price))

    @property
    def _least(self) -> float:
        """The lowest price on the grid that the game takes for meant."""
        step = self.scenario.step
        return math.ceil(self.scenario.plausible_low / HARD_BOUND_FACTOR / step) * step

    def span(self, money: float) -> int:
        """A difference in money as points, signed as money is."""
        return round(100 * money / self.scenario.nominal_width)


def tenth(share: float) -> int:
    """A share in [0, 1] as one digit."""
    return max(0, min(9, int(share * 10)))


def share_of(digit: int) -> float:
    """The middle of what a digit stands for."""
    return (digit + 0.5) / 10
