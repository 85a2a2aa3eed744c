"""Opponents: strategic personas today, and the protocol by which others take the same seat."""

from negotiation.opponents.base import Opponent
from negotiation.opponents.strategic import StrategicOpponent

__all__ = ["Opponent", "StrategicOpponent"]
