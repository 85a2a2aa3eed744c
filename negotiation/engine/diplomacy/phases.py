"""From one phase to the next: check orders, adjudicate, retreat, capture, build. Pure functions of a state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from negotiation.engine.diplomacy.adjudicate import Board
from negotiation.engine.diplomacy.geography import (
    ARMIES,
    CENTRE_ID,
    CENTRES,
    CENTRES_TO_WIN,
    NEXT,
    NODES,
    POWERS,
    PROVINCE,
    PROVINCES,
    STEPS_HOME,
)
from negotiation.engine.diplomacy.orders import BUILD, DISBAND, MOVE, RETREAT, WAIVE, Order
from negotiation.engine.diplomacy.possible import is_possible
from negotiation.engine.diplomacy.state import (
    FALL,
    FALL_RETREATS,
    OVER,
    SPRING,
    SPRING_RETREATS,
    WINTER,
    Dislodged,
    State,
)

Orders = Sequence[Sequence[Order]]
"""By power: its orders, one for each unit; a unit without one holds, or is disbanded where it must retreat."""
NO_ORDERS: Orders = tuple(() for _ in POWERS)


class Step(NamedTuple):
    """One phase played."""

    state: State
    """The position after it, in the next phase in which somebody has something to do."""
    accepted: tuple[tuple[Order, ...], ...]
    """By power: the orders that counted."""
    void: tuple[tuple[int, Order], ...]
    """Power and order of those that did not: impossible, another's unit, or a second one for the same unit."""
    board: Board | None = None
    """The adjudication, in a movement phase."""
    destroyed: tuple[int, ...] = ()
    """Nodes of units that ceased to be: no retreat, a clash of retreats, civil disorder."""


def advance(state: State, orders: Orders) -> Step:
    """Play the phase that ``state`` is in.

    Raises:
        ValueError: if the game is over.
    """
    if state.moving:
        return _movement(state, orders)
    if state.retreating:
        return _retreats(state, orders)
    if state.season == WINTER:
        return _adjustments(state, orders)
    raise ValueError("the game is over")


def _movement(state: State, orders: Orders) -> Step:
    power_at = [-1] * len(PROVINCES)
    standing = {}
    for power, row in enumerate(state.units):
        for node in row:
            province = PROVINCE[node]
            power_at[province] = power
            standing[province] = node
    accepted, void, flat = [], [], []
    for power, wanted in enumerate(orders):
        waiting = set(state.units[power])
        kept = []
        for order in wanted:
            if order.node in waiting and is_possible(order, standing):
                waiting.discard(order.node)
                kept.append(order)
            else:
                void.append((power, order))
        accepted.append(tuple(kept))
        flat += kept
    board = Board(power_at, flat)
    board.settle_moves()
    moved = {
        order.node: order.at for order in flat if order.kind == MOVE and board.moves(PROVINCE[order.node])
    }
    came_from = {PROVINCE[at]: PROVINCE[node] for node, at in moved.items()}
    rows, driven = [], []
    for power, row in enumerate(state.units):
        stay = []
        for node in row:
            if node in moved:
                stay.append(moved[node])
            elif PROVINCE[node] in came_from:
                driven.append((power, node))
            else:
                stay.append(node)
        stay.sort()
        rows.append(tuple(stay))
    dislodged = _driven_out(board, driven, came_from, rows) if driven else ()
    after = State(
        state.year, state.season, tuple(rows), state.owners, tuple(u for u in dislodged if u.options)
    )
    gone = tuple(unit.node for unit in dislodged if not unit.options)
    return Step(_following(after), tuple(accepted), tuple(void), board, gone)


def _driven_out(
    board: Board, driven: Sequence[tuple[int, int]], came_from: dict[int, int], rows: Sequence[Sequence[int]]
) -> tuple[Dislodged, ...]:
    """The dislodged units and where each may go: not to a taken or contested place, nor whence it was attacked."""
    taken = {PROVINCE[node] for row in rows for node in row}
    dislodged = []
    for power, node in driven:
        attacker = came_from[PROVINCE[node]]
        barred = -1 if attacker in board.carried else attacker
        options = tuple(
            there
            for there in NEXT[node]
            if PROVINCE[there] not in taken
            and PROVINCE[there] != barred
            and not board.contested(PROVINCE[there])
        )
        dislodged.append(Dislodged(power, node, options))
    return tuple(dislodged)


