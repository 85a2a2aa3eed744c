"""The drawing of the board: a planar mesh whose neighbours are those of the rules, and the picture made of it."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from negotiation.diplomacy.chart.mesh import BrokenMesh, Mesh, Point, area, build, contains, gap, mesh
from negotiation.diplomacy.chart.picture import path_of, picture, spots
from negotiation.engine.diplomacy.geography import (
    ARMIES,
    NODES_OF,
    PLACE,
    PROVINCE_ID,
    PROVINCES,
    REACH,
)

CELL = 40
"""Stretches are compared with those of their own part of the page only."""
LEAST_ROOM = 16.0
"""From a unit's place to the nearest border, so that a glyph stands inside its province."""


@pytest.fixture(scope="module")
def board() -> Mesh:
    return mesh()


def test_every_province_is_one_face_with_its_unit_inside(board: Mesh) -> None:
    assert set(PROVINCES) <= set(board.faces)
    assert all(contains(board.faces[name], spots()[name]) for name in PROVINCES)


def test_faces_share_borders_just_where_the_rules_say_that_units_can_cross(board: Mesh) -> None:
    rules = {
        frozenset((PROVINCES[here], PROVINCES[there]))
        for here in range(len(PROVINCES))
        for node in NODES_OF[here]
        for there in REACH[node]
    }
    drawn = {frozenset(border.sides) for border in board.borders}
    assert {pair for pair in drawn if all(name in PROVINCE_ID for name in pair)} == rules


def test_faces_fill_the_page_without_gap_or_overlap(board: Mesh) -> None:
    total = sum(abs(area(ring)) for ring in board.faces.values())
    assert total == pytest.approx(board.width * board.height, rel=1e-9)
    uses = Counter(frozenset((a, b)) for ring in board.faces.values() for a, b in pairwise((*ring, ring[0])))
    edge = {step for step, count in uses.items() if count == 1}
    assert set(uses.values()) == {1, 2}
    assert all(_on_frame(board, a) and _on_frame(board, b) for a, b in map(tuple, edge))


def _on_frame(board: Mesh, point: Point) -> bool:
    return point[0] in (0.0, board.width) or point[1] in (0.0, board.height)


def test_no_two_lines_cross(board: Mesh) -> None:
    cells: dict[tuple[int, int], list[tuple[Point, Point]]] = {}
    for border in board.borders:
        for a, b in pairwise(border.line):
            for cell in _cells(a, b):
                cells.setdefault(cell, []).append((a, b))
    crossing = [
        (one, other)
        for stretches in cells.values()
        for i, one in enumerate(stretches)
        for other in stretches[:i]
        if not set(one) & set(other) and _cross(one, other)
    ]
    assert crossing == []


def _cells(a: Point, b: Point) -> set[tuple[int, int]]:
    xs, ys = sorted((int(a[0] // CELL), int(b[0] // CELL))), sorted((int(a[1] // CELL), int(b[1] // CELL)))
    return {(x, y) for x in range(xs[0], xs[1] + 1) for y in range(ys[0], ys[1] + 1)}


def _cross(one: tuple[Point, Point], other: tuple[Point, Point]) -> bool:
    def side(a: Point, b: Point, c: Point) -> float:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    (a, b), (c, d) = one, other
    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def test_a_unit_has_room_around_it(board: Mesh) -> None:
    tight = {name: room for name in PROVINCES if (room := gap(board.faces[name], spots()[name])) < LEAST_ROOM}
    assert tight == {}


def test_names_and_stars_stand_in_their_own_province_wherever_it_has_the_room(board: Mesh) -> None:
    outside = {
        (row["id"], what)
        for row in picture()["provinces"]
        for what in ("label", "star")
        if not contains(board.faces[row["id"]], row[what]) and (what == "label" or row["centre"])
    }
    assert outside == set()


def test_every_place_a_fleet_can_stand_in_has_a_spot_in_its_province(board: Mesh) -> None:
    for node in range(ARMIES, len(PLACE)):
        place = PLACE[node]
        assert contains(board.faces[place.split("/")[0]], spots()[place]), place


def test_lines_that_end_in_nothing_are_refused_by_name() -> None:
    page = {
        "bend": {"longitude": [[0, 0], [1, 100]], "latitude": [[1, 0], [0, 100]]},
        "points": {"a": "0,0", "b": "1,0", "c": "1,1"},
        "lines": {"frame": ["a b", "b c", "c a"], "land": ["a 0.5,0.2"]},
        "inside": {"X": "0.7,0.3"},
    }
    with pytest.raises(BrokenMesh, match="ends in nothing"):
        build(page)
    page["lines"] = {"frame": ["a b", "b c", "c nowhere"]}
    with pytest.raises(BrokenMesh, match="'nowhere'"):
        build(page)
    page["lines"], page["inside"] = {"frame": ["a b", "b c", "c a"]}, {"X": "0.7,0.3", "Y": "0.8,0.2"}
    with pytest.raises(BrokenMesh, match="Y and X lie in one face"):
        build(page)


def test_a_path_says_what_the_ring_says() -> None:
    x = y = 0.0
    ring = ((10.0, 5.0), (12.5, 7.1), (0.3, 9.9))
    words = path_of(ring, closed=True).replace("m", "").replace("l", "").rstrip("z").split()
    walked = []
    for dx, dy in zip(words[::2], words[1::2], strict=True):
        x, y = round(x + float(dx), 1), round(y + float(dy), 1)
        walked.append((x, y))
    assert tuple(walked) == ring


def test_no_star_lies_on_the_name_of_its_province() -> None:
    for row in picture()["provinces"]:
        across, down = (abs(star - name) for star, name in zip(row["star"], row["label"], strict=True))
        assert not row["centre"] or across > 26 or down > 16, row["id"]


def test_the_picture_has_every_province_once() -> None:
    rows = picture()["provinces"]
    assert [row["id"] for row in rows] == list(PROVINCES)
    assert sum(row["centre"] for row in rows) == 34
