"""Words of change are said of change: a fixed player hardly ever gets one, and who rises or sinks does."""

from __future__ import annotations

import numpy as np
import pytest

from coaching.analysis.change import LEAST, SURE, change, trend
from tests.effort import few

LINES = 8
"""Skills and shares on a page."""


@pytest.mark.parametrize("games", [8, 15, 30])
def test_a_fixed_player_gets_a_word_on_fewer_than_one_page_in_ten(games: int) -> None:
    rng = np.random.default_rng(games)
    pages = few(300, 1000)
    told = [
        any(change(rng.beta(2, 2, games).tolist()) != "steady" for _ in range(LINES)) for _ in range(pages)
    ]
    assert np.mean(told) < 0.10


def test_scores_of_few_values_make_no_change_either() -> None:
    rng = np.random.default_rng(5)
    words = [change(rng.integers(0, 2, 20).astype(float).tolist()) for _ in range(400)]
    assert np.mean([word != "steady" for word in words]) <= 2 * SURE


def test_three_reps_get_three_true_messages() -> None:
    """Who climbs from 5 to 55, who stays at 50, who sinks from 88 to 18, each with a person's noise."""
    rng = np.random.default_rng(7)
    noise = rng.normal(0, 0.06, (3, 12))
    climbs, stays, sinks = (
        np.linspace(0.05, 0.55, 12) + noise[0],
        np.full(12, 0.5) + noise[1],
        np.linspace(0.88, 0.18, 12) + noise[2],
    )
    assert [change(each.tolist()) for each in (climbs, stays, sinks)] == ["rising", "steady", "falling"]


def test_a_constant_line_and_a_short_one_are_steady() -> None:
    assert change([0.9] * 30) == "steady"
    assert change([0.1 * n for n in range(LEAST - 1)]) == "steady"
    assert trend([0.9] * 30) == (0, 1.0)


def test_the_test_is_symmetric_and_counts_every_pair() -> None:
    line = [0.2, 0.5, 0.3, 0.7, 0.6, 0.9]
    (rises, chance), (falls, again) = trend(line), trend([-one for one in line])
    assert rises == -falls == 11
    assert chance == pytest.approx(again)