def _retreats(state: State, orders: Orders) -> Step:
    waiting = {(unit.power, unit.node): unit for unit in state.dislodged}
    accepted, void = [], []
    for power, wanted in enumerate(orders):
        kept = []
        for order in wanted:
            unit = waiting.get((power, order.node))
            fits = unit and (order.kind == DISBAND or (order.kind == RETREAT and order.at in unit.options))
            if fits:
                del waiting[power, order.node]
                kept.append(order)
            else:
                void.append((power, order))
        accepted.append(tuple(kept))
    goals = [PROVINCE[order.at] for kept in accepted for order in kept if order.kind == RETREAT]
    rows, saved = [], set()
    for power, row in enumerate(state.units):
        arriving = [o for o in accepted[power] if o.kind == RETREAT and goals.count(PROVINCE[o.at]) == 1]
        saved |= {order.node for order in arriving}
        rows.append(tuple(sorted((*row, *(order.at for order in arriving)))))
    gone = tuple(unit.node for unit in state.dislodged if unit.node not in saved)
    after = state._replace(units=tuple(rows), dislodged=())
    return Step(_following(after), tuple(accepted), tuple(void), None, gone)


def _adjustments(state: State, orders: Orders) -> Step:
    accepted, void, rows, gone = [], [], [], []
    for power, wanted in enumerate(orders):
        delta = state.delta(power)
        homes = set(state.free_homes(power)) if delta > 0 else set()
        row = set(state.units[power])
        kept: list[Order] = []
        for order in wanted:
            building = order.kind == BUILD and PROVINCE[order.node] in homes
            leaving = order.kind == DISBAND and delta < 0 and order.node in row
            if len(kept) < abs(delta) and (building or leaving or (order.kind == WAIVE and delta > 0)):
                kept.append(order)
                if building:
                    homes.discard(PROVINCE[order.node])
                    row.add(order.node)
                row -= {order.node} if leaving else set()
            else:
                void.append((power, order))
        missing = _disorder(power, row)[: max(0, -delta - len(kept))]
        gone += missing
        rows.append(tuple(sorted(row.difference(missing))))
        accepted.append(tuple(kept))
    after = state._replace(units=tuple(rows))
    return Step(_following(after), tuple(accepted), tuple(void), None, tuple(gone))


def _disorder(power: int, row: set[int]) -> list[int]:
    """A power's units in the order in which they are removed if it does not say: far ones, fleets, by name."""
    return sorted(row, key=lambda node: (-STEPS_HOME[power][node], node < ARMIES, NODES[node]))


def _following(state: State) -> State:
    """The next phase in which somebody has something to do."""
    year, season = state.year, state.season
    if state.dislodged:
        return state._replace(season=SPRING_RETREATS if season == SPRING else FALL_RETREATS)
    if season in (SPRING, SPRING_RETREATS):
        return state._replace(season=FALL)
    if season in (FALL, FALL_RETREATS):
        state = _captured(state)
        if state.season == OVER or any(state.delta(power) for power in range(len(POWERS))):
            return state
    return state._replace(year=year + 1, season=SPRING)


def _captured(state: State) -> State:
    """Winter, with every occupied centre in the hands of its occupier; or the end, if somebody has won."""
    owners = list(state.owners)
    for power, row in enumerate(state.units):
        for node in row:
            centre = CENTRE_ID[PROVINCE[node]]
            if centre >= 0:
                owners[centre] = power
    won = any(owners.count(power) >= CENTRES_TO_WIN for power in range(len(POWERS)))
    return state._replace(owners=tuple(owners), season=OVER if won else WINTER)


def centre_names(state: State, power: int) -> list[str]:
    """The names of a power's centres, sorted."""
    return sorted(PROVINCES[CENTRES[i]] for i, owner in enumerate(state.owners) if owner == power)
