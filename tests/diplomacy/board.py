"""A phase in a line or two: units follow from the orders they are given."""

from negotiation.engine.diplomacy import advance, report, text
from negotiation.engine.diplomacy.geography import NODES, POWERS
from negotiation.engine.diplomacy.orders import ImpossibleOrder, Order
from negotiation.engine.diplomacy.saved import order_from_text, position_from_json, position_to_json


class Played:
    """A phase after it was played: where units stand, who must retreat, what each order came to."""

    def __init__(self, phase, orders, units=None, centers=None, retreats=None) -> None:
        units = (
            units
            if units is not None
            else {power: [" ".join(o.split()[:2]) for o in row] for power, row in orders.items()}
        )
        page = {"phase": phase, "units": units, "centers": centers or {}, "retreats": retreats or {}}
        self.before = position_from_json(page)
        given: list[list[Order]] = [[] for _ in POWERS]
        for power, row in orders.items():
            for words in row:
                try:
                    given[POWERS.index(power)].append(order_from_text(words, self.before))
                except ImpossibleOrder:
                    continue
        self.step = advance(self.before, given)
        self.state = self.step.state
        self.page = position_to_json(self.state)
        self.units = {unit for row in self.state.units for unit in (NODES[node] for node in row)}
        self.retreats = {
            unit: places for row in self.page.get("retreats", {}).values() for unit, places in row.items()
        }
        self.dislodged = set(self.retreats) | {NODES[node] for node in self.step.destroyed}
        self.results = {
            text(order): words for lines in report(self.before, self.step) for order, words in lines.items()
        }


def moved(**orders):
    """A spring phase; powers by lower-case name, orders separated by commas."""
    return Played(
        "S1901M", {name.upper(): [o.strip() for o in row.split(",")] for name, row in orders.items()}
    )
