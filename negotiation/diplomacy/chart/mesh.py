"""The map as a planar mesh: lines between points become faces, and neighbours share their lines exactly.

``lines.toml`` holds longitude and latitude; they are bent onto the page here, axis by axis. Every line is then
roughened a little, once, so that coasts look like coasts and both sides of a border still are the same points. Walking
each line in both directions and always turning the sharpest way left at a point gives the faces, and each must hold
exactly one of the named points inside. So no two provinces can overlap, and none leaves a gap.
"""

from __future__ import annotations

import math
import tomllib
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

Point = tuple[float, float]
"""Units of the page: x to the right, y downwards."""
Ring = tuple[Point, ...]

_ROUGH = {"frame": 0.0, "coast": 0.10, "land": 0.045, "sea": 0.0}
"""How far the middle of a stretch leaves its straight line, as a share of its length."""
_SHORT = 9.0
"""Stretches below this length are drawn as they are."""


class BrokenMesh(ValueError):
    """The lines do not make the faces that are named; the message says where."""


@dataclass(frozen=True, slots=True)
class Border:
    """One line: what kind it was drawn as, and the faces on its two sides ("" outside the frame)."""

    kind: str
    line: Ring
    sides: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Mesh:
    """The page, its faces by name, and the lines between them."""

    width: float
    height: float
    faces: dict[str, Ring]
    borders: tuple[Border, ...]
    inside: dict[str, Point]
    """A point in each face: where a unit stands."""


@lru_cache(maxsize=1)
def mesh() -> Mesh:
    """The board.

    Raises:
        BrokenMesh: if ``lines.toml`` does not close, or a face has no name or two.
    """
    return build(tomllib.loads((Path(__file__).parent / "lines.toml").read_text()))


def build(page: dict[str, Any]) -> Mesh:
    """The mesh of a drawing, as :func:`mesh`."""
    bend = _Bend(page["bend"])
    points = {name: bend(_pair(words)) for name, words in page["points"].items()}
    lines = [
        (kind, _rough(_along(words, points, bend), _ROUGH[kind]))
        for kind, rows in page["lines"].items()
        for words in rows
    ]
    inside = {name: bend(_pair(words)) for name, words in page["inside"].items()}
    rings, sides = _walk(lines)
    names = _named(rings, inside)
    return Mesh(
        *bend.size,
        {names[i]: ring for i, ring in enumerate(rings) if i in names},
        tuple(
            Border(kind, line, (names.get(left, ""), names.get(right, "")))
            for (kind, line), (left, right) in zip(lines, sides, strict=True)
        ),
        inside,
    )


class _Bend:
    """Degrees to units of the page, piecewise straight on each axis."""

    def __init__(self, bend: dict[str, list[list[float]]]) -> None:
        self._x = sorted(map(tuple, bend["longitude"]))
        self._y = sorted(map(tuple, bend["latitude"]))

    @property
    def size(self) -> Point:
        return self._x[-1][1], self._y[0][1]

    def __call__(self, place: Point) -> Point:
        return self._axis(self._x, place[0]), self._axis(self._y, place[1])

    @staticmethod
    def _axis(knots: Sequence[Any], value: float) -> float:
        at = min(max(bisect_right([knot[0] for knot in knots], value), 1), len(knots) - 1)
        (low, start), (high, end) = knots[at - 1], knots[at]
        return float(round(start + (end - start) * (value - low) / (high - low), 1))


def _pair(words: str) -> Point:
    longitude, latitude = words.split(",")
    return float(longitude), float(latitude)


def _along(words: str, points: dict[str, Point], bend: _Bend) -> Ring:
    found = []
    for word in words.split():
        if word not in points and "," not in word:
            raise BrokenMesh(f"{words!r}: there is no point {word!r}")
        found.append(points[word] if word in points else bend(_pair(word)))
    return tuple(found)


def _rough(line: Ring, share: float) -> Ring:
    """The line with its longer stretches broken, again and again, a little off the straight; always the same way."""
    if not share:
        return line
    drawn = [line[0]]
    for start, end in pairwise(line):
        drawn += _broken(start, end, share)
    return tuple(drawn)


