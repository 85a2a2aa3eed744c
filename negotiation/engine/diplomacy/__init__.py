"""Diplomacy: seven powers, 75 provinces, words that bind only as far as they are kept.

``opening()`` makes a position, ``possible_orders`` says what can be ordered in it, ``advance`` plays a phase. All are
pure functions of an immutable :class:`State`. Bots are in :mod:`.bots`, press and promises in :mod:`.press`.
"""

from negotiation.engine.diplomacy.chance import Chance
from negotiation.engine.diplomacy.geography import POWERS
from negotiation.engine.diplomacy.orders import ImpossibleOrder, Order, UnreadableOrder, parse, text
from negotiation.engine.diplomacy.phases import Step, advance
from negotiation.engine.diplomacy.possible import possible_orders
from negotiation.engine.diplomacy.report import report
from negotiation.engine.diplomacy.state import State, opening

__all__ = [
    "POWERS",
    "Chance",
    "ImpossibleOrder",
    "Order",
    "State",
    "Step",
    "UnreadableOrder",
    "advance",
    "opening",
    "parse",
    "possible_orders",
    "report",
    "text",
]
