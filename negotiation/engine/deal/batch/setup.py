"""What the games of a batch have in common."""

from __future__ import annotations

from dataclasses import dataclass

from negotiation.engine.deal.persona import Persona
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.strategist.character import Temper, is_second_order
from negotiation.engine.deal.types import OTHER_SEAT, SIGN, Seat


@dataclass(frozen=True, slots=True)
class Setup:
    """What all games of a batch share."""

    persona: Persona
    scenario: Scenario
    seat: Seat
    """The persona's own seat."""
    temper: Temper
    infers: bool

    @property
    def sign(self) -> int:
        return SIGN[self.seat]

    @property
    def scale(self) -> float:
        return self.scenario.nominal_width

    @property
    def market(self) -> float:
        """Where the player's limit typically lies, in the persona's value space."""
        return self.sign * self.scenario.seats[OTHER_SEAT[self.seat]].walk_away

    @property
    def second_order(self) -> bool:
        return is_second_order(self.persona)