def _broken(start: Point, end: Point, share: float) -> list[Point]:
    length = math.dist(start, end)
    if length < _SHORT:
        return [end]
    off = share * length * _wobble(start, end)
    across = ((start[1] - end[1]) / length, (end[0] - start[0]) / length)
    middle = (
        round((start[0] + end[0]) / 2 + off * across[0], 1),
        round((start[1] + end[1]) / 2 + off * across[1], 1),
    )
    return [*_broken(start, middle, share), *_broken(middle, end, share)]


def _wobble(start: Point, end: Point) -> float:
    """From -1 to 1, by where the stretch lies: the drawing needs no seed and never changes."""
    return (
        2 * math.modf(abs(math.sin(start[0] * 12.9898 + start[1] * 78.233 + end[0] * 37.719) * 43758.5453))[0]
        - 1
    )


def _walk(lines: Sequence[tuple[str, Ring]]) -> tuple[list[Ring], list[tuple[int, int]]]:
    """Every face as a ring, the outside included, and by line the rings on its left and right."""
    leaving: dict[Point, list[tuple[float, int, bool]]] = defaultdict(list)
    for number, (_, line) in enumerate(lines):
        for forward in (True, False):
            here, there = (line[0], line[1]) if forward else (line[-1], line[-2])
            leaving[here].append((math.atan2(there[1] - here[1], there[0] - here[0]), number, forward))
    for place, ends in leaving.items():
        if len(ends) < 2:
            raise BrokenMesh(f"line {ends[0][1]} ({lines[ends[0][1]][1]}) ends in nothing at {place}")
        ends.sort()
    ring_of: dict[tuple[int, bool], int] = {}
    rings: list[Ring] = []
    for number in range(len(lines)):
        for forward in (True, False):
            if (number, forward) in ring_of:
                continue
            ring: list[Point] = []
            step = (number, forward)
            while step not in ring_of:
                ring_of[step] = len(rings)
                line = lines[step[0]][1]
                way = line if step[1] else line[::-1]
                ring += way[:-1]
                step = _turned(leaving[way[-1]], step)
            rings.append(tuple(ring))
    return rings, [(ring_of[n, True], ring_of[n, False]) for n in range(len(lines))]


def _turned(ends: Sequence[tuple[float, int, bool]], came: tuple[int, bool]) -> tuple[int, bool]:
    """The line to go on with: the next one round the point from the one that we came by."""
    back = next(i for i, (_, number, forward) in enumerate(ends) if (number, not forward) == came)
    _, number, forward = ends[(back + 1) % len(ends)]
    return number, forward


def _named(rings: Sequence[Ring], inside: dict[str, Point]) -> dict[int, str]:
    """Which face each named point lies in; the outside, which runs the other way round, has no name."""
    outer = [i for i, ring in enumerate(rings) if area(ring) > 0]
    names: dict[int, str] = {}
    for name, point in inside.items():
        home = [i for i, ring in enumerate(rings) if i not in outer and contains(ring, point)]
        if len(home) != 1:
            raise BrokenMesh(f"{name}: lies in {len(home)} faces")
        if home[0] in names:
            raise BrokenMesh(f"{name} and {names[home[0]]} lie in one face")
        names[home[0]] = name
    nameless = [rings[i][0] for i in range(len(rings)) if i not in names and i not in outer]
    if nameless or len(outer) != 1:
        raise BrokenMesh(f"faces without a name begin at {nameless}; {len(outer)} outsides")
    return names


def area(ring: Ring) -> float:
    """Signed; above zero where the ring runs clockwise on the page."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, (*ring[1:], ring[0]), strict=True)) / 2


def contains(ring: Ring, point: Point) -> bool:
    """Whether a point lies inside."""
    x, y = point
    odd = False
    for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            odd = not odd
    return odd


def gap(ring: Ring, point: Point) -> float:
    """How far a point is from the nearest border of a face, in units of the page."""
    return min(_to_stretch(point, a, b) for a, b in pairwise((*ring, ring[0])))


def _to_stretch(point: Point, a: Point, b: Point) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    along = ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / (dx * dx + dy * dy or 1.0)
    share = max(0.0, min(1.0, along))
    return math.dist(point, (a[0] + share * dx, a[1] + share * dy))
