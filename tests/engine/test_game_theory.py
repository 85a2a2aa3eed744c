"""The theory module against closed forms, golden cases and independent derivations."""

from __future__ import annotations

import math
from itertools import pairwise, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation.engine import game_theory as gt

shares = st.floats(0.01, 0.99)


def golden_case() -> tuple[list[tuple[object, ...]], list[tuple[float, float]]]:
    """The multi-issue case of the specification: price, term, payment, support."""
    term = {"1 year": (0, 0), "2 years": (8, -2), "3 years": (14, -5)}
    payment = {"net-30": (0, 0), "net-60": (-3, 4), "net-90": (-7, 6)}
    support = {"standard": (0, 0), "business": (-3, 7), "24x7": (-8, 15)}
    labels: list[tuple[object, ...]] = []
    utilities: list[tuple[float, float]] = []
    for price, t, p, s in product(range(120, 171, 5), term, payment, support):
        labels.append((price, t, p, s))
        utilities.append(
            (
                price - 125 + term[t][0] + payment[p][0] + support[s][0],
                160 - price + term[t][1] + payment[p][1] + support[s][1],
            )
        )
    return labels, utilities


def test_nash_price_is_the_midpoint_under_equal_power_and_moves_with_power() -> None:
    assert gt.nash_price(125_000, 165_000) == 145_000
    assert gt.nash_price(125_000, 165_000, seller_power=0.75) == 155_000


def test_nash_price_refuses_an_empty_zone() -> None:
    with pytest.raises(ValueError, match="no zone"):
        gt.nash_price(165_000, 125_000)


@given(shares, shares)
def test_rubinstein_shares_are_the_fixed_point_of_alternating_offers(d1, d2) -> None:
    """The proposer leaves the responder exactly what waiting to propose is worth to it."""
    proposer, responder = gt.rubinstein_shares(d1, d2)
    as_proposer_next, _ = gt.rubinstein_shares(d2, d1)
    assert responder == pytest.approx(d2 * as_proposer_next)
    assert proposer + responder == pytest.approx(1)


@given(shares)
def test_the_popular_formula_is_the_responders_share_not_the_proposers(d) -> None:
    proposer, responder = gt.rubinstein_shares(d, d)
    assert responder == pytest.approx(d / (1 + d))
    assert proposer == pytest.approx(1 / (1 + d))


@given(st.floats(0.1, 5), st.floats(0.1, 5))
def test_rubinstein_shares_tend_to_the_ratio_of_discount_rates(r1, r2) -> None:
    delay = 1e-6
    proposer, _ = gt.rubinstein_shares(math.exp(-r1 * delay), math.exp(-r2 * delay))
    assert proposer == pytest.approx(gt.rubinstein_limit_share(r1, r2), abs=1e-4)


@given(shares, st.integers(1, 30))
def test_stahl_share_equals_backward_induction(delta, rounds) -> None:
    share = 1.0
    for _ in range(rounds - 1):
        share = 1 - delta * share
    assert gt.stahl_share(delta, rounds) == pytest.approx(share)


@given(shares)
def test_stahl_share_tends_to_rubinstein_as_rounds_grow(delta) -> None:
    assert gt.stahl_share(delta, 4001) == pytest.approx(gt.rubinstein_shares(delta, delta)[0], abs=1e-9)


def test_golden_multi_issue_case() -> None:
    labels, utilities = golden_case()
    assert len(utilities) == 297
    assert len(gt.pareto_frontier(utilities)) == 30
    assert max(u + v for u, v in utilities) == 52
    nash = gt.nash_solution(utilities)
    assert labels[nash] == (150, "3 years", "net-60", "24x7")
    assert utilities[nash] == (28, 24)
    kalai = gt.kalai_smorodinsky(utilities)
    assert labels[kalai] == (145, "3 years", "net-30", "24x7")
    assert utilities[kalai] == (26, 25)
    assert gt.egalitarian(utilities) == kalai


@given(st.lists(st.tuples(st.integers(-20, 20), st.integers(-20, 20)), min_size=1, max_size=40))
def test_solutions_lie_on_the_frontier_and_are_rational(outcomes) -> None:
    rational = [o for o in outcomes if min(o) >= 0]
    frontier = gt.pareto_frontier(outcomes)
    if not rational:
        assert frontier == []
        with pytest.raises(ValueError, match="individually rational"):
            gt.nash_solution(outcomes)
        return
    nash = outcomes[gt.nash_solution(outcomes)]
    assert min(nash) >= 0
    if nash[0] * nash[1] > 0:
        assert nash in [outcomes[i] for i in frontier]
    for i in frontier:
        assert not any(
            o[0] >= outcomes[i][0] and o[1] >= outcomes[i][1] and o != outcomes[i] for o in outcomes
        )


