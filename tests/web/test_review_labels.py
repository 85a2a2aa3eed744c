"""From regret to a word."""

from __future__ import annotations

import pytest

from coaching.analysis.review.labels import label_of
from coaching.analysis.review.values import Regret


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
    assert label_of(regret(0.02, error=0.05), breached=False) == "good"


def test_a_close_beyond_ones_own_limit_is_a_blunder_whatever_it_brought() -> None:
    assert label_of(regret(0.0, best=0), breached=True) == "blunder"
