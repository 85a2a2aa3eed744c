"""Two yardsticks: one that never moves, one that moves at random."""

from __future__ import annotations

from negotiation.engine.diplomacy.bots.base import Bot
from negotiation.engine.diplomacy.chance import Draws
from negotiation.engine.diplomacy.geography import PROVINCE
from negotiation.engine.diplomacy.orders import Order
from negotiation.engine.diplomacy.possible import possible_orders
from negotiation.engine.diplomacy.press.ledger import Ledger
from negotiation.engine.diplomacy.state import WINTER, State


class HoldBot(Bot):
    """Holds, disbands what must retreat, builds nothing."""

    def orders(self, state: State, power: int, draws: Draws, ledger: Ledger) -> list[Order]:
        """Nothing said is all that holding takes."""
        return []


class RandomBot(Bot):
    """Gives every unit one of its possible orders, each as likely as the others."""

    def orders(self, state: State, power: int, draws: Draws, ledger: Ledger) -> list[Order]:
        """One number a province chooses among the orders of its unit; another shuffles homes and units in winter."""
        possible = possible_orders(state, power)
        places = sorted(possible, key=lambda node: float(draws[PROVINCE[node], 0]))
        if state.season == WINTER:
            places = places[: abs(state.delta(power))]
        return [possible[node][int(draws[PROVINCE[node], 1] * len(possible[node]))] for node in places]
