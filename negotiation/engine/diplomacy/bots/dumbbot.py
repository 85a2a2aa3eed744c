"""DumbBot: wants places, walks there with a little chance, supports where somebody of its own is already going.

After David Norman's DumbBot, from its description; :mod:`.values` says what a place is worth. Units decide one
after another in random order. A unit takes the best place it can reach, or, by chance, the next best where that is
worth nearly as much. If the place is held by a unit that has not decided yet, that one decides first.
"""

from __future__ import annotations

from collections.abc import Sequence

from negotiation.engine.diplomacy.bots.base import Bot
from negotiation.engine.diplomacy.bots.values import Desires, desires
from negotiation.engine.diplomacy.chance import NUMBERS, Draws
from negotiation.engine.diplomacy.geography import NEXT, NODES_OF, PROVINCE
from negotiation.engine.diplomacy.orders import (
    BUILD,
    DISBAND,
    HOLD,
    MOVE,
    RETREAT,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    Order,
)
from negotiation.engine.diplomacy.press.ledger import Ledger
from negotiation.engine.diplomacy.state import State

_ALTERNATIVE = 0.5
_DIFFERENCE = 5.0
Numbers = Sequence[float]


class DumbBot(Bot):
    """Plays for places, trusts nobody, says nothing."""

    def orders(self, state: State, power: int, draws: Draws, ledger: Ledger) -> list[Order]:
        """The orders of ``power``."""
        return play(state, power, draws, desires(state, power))


def play(state: State, power: int, draws: Draws, wanted: Desires) -> list[Order]:
    """The orders of a power that wants these things."""
    if state.moving:
        row = state.units[power]
        numbers = dict(zip(row, draws[[PROVINCE[node] for node in row]].tolist(), strict=True))
        return _Campaign(row, wanted, numbers).orders()
    if state.retreating:
        return _retreats(state, power, draws, wanted.value)
    delta = state.delta(power)
    return (
        _builds(state, power, draws, wanted.value, delta)
        if delta > 0
        else _disbands(state, power, draws, wanted.value, -delta)
    )


def _walk(nodes: Sequence[int], value: Sequence[float], numbers: Numbers, use: int) -> int:
    """Which of the nodes, best first, is taken: the first, or one further on if chance and values allow.

    ``use`` is the first of the numbers to use; the first of all orders the units.
    """
    last = len(nodes) - 1
    for i in range(last):
        here, following = value[nodes[i]], value[nodes[i + 1]]
        number = numbers[1 + (use + i) % (NUMBERS - 1)]
        if number >= _ALTERNATIVE or number * abs(here) < _DIFFERENCE * (here - following):
            return i
    return last


class _Campaign:
    """One power's movement phase, unit by unit."""

    def __init__(self, row: Sequence[int], wanted: Desires, numbers: dict[int, Numbers]) -> None:
        self._value, self._competition = wanted
        self._numbers = numbers
        self._at = {PROVINCE[node]: node for node in row}
        self._bound: dict[int, int] = {}
        self._given: dict[int, Order] = {}
        self._deciding: set[int] = set()

    def orders(self) -> list[Order]:
        for node in sorted(self._at.values(), key=lambda node: self._numbers[node][0]):
            if node not in self._given:
                self._decide(node)
        return list(self._given.values())

    def _decide(self, node: int) -> None:
        self._deciding.add(node)
        places = sorted((*NEXT[node], node), key=self._value.__getitem__, reverse=True)
        used = 0
        while node not in self._given:
            chosen = _walk(places, self._value, self._numbers[node], used)
            used += chosen + 1
            order = self._order(node, places.pop(chosen))
            if order is not None:
                self._given[node] = order
        self._deciding.discard(node)

    def _order(self, node: int, goal: int) -> Order | None:
        """The order that serves to have ``goal``; None where the unit had better want something else."""
        if goal == node:
            return Order(HOLD, node)
        place = PROVINCE[goal]
        holder = self._at.get(place)
        if holder is not None:
            if holder not in self._given:
                if holder in self._deciding:
                    return None
                self._decide(holder)
            if self._given[holder].kind != MOVE:
                contested = self._competition[place] > 1
                return Order(SUPPORT_HOLD, node, holder, place) if contested else None
        friend = self._bound.get(place)
        if friend is not None:
            return Order(SUPPORT_MOVE, node, friend, place) if self._competition[place] > 0 else None
        self._bound[place] = node
        return Order(MOVE, node, goal)


def _retreats(state: State, power: int, draws: Draws, value: Sequence[float]) -> list[Order]:
    orders, taken = [], set()
    for unit in state.dislodged:
        if unit.power != power:
            continue
        options = sorted(
            (node for node in unit.options if PROVINCE[node] not in taken),
            key=value.__getitem__,
            reverse=True,
        )
        if not options:
            orders.append(Order(DISBAND, unit.node))
            continue
        to = options[_walk(options, value, draws[PROVINCE[unit.node]].tolist(), 0)]
        taken.add(PROVINCE[to])
        orders.append(Order(RETREAT, unit.node, to))
    return orders


def _builds(state: State, power: int, draws: Draws, value: Sequence[float], count: int) -> list[Order]:
    homes = state.free_homes(power)
    options = sorted((node for home in homes for node in NODES_OF[home]), key=value.__getitem__, reverse=True)
    orders: list[Order] = []
    for _ in range(count):
        node = options[_walk(options, value, draws[PROVINCE[options[0]]].tolist(), 0)]
        orders.append(Order(BUILD, node))
        options = [other for other in options if PROVINCE[other] != PROVINCE[node]]
    return orders


def _disbands(state: State, power: int, draws: Draws, value: Sequence[float], count: int) -> list[Order]:
    """The least wanted places are given up."""
    return [Order(DISBAND, node) for node in sorted(state.units[power], key=value.__getitem__)[:count]]
