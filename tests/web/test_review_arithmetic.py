"""From the worth of moves to regret, and from regret to a word."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from coaching.analysis.review.labels import label_of
from coaching.analysis.review.values import BREACH, Regret, regret_of, shares


def regret(mean: float, *, error: float = 0.001, best: int = 3) -> Regret:
    return Regret(mean=mean, error=error, best=best, value=0.4 - mean, best_value=0.4)


@pytest.mark.parametrize(
    ("mean", "label"),
    [
        (0.0, "best"), (0.01, "best"), (0.011, "good"), (0.03, "good"), (0.031, "inaccuracy"), (0.07, "inaccuracy"),
        (0.071, "mistake"), (0.15, "mistake"), (0.151, "blunder"), (0.9, "blunder"),
    ],
)  # fmt: skip
def test_the_bands_are_those_that_the_page_prints(mean: float, label: str) -> None:
    assert label_of(regret(mean), breached=False) == label


def test_the_best_move_is_called_best_though_chance_held_something_against_it() -> None:
    """Each half of the imagined opponents chooses for the other, so that the best move of all can seem to cost a little."""
    assert label_of(regret(0.02, best=0), breached=False) == "best"


def test_nothing_is_held_against_a_move_on_thin_evidence() -> None:
    assert label_of(regret(0.1, error=0.051), breached=False) is None
    assert label_of(regret(0.1, error=0.05), breached=False) == "mistake"
    assert label_of(regret(0.02, error=0.02), breached=False) == "good"
    assert label_of(regret(0.02, error=0.05), breached=False) is None, "it may have been a mistake"


def test_a_close_beyond_ones_own_limit_is_a_blunder_whatever_it_brought() -> None:
    assert label_of(regret(0.0, best=0), breached=True) == "blunder"


def test_a_deal_beyond_the_own_limit_costs_as_much_as_the_zone_is_worth() -> None:
    outcomes = SimpleNamespace(efficiency=np.array([0.0, 0.4]), floor_breached=np.array([True, False]))
    assert shares(cast(Any, outcomes)).tolist() == [-BREACH, 0.4]
    assert BREACH == 1.0


def test_where_no_move_is_better_the_luckiest_is_no_reproach() -> None:
    """Chosen and judged on the same opponents, the luckiest of twelve equal moves would look .05 better, every time."""
    chance = np.random.default_rng(5)
    drawn = [chance.normal(0.3, 0.5, (12, 1, 400)) for _ in range(30)]
    lucky = [values.mean(axis=2).max() - values[0].mean() for values in drawn]
    found = [regret_of(values) for values in drawn]
    assert np.mean(lucky) > 0.03
    assert np.mean([each.mean for each in found]) < np.mean(lucky) / 2
    assert np.mean([each.mean < 2 * each.error for each in found]) > 0.9


def test_what_a_better_move_brings_is_its_regret() -> None:
    values = np.random.default_rng(6).normal(0.3, 0.1, (4, 2, 400))
    values[2, 1] += 0.25
    found = regret_of(values)
    assert found.best == 2
    assert found.mean == pytest.approx(0.25, abs=0.03)
    assert found.best_value - found.value == pytest.approx(found.mean, abs=1e-9)
