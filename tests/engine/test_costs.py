"""What a fault cost by itself: never more together than was left, and nothing where no fault was."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from coaching.analysis.costs import cost_of, with_costs
from coaching.analysis.review.labels import label_of
from coaching.analysis.review.values import regret_of, worths


def move(label: str | None, alone: float) -> dict[str, Any]:
    return {"label": label, "alone_money": alone}


@given(
    st.lists(
        st.tuples(st.sampled_from(["best", "mistake", "blunder", None]), st.floats(0, 1e6)), max_size=12
    ),
    st.floats(0, 1e6),
)
def test_the_costs_of_a_deal_never_add_up_to_more_than_was_left(
    moves: list[tuple[str | None, float]], left: float
) -> None:
    found = with_costs({"moves": [move(*each) for each in moves]}, left)["moves"]
    assert sum(cost_of(each) for each in found) <= left + 0.01 * len(found)
    assert all(cost_of(each) == 0 for each in found if each["label"] in ("best", None))
    dearer = [each for each in found if each["label"] in ("mistake", "blunder")]
    order = sorted(dearer, key=lambda each: each["alone_money"])
    assert [cost_of(each) for each in order] == sorted(cost_of(each) for each in order)


def test_beyond_the_walk_away_costs_are_not_cut() -> None:
    found = with_costs({"moves": [move("blunder", 900.0)]}, None)["moves"]
    assert cost_of(found[0]) == 900.0


def test_what_met_fewer_opponents_is_no_candidate_for_the_best_move() -> None:
    rng = np.random.default_rng(3)
    played, better = rng.normal(0.4, 0.1, 256), rng.normal(0.5, 0.1, 256)
    lucky = np.where(np.arange(256) < 48, 0.9, np.nan)
    values = np.stack([played, better, lucky])[:, np.newaxis, :]
    regret = regret_of(values)
    assert regret.best == 1
    assert abs(regret.mean - (better - played).mean()) < 1e-9


def test_what_met_fewer_opponents_is_compared_on_those_that_it_met() -> None:
    rng = np.random.default_rng(4)
    played = np.concatenate([rng.normal(0.2, 0.01, 48), rng.normal(0.6, 0.01, 208)])
    few = np.concatenate([played[:48] + 0.1, np.full(208, np.nan)])
    found = worths(np.stack([played, few])[:, np.newaxis, :])
    assert np.allclose(found[1] - found[0], 0.1)
    assert np.allclose(found[0], played.mean())


def test_near_the_edge_of_a_fault_there_is_no_verdict() -> None:
    def label(mean: float, error: float) -> str | None:
        rng = np.random.default_rng(5)
        noise = rng.normal(0, 1, 256)
        noise = (noise - noise.mean()) / noise.std(ddof=1) * error / 1.7 * 16
        values = np.stack([np.zeros(256), mean + noise])[:, np.newaxis, :]
        return label_of(regret_of(values), breached=False)

    assert label(0.05, 0.005) == "inaccuracy"
    assert label(0.032, 0.005) is None
    assert label(0.02, 0.005) == "good"
    assert label(0.02, 0.04) is None, "it may have been a mistake"
