"""What every order of a phase came to, in words that are the same everywhere.

Nothing said means that it worked. ``bounce``: kept out. ``no convoy``: no fleets were ordered to carry it.
``disrupted``: a fleet on the way was dislodged. ``cut``: the support was not given. ``void``: the order could not be
obeyed, or fitted no other. ``dislodged``: the unit was driven out. ``disband``: it is gone.
"""

from __future__ import annotations

from negotiation.engine.diplomacy.adjudicate import Board
from negotiation.engine.diplomacy.geography import PROVINCE
from negotiation.engine.diplomacy.orders import CONVOY, HOLD, MOVE, SUPPORT_HOLD, SUPPORT_MOVE, Order
from negotiation.engine.diplomacy.phases import Step
from negotiation.engine.diplomacy.state import State

Results = list[dict[Order, list[str]]]


def report(before: State, step: Step) -> Results:
    """By power: each of its orders with what became of it; dislodged units without one are shown to hold."""
    if step.board is not None:
        step.board.settle()
    gone = frozenset(step.destroyed)
    results: Results = []
    for power, orders in enumerate(step.accepted):
        lines = {order: _came_to(order, step.board, gone) for order in orders}
        lines |= {order: ["void"] for owner, order in step.void if owner == power and order not in lines}
        if step.board is not None:
            lines |= _driven_from_rest(before, step.board, power, lines)
        results.append(lines)
    return results


def _driven_from_rest(
    before: State, board: Board, power: int, lines: dict[Order, list[str]]
) -> dict[Order, list[str]]:
    spoken = {order.node for order, words in lines.items() if words != ["void"]}
    return {
        Order(HOLD, node): ["dislodged"]
        for node in before.units[power]
        if node not in spoken and board.dislodger(PROVINCE[node]) >= 0
    }


def _came_to(order: Order, board: Board | None, gone: frozenset[int]) -> list[str]:
    if board is None:
        return ["disband"] if order.node in gone else []
    here = PROVINCE[order.node]
    words = []
    if order.kind == MOVE and not board.moves(here):
        if here in board.carried and not board.sails(here):
            words.append("disrupted" if board.has_route(here) else "no convoy")
        else:
            words.append("bounce")
    elif order.kind in (SUPPORT_HOLD, SUPPORT_MOVE, CONVOY) and not board.fits(here):
        words.append("void")
    elif order.kind in (SUPPORT_HOLD, SUPPORT_MOVE) and not board.gives(here):
        words.append("cut")
    elif order.kind == CONVOY and not board.has_route(PROVINCE[order.at]):
        words.append("no convoy")
    if board.dislodger(here) >= 0:
        words.append("dislodged")
    return words
