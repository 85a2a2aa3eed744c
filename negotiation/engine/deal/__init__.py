"""The deal: a business negotiation under hidden information, for two seats.

``Negotiation`` plays it; the records it takes and gives are exported here.
"""

from negotiation.engine.deal.cards import CARDS, Card
from negotiation.engine.deal.case.acts import Talk
from negotiation.engine.deal.case.state import ToldFact
from negotiation.engine.deal.errors import ActionRefused
from negotiation.engine.deal.game import Negotiation
from negotiation.engine.deal.persona import Persona, personas
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.scenario_file import ScenarioError, scenarios
from negotiation.engine.deal.types import (
    OTHER_SEAT,
    SIGN,
    Action,
    Belief,
    CardId,
    Headline,
    LimitMove,
    Move,
    Observation,
    Outcome,
    Reply,
    Seat,
    SeatTruth,
    Step,
    Term,
    Truth,
)

__all__ = [
    "CARDS",
    "OTHER_SEAT",
    "SIGN",
    "Action",
    "ActionRefused",
    "Belief",
    "Card",
    "CardId",
    "Headline",
    "LimitMove",
    "Move",
    "Negotiation",
    "Observation",
    "Outcome",
    "Persona",
    "Reply",
    "Scenario",
    "ScenarioError",
    "Seat",
    "SeatTruth",
    "Step",
    "Talk",
    "Term",
    "ToldFact",
    "Truth",
    "personas",
    "scenarios",
]
