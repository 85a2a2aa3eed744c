"""The map of proposals that a player sees: who gains how much, own figures known, the others' by the broker's memo."""

from __future__ import annotations

from typing import Any

from negotiation.engine.coalition.scenario import CoalitionScenario
from negotiation.engine.coalition.types import ARRANGEMENTS, SEAT_INDEX, SEATS, Observation, in_order
from negotiation.engine.coalition.worth import payoff


def chart(scenario: CoalitionScenario, view: Observation) -> list[dict[str, Any]]:
    """One row for every proposal that the seat has seen: ``gains`` by seat in money, ``standing`` if still open."""
    stakes = scenario.memo()
    stakes[SEAT_INDEX[view.seat]] = [getattr(view.own, name) for name in ARRANGEMENTS]
    standing = {offer.number for offer in view.standing}
    return [
        {
            "number": entry.number,
            "round": entry.round,
            "by": entry.seat,
            "members": list(in_order(entry.proposal.members)),
            "gains": {seat: round(float(payoff(stakes, seat, entry.proposal)), 2) for seat in SEATS},
            "standing": entry.number in standing,
        }
        for entry in view.entries
        if entry.proposal is not None
    ]
