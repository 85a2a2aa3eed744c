"""A figure's interval holds what it says it holds: the true mean in about 95 of 100 samples."""

from __future__ import annotations

import math

import numpy as np
import pytest

from negotiation.engine.figures import T_95, bootstrap, over_seeds, resampled


def test_the_bootstrap_covers_the_true_mean_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(1)
    samples = rng.exponential(size=(300, 120))
    held = [figure.low <= 1 <= figure.high for figure in (bootstrap(sample, 2) for sample in samples)]
    assert 0.9 <= np.mean(held) <= 0.98


def test_equal_seeds_give_equal_intervals_and_a_generator_goes_on() -> None:
    values = np.random.default_rng(0).random(50)
    assert bootstrap(values, 3) == bootstrap(values, np.random.default_rng(3))
    rng = np.random.default_rng(3)
    assert bootstrap(values, rng) != bootstrap(values, rng)


@pytest.mark.slow
def test_over_seeds_is_students_interval() -> None:
    # The quantiles of one and two degrees of freedom have closed forms.
    exact = [math.tan(math.pi * 0.475), 0.95 * math.sqrt(2 / (4 * 0.975 * 0.025))]
    assert T_95[:2] == pytest.approx(exact, abs=5e-4)
    rng = np.random.default_rng(4)
    for seeds in range(2, 11):
        ends = [over_seeds(list(rng.normal(size=seeds)))["ci95"] for _ in range(2000)]
        assert np.mean([low <= 0 <= high for low, high in ends]) == pytest.approx(0.95, abs=0.02)
    assert over_seeds([0.25]) == {"mean": 0.25, "ci95": None, "seeds": [0.25]}
    assert over_seeds([0.2, 0.4])["mean"] == 0.3


def test_it_is_printed_to_as_many_places_as_asked() -> None:
    figure = resampled(0.123456, np.linspace(0, 1, 1001))
    assert figure.as_json(2) == {"mean": 0.12, "ci95": [0.03, 0.97]}
    assert figure.as_json() == {"mean": 0.123456, "ci95": figure.ci95}
    assert str(figure) == "0.123 [0.025, 0.975]"


def test_an_interval_leaves_out_the_outermost_fortieth_on_either_side() -> None:
    drawn = np.arange(1001, dtype=np.float64)
    figure = resampled(500.0, drawn)
    assert (figure.low, figure.high) == (25.0, 975.0)
