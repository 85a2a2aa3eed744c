"""The board as integers: provinces, nodes, borders. Read once from ``data/standard.toml``.

A *node* is a place that one kind of unit can stand in: ``A STP``, ``F STP/NC`` and ``F STP/SC`` are three nodes of one
province. A unit's node says all about where it is and where it can go, so a unit is a power and a node. Armies come
first: node ``n`` is an army's where ``n < ARMIES``. Nodes and provinces are sorted by name.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

_BOARD: dict[str, Any] = tomllib.loads((Path(__file__).parent / "data" / "standard.toml").read_text())
_ROWS: dict[str, dict[str, Any]] = _BOARD["provinces"]
_COASTS = ("nc", "ec", "sc")

FIRST_YEAR: int = _BOARD["first_year"]
CENTRES_TO_WIN: int = _BOARD["centres_to_win"]

POWERS: tuple[str, ...] = tuple(_BOARD["powers"])
POWER_NAMES: tuple[str, ...] = tuple(row["name"] for row in _BOARD["powers"].values())
POWER_ID: dict[str, int] = {name: index for index, name in enumerate(POWERS)}
NEUTRAL = len(POWERS)
"""Who owns a centre that nobody owns."""

PROVINCES: tuple[str, ...] = tuple(sorted(_ROWS))
PROVINCE_ID: dict[str, int] = {name: index for index, name in enumerate(PROVINCES)}
PROVINCE_NAMES: tuple[str, ...] = tuple(_ROWS[name]["name"] for name in PROVINCES)
ALIASES: dict[str, int] = {
    spelling.lower(): PROVINCE_ID[name]
    for name, row in _ROWS.items()
    for spelling in (name, row["name"], *row.get("also", ()))
}
"""Every way to write a province, in lower case."""


def _fleet_rows() -> dict[str, str]:
    """Location -> what it borders for fleets; a province with coasts has one location for each."""
    rows = {}
    for name, row in _ROWS.items():
        if "fleet" in row:
            rows[name] = row["fleet"]
        rows.update({f"{name}/{coast.upper()}": row[coast] for coast in _COASTS if coast in row})
    return rows


_ARMY_ROWS: dict[str, str] = {name: row["army"] for name, row in _ROWS.items() if "army" in row}
_FLEET_ROWS = _fleet_rows()

ARMIES = len(_ARMY_ROWS)
NODES: tuple[str, ...] = (
    *(f"A {at}" for at in sorted(_ARMY_ROWS)),
    *(f"F {at}" for at in sorted(_FLEET_ROWS)),
)
"""A node's name is the unit as an order writes it."""
NODE_ID: dict[str, int] = {name: index for index, name in enumerate(NODES)}
PLACE: tuple[str, ...] = tuple(name[2:] for name in NODES)
"""By node: the location without the kind of unit."""
PROVINCE: tuple[int, ...] = tuple(PROVINCE_ID[place.split("/")[0]] for place in PLACE)
"""By node: the province it lies in."""


def _bordering(kind: str, places: str) -> tuple[int, ...]:
    return tuple(sorted(NODE_ID[f"{kind} {place}"] for place in places.split()))


NEXT: tuple[tuple[int, ...], ...] = tuple(
    _bordering(name[0], (_ARMY_ROWS if name[0] == "A" else _FLEET_ROWS)[name[2:]]) for name in NODES
)
"""By node: the nodes that its unit can move to by itself."""
NEXT_SET: tuple[frozenset[int], ...] = tuple(map(frozenset, NEXT))
REACH: tuple[frozenset[int], ...] = tuple(frozenset(PROVINCE[node] for node in row) for row in NEXT)
"""By node: the provinces that its unit can move to, and may so support into."""

NODES_OF: tuple[tuple[int, ...], ...] = tuple(
    tuple(node for node in range(len(NODES)) if PROVINCE[node] == province)
    for province in range(len(PROVINCES))
)
SEA: tuple[bool, ...] = tuple(name not in _ARMY_ROWS for name in PROVINCES)
COASTAL: tuple[bool, ...] = tuple(
    name in _ARMY_ROWS and len(NODES_OF[PROVINCE_ID[name]]) > 1 for name in PROVINCES
)
SEAS_NEXT: tuple[tuple[int, ...], ...] = tuple(
    tuple(sorted({there for node in NODES_OF[here] for there in REACH[node] if SEA[there]}))
    for here in range(len(PROVINCES))
)
"""By province: the seas that touch it, from any coast."""
COASTS_NEXT: tuple[frozenset[int], ...] = tuple(
    frozenset(shore for shore in range(len(PROVINCES)) if COASTAL[shore] and here in SEAS_NEXT[shore])
    for here in range(len(PROVINCES))
)
"""By sea: the coastal provinces that touch it."""


def _ids(names: str) -> tuple[int, ...]:
    return tuple(sorted(PROVINCE_ID[name] for name in names.split()))


HOMES: tuple[tuple[int, ...], ...] = tuple(_ids(row["home"]) for row in _BOARD["powers"].values())
CENTRES: tuple[int, ...] = tuple(
    sorted((*_ids(_BOARD["neutral_centres"]), *(c for home in HOMES for c in home)))
)
CENTRE_ID: tuple[int, ...] = tuple(
    CENTRES.index(province) if province in CENTRES else -1 for province in range(len(PROVINCES))
)
"""By province: its place in ``CENTRES``, or -1."""
OPENING: tuple[tuple[int, ...], ...] = tuple(
    tuple(sorted(NODE_ID[unit] for unit in row["units"])) for row in _BOARD["powers"].values()
)
"""By power: the nodes of its first units."""


def _steps_home(homes: Iterable[int]) -> tuple[int, ...]:
    """By node: how many moves its unit needs to the nearest of the provinces; 4.D.8 of the DATC.

    An army crosses land and sea alike, as by convoy; a fleet goes where fleets can, from coast to coast.
    """
    by_land = _steps_from(homes, lambda here: {there for node in NODES_OF[here] for there in REACH[node]})
    by_sea = _steps_from(
        (node for home in homes for node in NODES_OF[home] if node >= ARMIES), NEXT.__getitem__
    )
    return tuple(by_land[PROVINCE[node]] if node < ARMIES else by_sea[node] for node in range(len(NODES)))


def _steps_from(sources: Iterable[int], following: Callable[[int], Iterable[int]]) -> dict[int, int]:
    """Steps to everything that can be reached from the nearest source."""
    steps = dict.fromkeys(sources, 0)
    edge = list(steps)
    for here in edge:
        for there in following(here):
            if there not in steps:
                steps[there] = steps[here] + 1
                edge.append(there)
    return steps


STEPS_HOME: tuple[tuple[int, ...], ...] = tuple(map(_steps_home, HOMES))
"""By power and node: the distance to its nearest home centre; decides who is removed in civil disorder."""
