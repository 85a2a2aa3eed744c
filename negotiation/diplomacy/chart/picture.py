"""The map as the page draws it: one path a province, the borders by kind, where names, units and stars stand."""

from __future__ import annotations

import math
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

from negotiation.diplomacy.chart.mesh import Point, Ring, contains, gap, mesh
from negotiation.engine.diplomacy.geography import (
    CENTRE_ID,
    HOMES,
    POWERS,
    PROVINCE_ID,
    PROVINCE_NAMES,
    PROVINCES,
    SEA,
)

_NAME_AT: tuple[Point, ...] = (
    (0, 41),
    (0, -32),
    (46, 8),
    (-46, 8),
    (36, 32),
    (-36, 32),
    (36, -24),
    (-36, -24),
)
_STAR_AT: tuple[Point, ...] = (
    (-34, -20), (34, -20), (-38, 4), (38, 4), (-30, 24), (30, 24), (-44, -8), (44, -8), (-22, 36), (22, 36), (-20, -32),
    (20, -32), (0, -42), (0, 44), (-44, 18), (44, 18),
)  # fmt: skip
"""Where a name and a star may stand, beside the unit; the earlier ones are liked better."""
_ENOUGH = 13.0
"""From a border: with so much room nothing further is looked for."""
_OUTSIDE = 100.0
"""What standing in a neighbour costs, in the same units."""
_HALF_LETTER, _NAME_ROOM = 7.0, 16.0
"""From the foot of a name up to its middle; around that, how far it reaches."""


@lru_cache(maxsize=1)
def picture() -> dict[str, Any]:
    """Everything that never changes, ready for a template and for a script."""
    board = mesh()
    homes = {province: POWERS[power] for power, row in enumerate(HOMES) for province in row}
    provinces = [_province(name, homes.get(PROVINCE_ID[name], "")) for name in PROVINCES]
    return {
        "width": board.width,
        "height": board.height,
        "provinces": provinces,
        "nobody": [
            path_of(ring, closed=True) for name, ring in board.faces.items() if name not in PROVINCE_ID
        ],
        "coasts": _strokes("coast"),
        "lands": _strokes("land"),
        "seas": _strokes("sea"),
        "spots": {name: list(point) for name, point in spots().items()},
    }


def _province(name: str, home: str) -> dict[str, Any]:
    ring, unit = mesh().faces[name], spots()[name]
    label = _beside(ring, unit, _NAME_AT)
    return {
        "id": name,
        "name": PROVINCE_NAMES[PROVINCE_ID[name]],
        "path": path_of(ring, closed=True),
        "sea": SEA[PROVINCE_ID[name]],
        "centre": CENTRE_ID[PROVINCE_ID[name]] >= 0,
        "home": home,
        "unit": unit,
        "label": label,
        "star": _places()["star"].get(name)
        or _beside(ring, unit, _STAR_AT, (label[0], label[1] - _HALF_LETTER)),
    }


@lru_cache(maxsize=1)
def spots() -> dict[str, Point]:
    """By location, coasts included (``STP/SC``): where a unit stands."""
    board, places = mesh(), _places()
    found = {name: places["unit"].get(name, board.inside[name]) for name in PROVINCES}
    return found | places["coast"]


def path_of(line: Ring, *, closed: bool = False) -> str:
    """An SVG path in whole tenths, each point as a step from the one before: less than half the size."""
    at, words = (0.0, 0.0), []
    for number, (x, y) in enumerate(line):
        step = f"{_tenth(x - at[0])} {_tenth(y - at[1])}"
        words.append(("m" if number == 0 else "l" if number == 1 else "") + step)
        at = (x, y)
    return " ".join(words) + ("z" if closed else "")


def _strokes(kind: str) -> str:
    return "".join(
        "M" + f"{line[0][0]} {line[0][1]}" + path_of(line)[len(path_of(line[:1])) :]
        for border in mesh().borders
        if border.kind == kind
        for line in (border.line,)
    )


def _tenth(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _beside(ring: Ring, unit: Point, offsets: tuple[Point, ...], taken: Point | None = None) -> Point:
    """The first of some places beside a unit that has room inside the province, else the roomiest.

    ``taken`` is the middle of the name, which a star keeps away from.
    """
    rated = []
    for dx, dy in offsets:
        place = (round(unit[0] + dx, 1), round(unit[1] + dy, 1))
        room = gap(ring, place) - (0 if contains(ring, place) else _OUTSIDE)
        room = room if taken is None else min(room, math.dist(place, taken) - _NAME_ROOM)
        if room >= _ENOUGH:
            return place
        rated.append((room, place))
    return max(rated)[1]


@lru_cache(maxsize=1)
def _places() -> dict[str, dict[str, Point]]:
    """Places set by hand, in units of the page, where the rule of thumb would put things over a border."""
    page = tomllib.loads((Path(__file__).parent / "places.toml").read_text())
    return {kind: {name: (float(x), float(y)) for name, (x, y) in page[kind].items()} for kind in page}
