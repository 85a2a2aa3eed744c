"""What a move amounts to for somebody who knows the scenario but nobody's hidden values.

Whatever both sides see of the table (heat, holding, taking back) goes by these figures alone: were it to follow
what a move is worth to one side, the other could read that worth off the table.
"""

from __future__ import annotations

from typing import NamedTuple

from negotiation.engine.deal.issues import usual_worths
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.types import OTHER_SEAT, SIGN, Seat

Package = tuple[float, int]
"""A price and the number of its bundle of terms."""


class Shift(NamedTuple):
    """From one package of a side to its next, in money by the scenario's sheet."""

    given: float
    """What the other side is better off."""
    cost: float
    """What the side itself is worse off."""

    @property
    def takes_back(self) -> bool:
        """Whether it asks for more and gives less."""
        return self.given < 0 and self.cost < 0


def shift(scenario: Scenario, giver: Seat, before: Package | None, after: Package) -> Shift:
    """How far ``giver`` has moved; a first package moves nothing."""
    if before is None:
        return Shift(0.0, 0.0)

    def gained(seat: Seat) -> float:
        worths = usual_worths(scenario.issues)[seat]
        return SIGN[seat] * (after[0] - before[0]) + worths[after[1]] - worths[before[1]]

    return Shift(given=gained(OTHER_SEAT[giver]), cost=-gained(giver))
