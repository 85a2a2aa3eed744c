"""Games as JSON: what a position, and a whole game, look like on paper. ``docs/diplomacy.md`` documents the format.

A game is its orders: phases follow from the opening, so a file is checked by playing it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from negotiation.engine.diplomacy.geography import (
    CENTRE_ID,
    CENTRES,
    NEUTRAL,
    NODES,
    PLACE,
    POWER_ID,
    POWERS,
    PROVINCE,
    PROVINCE_ID,
    PROVINCES,
)
from negotiation.engine.diplomacy.orders import (
    MOVE,
    RETREAT,
    ImpossibleOrder,
    Order,
    UnreadableOrder,
    parse,
    parse_unit,
    text,
)
from negotiation.engine.diplomacy.phases import Orders, Step, advance, centre_names
from negotiation.engine.diplomacy.state import Dislodged, State, opening, parse_phase

FORMAT = "parlay-diplomacy/1"


class UnreadablePosition(ValueError):
    """The JSON is not a position, or not a game; the message names what is wrong."""


def position_to_json(state: State) -> dict[str, Any]:
    """``{"phase", "units", "centers", "retreats"?}``, powers that have none left out, lists sorted."""
    page: dict[str, Any] = {
        "phase": state.phase,
        "units": {
            POWERS[power]: sorted(NODES[node] for node in row) for power, row in enumerate(state.units) if row
        },
        "centers": {
            name: names for power, name in enumerate(POWERS) if (names := centre_names(state, power))
        },
    }
    if state.dislodged:
        page["retreats"] = retreats_to_json(state)
    return page


def retreats_to_json(state: State) -> dict[str, dict[str, list[str]]]:
    """By power and dislodged unit: the places that it may go to."""
    page: dict[str, dict[str, list[str]]] = {}
    for unit in state.dislodged:
        page.setdefault(POWERS[unit.power], {})[NODES[unit.node]] = sorted(
            PLACE[node] for node in unit.options
        )
    return page


def position_from_json(page: Mapping[str, Any]) -> State:
    """Read a position.

    Raises:
        UnreadablePosition: if it is none; the message names the value at fault.
    """
    try:
        year, season = parse_phase(_string(page.get("phase"), "phase"))
    except ValueError as problem:
        raise UnreadablePosition(str(problem)) from problem
    units = [
        tuple(sorted(_unit(word, f"units of {power}") for word in row if not str(word).startswith("*")))
        for power, row in _rows(page.get("units", {}), "units")
    ]
    places = [PROVINCE[node] for row in units for node in row]
    crowded = next((place for place in places if places.count(place) > 1), None)
    if crowded is not None:
        raise UnreadablePosition(f"units: two of them stand in {PROVINCES[crowded]}")
    return State(
        year, season, tuple(units), _owners(page.get("centers", {})), _dislodged(page.get("retreats", {}))
    )


def orders_from_json(page: Mapping[str, Any], state: State) -> list[list[Order]]:
    """By power: orders from their texts, ``{POWER: [...]}``.

    Raises:
        UnreadablePosition: if something is no order at all.
        ImpossibleOrder: if one names a unit that is not there, or a place that no such unit can be in.
    """
    return [
        [order_from_text(_string(word, f"orders of {power}"), state) for word in row]
        for power, row in _rows(page, "orders")
    ]


def order_from_text(words: str, state: State) -> Order:
    """One order as given in ``state``.

    Raises:
        UnreadablePosition: if it is no order.
        ImpossibleOrder: as in :func:`negotiation.engine.diplomacy.orders.parse`.
    """
    standing = (
        {PROVINCE[unit.node]: unit.node for unit in state.dislodged} if state.retreating else state.standing()
    )
    try:
        order = parse(words, standing)
    except UnreadableOrder as problem:
        raise UnreadablePosition(str(problem)) from problem
    if state.retreating and order.kind == MOVE:  # as many write it
        return Order(RETREAT, order.node, order.at)
    return order


def game_to_json(orders_by_phase: Iterable[Orders], start: State | None = None) -> dict[str, Any]:
    """A whole game: the position it began from and, phase by phase, the orders given."""
    state = start or opening()
    page: dict[str, Any] = {"format": FORMAT, "start": position_to_json(state), "phases": []}
    for orders in orders_by_phase:
        step = advance(state, orders)
        page["phases"].append({"phase": state.phase, "orders": orders_to_json(orders)})
        state = step.state
    return {**page, "end": position_to_json(state)}


def orders_to_json(orders: Orders) -> dict[str, list[str]]:
    """By power: the texts of its orders; powers without any left out."""
    return {POWERS[power]: [text(order) for order in row] for power, row in enumerate(orders) if row}


def game_from_json(page: Mapping[str, Any]) -> tuple[State, list[Step]]:
    """Read a game by playing it: the position it began from, and every step.

    Raises:
        UnreadablePosition: if it is no game, or its phases do not follow from its orders.
    """
    if page.get("format") != FORMAT:
        raise UnreadablePosition(f"format: {page.get('format')!r} is not {FORMAT!r}")
    state = start = position_from_json(page["start"])
    steps = []
    for row in page["phases"]:
        if row["phase"] != state.phase:
            raise UnreadablePosition(f"phases: {row['phase']!r} stands where {state.phase!r} follows")
        try:
            orders = orders_from_json(row["orders"], state)
        except ImpossibleOrder as problem:
            raise UnreadablePosition(f"phases: in {state.phase}, {problem}") from problem
        steps.append(advance(state, orders))
        state = steps[-1].state
    if position_to_json(state) != page["end"]:
        raise UnreadablePosition(f"end: the orders lead elsewhere, to {state.phase}")
    return start, steps


def _owners(page: Any) -> tuple[int, ...]:
    owners = [NEUTRAL] * len(CENTRES)
    for power, row in _rows(page, "centers"):
        for word in row:
            province = PROVINCE_ID.get(str(word).upper(), -1)
            if province < 0 or CENTRE_ID[province] < 0:
                raise UnreadablePosition(f"centers of {power}: {word!r} is no supply centre")
            if owners[CENTRE_ID[province]] != NEUTRAL:
                raise UnreadablePosition(f"centers of {power}: {word!r} is somebody else's too")
            owners[CENTRE_ID[province]] = POWER_ID[power]
    return tuple(owners)


def _dislodged(page: Any) -> tuple[Dislodged, ...]:
    if not isinstance(page, Mapping):
        raise UnreadablePosition("retreats: must be {POWER: {unit: [places]}}")
    found = []
    for power, row in page.items():
        if power not in POWER_ID or not isinstance(row, Mapping):
            raise UnreadablePosition(f"retreats: {power!r} must be a power with {{unit: [places]}}")
        for word, places in row.items():
            node = _unit(word, f"retreats of {power}")
            options = sorted(_unit(f"{NODES[node][0]} {place}", f"retreats of {power}") for place in places)
            found.append(Dislodged(POWER_ID[power], node, tuple(options)))
    return tuple(found)


def _rows(page: Any, what: str) -> list[tuple[str, Sequence[Any]]]:
    """Every power's list, in the order of the powers."""
    if not isinstance(page, Mapping):
        raise UnreadablePosition(f"{what}: must be {{POWER: [...]}}")
    for power, row in page.items():
        if power not in POWER_ID:
            raise UnreadablePosition(f"{what}: there is no power {power!r}")
        if not isinstance(row, list):
            raise UnreadablePosition(f"{what} of {power}: must be a list")
    return [(power, page.get(power, [])) for power in POWERS]


def _unit(word: Any, where: str) -> int:
    try:
        return parse_unit(_string(word, where))
    except UnreadableOrder as problem:
        raise UnreadablePosition(f"{where}: {problem}") from problem


def _string(word: Any, where: str) -> str:
    if not isinstance(word, str):
        raise UnreadablePosition(f"{where}: {word!r} is not text")
    return word
