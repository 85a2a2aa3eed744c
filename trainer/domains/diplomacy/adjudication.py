"""One phase, JSON to JSON: what ``python -m trainer diplomacy adjudicate`` prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from negotiation.engine.diplomacy.geography import NODES, POWERS
from negotiation.engine.diplomacy.orders import ImpossibleOrder, Order, text
from negotiation.engine.diplomacy.phases import advance, centre_names
from negotiation.engine.diplomacy.report import report
from negotiation.engine.diplomacy.saved import (
    UnreadablePosition,
    order_from_text,
    position_from_json,
    retreats_to_json,
)
from negotiation.engine.diplomacy.state import State
from trainer.errors import BadInput

Read = list[dict[str, Order | None]]
"""By power: each order's text as it was given, and the order, or None where the board cannot hold it."""


def adjudicate(page: Any) -> dict[str, Any]:
    """Play one phase.

    Args:
        page: ``{"phase", "units", "centers", "orders", "retreats"?}``; ``retreats``, needed in a retreat phase, says
            by power and dislodged unit where it may go.

    Returns:
        ``next_phase``; ``units`` and ``centers`` of every power; ``dislodged`` units by power and in ``retreats``
        where they may go; ``results``: each order, as it was written, with what became of it
        (:mod:`negotiation.engine.diplomacy.report` lists the words; an empty list means that it worked).

    Raises:
        BadInput: naming what is wrong.
    """
    if not isinstance(page, Mapping):
        raise BadInput("stdin: must be one JSON object")
    try:
        state = position_from_json(page)
        if state.retreating and not state.dislodged:
            raise BadInput(f"retreats: {state.phase} needs {{POWER: {{unit: [places]}}}}")
        orders = _read(page.get("orders", {}), state)
    except UnreadablePosition as problem:
        raise BadInput(str(problem)) from problem
    step = advance(state, [[order for order in given.values() if order] for given in orders])
    after = step.state
    retreats = retreats_to_json(after)
    return {
        "next_phase": after.phase,
        "units": {
            name: sorted(NODES[node] for node in row) for name, row in zip(POWERS, after.units, strict=True)
        },
        "dislodged": {power: sorted(units) for power, units in retreats.items()},
        "retreats": retreats,
        "centers": {name: centre_names(after, power) for power, name in enumerate(POWERS)},
        "results": _results(orders, report(state, step)),
    }


def _read(page: Any, state: State) -> Read:
    if not isinstance(page, Mapping) or not all(isinstance(row, list) for row in page.values()):
        raise BadInput("orders: must be {POWER: [...]}")
    stranger = next((power for power in page if power not in POWERS), None)
    if stranger is not None:
        raise BadInput(f"orders: there is no power {stranger!r}")
    return [{words: _order(words, power, state) for words in page.get(power, [])} for power in POWERS]


def _order(words: Any, power: str, state: State) -> Order | None:
    if not isinstance(words, str):
        raise BadInput(f"orders of {power}: {words!r} is not text")
    try:
        return order_from_text(words, state)
    except ImpossibleOrder:
        return None


def _results(orders: Read, reported: list[dict[Order, list[str]]]) -> dict[str, list[str]]:
    results: dict[str, list[str]] = {}
    for given, lines in zip(orders, reported, strict=True):
        for words, order in given.items():
            results[words] = lines.get(order, ["void"]) if order else ["void"]
        unspoken = lines.keys() - {order for order in given.values() if order}
        results |= {text(order): lines[order] for order in sorted(unspoken)}
    return results
