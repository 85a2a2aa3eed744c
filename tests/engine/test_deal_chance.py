"""The line of chance: one number or many, early or late, it is the same number."""

from __future__ import annotations

from itertools import islice
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation.engine.deal.chance import Chances, normal

MANY = 64
SEEDS = st.integers(0, 2**63 - 1)
UNIFORM = st.floats(1e-15, 1 - 1e-15)


@given(st.lists(UNIFORM, min_size=MANY, max_size=MANY))
def test_quantiles_reckoned_one_by_one_are_those_reckoned_together(drawn: list[float]) -> None:
    together = normal(np.array(drawn))
    assert [normal(np.array([each]))[0] for each in drawn] == together.tolist()


@given(UNIFORM)
def test_a_quantile_is_the_inverse_of_the_distribution(drawn: float) -> None:
    assert normal(np.array([drawn]))[0] == pytest.approx(NormalDist().inv_cdf(drawn), rel=1e-9, abs=1e-12)


@given(SEEDS, st.integers(0, 40), st.integers(1, 60))
def test_the_numbers_of_a_turn_do_not_depend_on_what_was_drawn_before(
    seed: int, turn: int, before: int
) -> None:
    fresh, used = Chances.of_one(seed), Chances.of_one(seed)
    list(islice(used.words(before), before))
    used.one_turn(before)
    assert fresh.one_turn(turn) == used.one_turn(turn)
    assert list(islice(fresh.words(turn), 20)) == list(islice(used.words(turn), 20))


@given(SEEDS, st.integers(0, 60))
def test_words_never_run_out_of_chance_and_never_repeat_it(seed: int, turn: int) -> None:
    drawn = list(islice(Chances.of_one(seed).words(turn), 1000))
    assert all(0 <= each < 1 for each in drawn)
    assert len(set(drawn)) == 1000
