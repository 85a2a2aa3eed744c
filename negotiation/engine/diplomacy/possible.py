"""Every order that could be given in a position, sorted: what a person can click and a model may say."""

from __future__ import annotations

from collections.abc import Mapping

from negotiation.engine.diplomacy.geography import ARMIES, NEXT, NEXT_SET, NODES_OF, PROVINCE, REACH, SEA
from negotiation.engine.diplomacy.orders import (
    BUILD,
    CONVOY,
    DISBAND,
    HOLD,
    MOVE,
    RETREAT,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    WAIVE,
    Order,
    text,
)
from negotiation.engine.diplomacy.seaways import can_board, carried, fleets_at_sea, landings, passage
from negotiation.engine.diplomacy.state import State


def possible_orders(state: State, power: int) -> dict[int, list[Order]]:
    """What each unit of ``power`` that is to act could be ordered, keyed by its node, sorted by text.

    In winter the keys are units that may be disbanded, or the army nodes of homes that may be built on: each lists
    what can be built there and WAIVE. How many of them to use is ``state.delta(power)``. Nothing to do: empty.
    """
    if state.moving:
        standing = state.standing()
        fleets = fleets_at_sea(standing)
        shores = (
            {here: landings(fleets, here) for here, node in standing.items() if can_board(node)}
            if fleets
            else {}
        )
        return {node: _sorted(_of_unit(node, standing, fleets, shores)) for node in state.units[power]}
    if state.retreating:
        return {
            unit.node: _sorted(
                [Order(DISBAND, unit.node), *(Order(RETREAT, unit.node, to) for to in unit.options)]
            )
            for unit in state.dislodged
            if unit.power == power
        }
    delta = state.delta(power)
    if delta < 0:
        return {node: [Order(DISBAND, node)] for node in state.units[power]}
    homes = state.free_homes(power) if delta else ()
    return {
        NODES_OF[home][0]: _sorted([Order(BUILD, node) for node in NODES_OF[home]] + [Order(WAIVE, 0)])
        for home in homes
    }


def is_possible(order: Order, standing: Mapping[int, int]) -> bool:
    """Whether the unit could obey this order of a movement phase, whatever the others do.

    A support or convoy must be one that the unit can give: a fleet carries only where it is part of a route. Whether the
    other unit wants it shows in its own order.
    """
    kind, node, at, to = order
    if kind == MOVE:
        if at in NEXT_SET[node]:
            return True
        if not can_board(node) or not can_board(at):
            return False
        return passage(fleets_at_sea(standing), PROVINCE[node], PROVINCE[at])
    if kind == HOLD:
        return True
    here, other = PROVINCE[node], PROVINCE[at]
    if standing.get(other) != at or other == here:
        return False
    if kind == SUPPORT_HOLD:
        return other in REACH[node]
    if kind == SUPPORT_MOVE:
        return to in REACH[node] and to != other
    if kind != CONVOY or node < ARMIES or not SEA[here] or not can_board(at):
        return False
    return to in carried(fleets_at_sea(standing), here, other)


def _sorted(orders: list[Order]) -> list[Order]:
    return sorted(orders, key=text)


def _of_unit(
    node: int, standing: Mapping[int, int], fleets: frozenset[int], shores: Mapping[int, set[int]]
) -> list[Order]:
    """``shores``: by province of an army that fleets could carry, where to."""
    here = PROVINCE[node]
    reach = REACH[node]
    orders = [Order(HOLD, node), *(Order(MOVE, node, to) for to in NEXT[node])]
    if node < ARMIES:
        orders += [Order(MOVE, node, NODES_OF[shore][0], 1) for shore in shores.get(here, ())]
    for other, unit in standing.items():
        if other == here:
            continue
        if other in reach:
            orders.append(Order(SUPPORT_HOLD, node, unit, other))
        goals = REACH[unit] & reach
        if other in shores:
            goals |= (landings(fleets - {here}, other) if here in fleets else shores[other]) & reach
            if here in fleets:
                orders += [Order(CONVOY, node, unit, shore) for shore in carried(fleets, here, other)]
        orders += [Order(SUPPORT_MOVE, node, unit, to) for to in goals if to != here]
    return orders