@given(st.lists(st.tuples(st.floats(0, 9), st.floats(0, 9)), min_size=1, max_size=20), st.floats(0.5, 4))
def test_nash_solution_is_invariant_to_scaling_one_sides_utility(outcomes, factor) -> None:
    scaled = [(factor * u, v) for u, v in outcomes]
    before, after = outcomes[gt.nash_solution(outcomes)], outcomes[gt.nash_solution(scaled)]
    assert before[0] * before[1] == pytest.approx(after[0] * after[1], rel=1e-9, abs=1e-12)


def glove(coalition: frozenset[str]) -> float:
    """One left glove, two right gloves: a pair is worth 1."""
    return float("L" in coalition and bool(coalition & {"R1", "R2"}))


def test_shapley_of_the_glove_game() -> None:
    values = gt.shapley_values(["L", "R1", "R2"], glove)
    assert values == pytest.approx({"L": 2 / 3, "R1": 1 / 6, "R2": 1 / 6})


@given(st.integers(2, 5), st.randoms(use_true_random=False))
def test_shapley_equals_the_average_over_all_orders_and_is_efficient(n, random) -> None:
    players = list(range(n))
    worth: dict[frozenset[int], float] = {frozenset(): 0.0}

    def value(coalition: frozenset[int]) -> float:
        return worth.setdefault(coalition, random.uniform(-1, 5))

    values = gt.shapley_values(players, value)
    orders = list(permutations(players))
    for player in players:
        gains = []
        for order in orders:
            before = frozenset(order[: order.index(player)])
            gains.append(value(before | {player}) - value(before))
        assert values[player] == pytest.approx(sum(gains) / len(orders))
    assert sum(values.values()) == pytest.approx(value(frozenset(players)) - value(frozenset()))


def test_shapley_sampling_covers_the_exact_values() -> None:
    sampled = gt.shapley_sample(["L", "R1", "R2"], glove, 4000, np.random.default_rng(0))
    exact = gt.shapley_values(["L", "R1", "R2"], glove)
    for player, (mean, low, high) in sampled.items():
        assert low <= exact[player] <= high
        assert abs(mean - exact[player]) < 0.03


def test_exact_shapley_refuses_more_than_ten_players() -> None:
    with pytest.raises(ValueError, match="sample"):
        gt.shapley_values(list(range(11)), lambda c: 0.0)


def test_prospect_value_weighs_losses_by_the_published_factor() -> None:
    assert gt.prospect_value(100) == pytest.approx(100**0.88)
    assert gt.prospect_value(-100) == pytest.approx(-2.25 * 100**0.88)


def test_anchored_estimate_moves_by_its_weight_towards_the_anchor() -> None:
    assert gt.anchored_estimate(100, 200) == pytest.approx(165)
    assert gt.anchored_estimate(100, 200, weight=0) == 100


def beauty_contest(n: int = 101, p: float = 2 / 3) -> np.ndarray:
    """Two-player guessing game: payoff falls with the distance from p times the mean of both guesses."""
    guesses = np.arange(n)
    target = p * (guesses[:, None] + guesses[None, :]) / 2
    return -np.abs(guesses[:, None] - target)


def test_level_k_unravels_step_by_step_in_the_guessing_game() -> None:
    payoff = beauty_contest()
    means = [float(gt.level_k(payoff, payoff, k) @ np.arange(101)) for k in range(6)]
    assert means[0] == pytest.approx(50)
    assert all(later < earlier for earlier, later in pairwise(means))


def test_cognitive_hierarchy_differs_from_level_k_from_the_second_step_on() -> None:
    payoff = beauty_contest()
    guess = np.arange(101)
    assert np.allclose(gt.cognitive_hierarchy(payoff, payoff, 1), gt.level_k(payoff, payoff, 1))
    hierarchy = gt.cognitive_hierarchy(payoff, payoff, 2) @ guess
    plain = gt.level_k(payoff, payoff, 2) @ guess
    assert hierarchy > plain, "a mix with lower steps guesses higher than one pure step down"
