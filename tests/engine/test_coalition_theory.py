"""The core, the least core and the nucleolus of three players, against textbook games and brute force."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from negotiation.engine import game_theory as gt

Value = Callable[[frozenset[str]], float]
ABC = ("A", "B", "C")


def game(**worth: float) -> Value:
    """A game by its coalitions: ``game(AB=1, ABC=1)``; what is not named is worth nothing."""
    table = {frozenset(names): value for names, value in worth.items()}
    return lambda coalition: table.get(coalition, 0.0)


GLOVES = game(AC=1, BC=1, ABC=1)
MAJORITY = game(AB=1, AC=1, BC=1, ABC=1)
CEMENT = game(A=30, B=22, C=5, AB=59, AC=45, BC=39, ABC=77)


def airport(coalition: frozenset[str]) -> float:
    """Landing strips of cost 1, 2 and 3: what a coalition saves by building one strip for its largest plane."""
    costs = {"A": 1.0, "B": 2.0, "C": 3.0}
    own = [costs[plane] for plane in coalition]
    return sum(own) - max(own, default=0.0)


def in_order(payoffs: dict[str, float]) -> list[float]:
    return [payoffs[player] for player in ABC]


def test_the_lone_right_glove_takes_all_in_the_core_and_two_thirds_by_shapley() -> None:
    assert in_order(gt.shapley_values(ABC, GLOVES)) == pytest.approx([1 / 6, 1 / 6, 2 / 3])
    assert gt.core_bounds(ABC, GLOVES) == {"A": (0, 0), "B": (0, 0), "C": (1, 1)}
    assert gt.core_polygon(ABC, GLOVES) == [(0, 0, 1)]
    assert in_order(gt.nucleolus(ABC, GLOVES)) == pytest.approx([0, 0, 1])
    assert gt.least_core(ABC, GLOVES) == 0


def test_the_majority_game_has_no_core_and_would_hold_together_under_a_tax_of_a_third() -> None:
    assert gt.core_bounds(ABC, MAJORITY) is None
    assert gt.core_polygon(ABC, MAJORITY) == []
    assert gt.least_core(ABC, MAJORITY) == pytest.approx(1 / 3)
    assert in_order(gt.nucleolus(ABC, MAJORITY)) == pytest.approx([1 / 3] * 3)
    assert in_order(gt.shapley_values(ABC, MAJORITY)) == pytest.approx([1 / 3] * 3)


def test_the_airport_game_shares_each_stretch_of_runway_among_those_who_need_it() -> None:
    paid = {p: c - x for (p, x), c in zip(gt.shapley_values(ABC, airport).items(), (1, 2, 3), strict=True)}
    assert in_order(paid) == pytest.approx([1 / 3, 1 / 3 + 1 / 2, 1 / 3 + 1 / 2 + 1])
    assert gt.in_core(ABC, airport, gt.shapley_values(ABC, airport))
    # Littlechild 1974: the nucleolus charges the smallest plane half its strip; here 1/2, 3/4, 7/4.
    nucleolus = gt.nucleolus(ABC, airport)
    assert [1 - nucleolus["A"], 2 - nucleolus["B"], 3 - nucleolus["C"]] == pytest.approx([0.5, 0.75, 1.75])


def test_the_scandinavian_cement_merger_as_in_raiffa_1982_chapter_17() -> None:
    assert in_order(gt.shapley_values(ABC, CEMENT)) == pytest.approx([35.5, 28.5, 13.0])
    assert gt.core_bounds(ABC, CEMENT) == {"A": (30, 38), "B": (22, 32), "C": (7, 18)}
    assert in_order(gt.nucleolus(ABC, CEMENT)) == pytest.approx([34 + 1 / 3, 28 + 1 / 3, 14 + 1 / 3])
    assert gt.in_core(ABC, CEMENT, gt.shapley_values(ABC, CEMENT))


def test_membership_names_the_coalition_that_would_leave() -> None:
    assert gt.in_core(ABC, CEMENT, {"A": 35, "B": 28, "C": 14})
    assert not gt.in_core(ABC, CEMENT, {"A": 35, "B": 23, "C": 19})  # A and B earn 59 alone
    assert not gt.in_core(ABC, CEMENT, {"A": 35, "B": 28, "C": 13})  # one is left undivided
    assert gt.in_core(("A", "B", "C", "D"), lambda s: float(len(s) == 4), dict.fromkeys("ABCD", 0.25))


@pytest.mark.parametrize("solve", [gt.core_bounds, gt.core_polygon, gt.least_core, gt.nucleolus])
def test_closed_forms_refuse_other_sizes_and_games_that_fall_apart(solve: Callable[..., object]) -> None:
    with pytest.raises(ValueError, match="three"):
        solve(("A", "B"), CEMENT)
    with pytest.raises(ValueError, match="apart"):
        solve(ABC, game(A=5, BC=5, ABC=7))


whole_numbers = st.integers(0, 40)


@st.composite
def games(draw: st.DrawFn) -> Value:
    """Zero-monotonic games of whole numbers, many with an empty core."""
    worth = {name: draw(st.integers(0, 10)) for name in ABC}
    for pair in combinations(ABC, 2):
        worth["".join(pair)] = sum(worth[p] for p in pair) + draw(whole_numbers)
    least = max(worth[a] + worth[b + c] for a, b, c in ("ABC", "BAC", "CAB"))
    worth["ABC"] = least + draw(whole_numbers)
    return game(**worth)


def excesses(value: Value, point: np.ndarray) -> list[float]:
    """Sorted from the worst, over all proper coalitions."""
    payoff = dict(zip(ABC, point, strict=True))
    coalitions = [frozenset(c) for size in (1, 2) for c in combinations(ABC, size)]
    return sorted((value(c) - sum(payoff[p] for p in c) for c in coalitions), reverse=True)


@given(games())
def test_no_small_shift_of_money_pleases_the_worst_off_more_than_the_nucleolus(value: Value) -> None:
    best = np.array(in_order(gt.nucleolus(ABC, value)))
    assert best.sum() == pytest.approx(value(frozenset(ABC)))
    assert excesses(value, best)[0] == pytest.approx(gt.least_core(ABC, value), abs=1e-9)
    for giver, taker in [(i, j) for i in range(3) for j in range(3) if i != j]:
        for step in (0.05, 0.5, 3.0):
            moved = best.copy()
            moved[giver] -= step
            moved[taker] += step
            for mine, other in zip(excesses(value, best), excesses(value, moved), strict=True):
                if abs(mine - other) > 1e-6:
                    assert mine < other
                    break


@given(games())
def test_the_core_lies_in_its_bounds_and_its_corners_reach_them(value: Value) -> None:
    bounds, corners = gt.core_bounds(ABC, value), gt.core_polygon(ABC, value)
    assert (bounds is None) == (corners == []) == (gt.least_core(ABC, value) > 1e-9)
    assume(bounds is not None)
    assert bounds is not None
    for index, player in enumerate(ABC):
        reached = [corner[index] for corner in corners]
        assert (min(reached), max(reached)) == pytest.approx(bounds[player])
    for corner in corners:
        assert gt.in_core(ABC, value, dict(zip(ABC, corner, strict=True)), tolerance=1e-6)


@given(games())
def test_the_corners_go_round_the_core_without_crossing(value: Value) -> None:
    corners = np.array(gt.core_polygon(ABC, value))
    assume(len(corners) > 2)
    edges = np.roll(corners, -1, axis=0)[:, :2] - corners[:, :2]
    turns = edges[:, 0] * np.roll(edges, -1, axis=0)[:, 1] - edges[:, 1] * np.roll(edges, -1, axis=0)[:, 0]
    assert (turns > -1e-9).all()
