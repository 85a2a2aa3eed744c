"""Opponents: strategic personas, and models that take the same seat."""

from negotiation.opponents.base import Account, Answer, Intervention, Kind, Opponent, Tell, nobody_listens
from negotiation.opponents.strategic import StrategicOpponent

__all__ = [
    "Account",
    "Answer",
    "Intervention",
    "Kind",
    "Opponent",
    "StrategicOpponent",
    "Tell",
    "nobody_listens",
]
