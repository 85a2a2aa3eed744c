"""A deal for three: one seller, two buyers, and any two of them can close without the third.

``CoalitionGame`` plays it; the records that it takes and gives are exported here.
"""

from negotiation.engine.coalition.game import CoalitionGame, draw_stakes
from negotiation.engine.coalition.scenario import CoalitionScenario, coalition_scenarios
from negotiation.engine.coalition.types import (
    ARRANGEMENTS,
    BUYERS,
    COALITIONS,
    EVERYONE,
    SEAT_INDEX,
    SEATS,
    Action,
    Claim,
    Coalition,
    Entry,
    Observation,
    Outcome,
    Proposal,
    Seat,
    Stake,
    Standing,
    arrangement_of,
    in_order,
)

__all__ = [
    "ARRANGEMENTS",
    "BUYERS",
    "COALITIONS",
    "EVERYONE",
    "SEATS",
    "SEAT_INDEX",
    "Action",
    "Claim",
    "Coalition",
    "CoalitionGame",
    "CoalitionScenario",
    "Entry",
    "Observation",
    "Outcome",
    "Proposal",
    "Seat",
    "Stake",
    "Standing",
    "arrangement_of",
    "coalition_scenarios",
    "draw_stakes",
    "in_order",
]
