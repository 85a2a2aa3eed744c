"""What every player of the board has in common."""

from __future__ import annotations

from abc import ABC, abstractmethod

from negotiation.engine.diplomacy.chance import Draws
from negotiation.engine.diplomacy.orders import Order
from negotiation.engine.diplomacy.press.ledger import Ledger
from negotiation.engine.diplomacy.state import State


class Bot(ABC):
    """One power's player."""

    @abstractmethod
    def orders(self, state: State, power: int, draws: Draws, ledger: Ledger) -> list[Order]:
        """The orders of ``power`` in ``state``: possible ones only, at most one for each unit.

        Chance enters through ``draws`` alone, the numbers of this power and phase. ``ledger`` is what was promised so
        far; a bot that reads no press does not look at it.
        """
