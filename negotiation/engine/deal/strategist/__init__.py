"""The minds of the personas: what to offer, when to bluff, when to accept, when to leave."""

from negotiation.engine.deal.strategist.mind import PersonaMind
from negotiation.engine.deal.strategist.types import Decision, Situation

__all__ = ["Decision", "PersonaMind", "Situation"]
