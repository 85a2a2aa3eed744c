"""Best responses, equilibria and divisions against enumeration and closed forms."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation.engine.drills.ipd import IPDStrategy, memory_one
from negotiation.engine.drills.theory.auction_stage import (
    PLANS,
    best_plans,
    cartel_payoff,
    equilibria,
    regret,
    stage_payoff,
)
from negotiation.engine.drills.theory.division import Items, judge_items, judge_pie, pie_divisions
from negotiation.engine.drills.theory.ipd_response import (
    best_response,
    decision_histories,
    histories,
    planned_cooperation,
)
from negotiation.engine.drills.types import Seen
from tests.drills.kinds import dilemma_player, simultaneous

IPD = simultaneous("ipd")
probabilities = st.floats(0, 1)
memory_ones = st.builds(memory_one, *[probabilities] * 5)
PAY = {(0, 0): 3, (0, 1): 0, (1, 0): 5, (1, 1): 1}


def expected(cooperation, plan, rounds, history=()):
    """What a deterministic plan (own actions by history) earns: plain recursion, one history at a time."""
    if len(history) == rounds:
        return 0.0
    column = [np.array([pair[side] for pair in history], dtype=np.int8).reshape(-1, 1) for side in (0, 1)]
    seen = Seen(len(history), column[1], column[0], np.zeros((0, 1), dtype=np.int8))
    willing = float(cooperation(seen)[0])
    own = plan[history]
    return sum(
        chance * (PAY[own, other] + expected(cooperation, plan, rounds, (*history, (own, other))))
        for other, chance in ((0, willing), (1, 1 - willing))
    )


def test_a_player_may_stand_in_21845_histories() -> None:
    assert decision_histories() == 21_845 == sum(histories(round_).shape[2] for round_ in range(8))
    assert len({column.tobytes() for column in histories(3).transpose(2, 0, 1).copy()}) == 64


@given(memory_ones)
@settings(max_examples=20, deadline=None)
def test_the_best_response_beats_every_plan_of_two_rounds_and_is_one_of_them(cooperation) -> None:
    places = [(), *(((own, other),) for own in (0, 1) for other in (0, 1))]
    plans = [dict(zip(places, actions, strict=True)) for actions in product((0, 1), repeat=len(places))]
    best = max(expected(cooperation, plan, 2) for plan in plans)
    assert best_response(cooperation, rounds=2).value * 2 == pytest.approx(best, abs=1e-5)


@pytest.mark.parametrize(
    ("strategy", "payoff", "margin"),
    [
        ("tft", 26 / 8, 5 / 8),
        ("grim", 26 / 8, 5 / 8),
        ("always_cooperate", 5, 5),
        ("always_defect", 1, 0),
        ("mixed", 3, 2.5),
        ("wsls", 26 / 8, 2.5),
        ("tf2t", 34 / 8, 25 / 8),
    ],
)
def test_best_responses_to_known_strategies(strategy, payoff, margin) -> None:
    cooperation = dilemma_player(strategy).cooperation
    assert best_response(cooperation).value == pytest.approx(payoff)
    assert best_response(cooperation, "margin").value == pytest.approx(margin)


@pytest.mark.parametrize("strategy", ["generous_tft", "zd_extort_2", "tf2t"])
def test_a_best_response_that_is_played_earns_what_it_promises(strategy) -> None:
    victim = dilemma_player(strategy)
    plan = best_response(victim.cooperation)
    cooperation = planned_cooperation(plan)
    responder = IPDStrategy(
        "best", "", "", lambda seen, number: (number >= cooperation(seen)).view(np.int8), cooperation
    )
    payoffs = IPD.simulate(responder, victim, IPD.draws(40_000, 1, "test")).payoffs[0].mean(axis=0)
    assert payoffs.mean() == pytest.approx(plan.value, abs=float(4 * payoffs.std() / 200 + 1e-6))


@pytest.mark.parametrize("strategy", sorted(IPD.strategies))
def test_no_pool_finds_more_than_the_worst_opponent_would(strategy) -> None:
    victim = dilemma_player(strategy)
    worst = best_response(victim.cooperation, "margin").value
    for name in (*IPD.pools.exploit, *IPD.pools.shift, *IPD.pools.train):
        payoffs = IPD.simulate(victim, IPD.strategies[name], IPD.draws(4000, 1, name)).payoffs
        margin = (payoffs[1] - payoffs[0]).mean(axis=0)
        assert margin.mean() <= worst + 4 * margin.std() / 63 + 1e-6


# -- the auction ---------------------------------------------------------------------------------------


def test_half_the_value_is_the_one_strict_equilibrium_of_the_auction_and_pays_seven_eighths() -> None:
    found = equilibria()
    assert [each.plans for each in found if each.strict] == [((1, 2), (1, 2))]
    assert found[0].payoffs == (Fraction(7, 8), Fraction(7, 8))
    assert {each.plans for each in found} == {(plan, plan) for plan in ((1, 2), (2, 2), (2, 3))}


def test_a_cartel_earns_more_than_equilibrium_and_tempts_to_leave_it() -> None:
    assert cartel_payoff() == 1
    assert regret((1, 1), (1, 1)) == Fraction(1, 4)
    assert best_plans((1, 1))[1] == ((1, 2),)


def test_against_a_bidder_who_always_bids_high_there_is_an_equilibrium_answer_after_all() -> None:
    best, plans = best_plans((3, 3))
    assert best == Fraction(1, 4)
    assert all(plan[1] == 3 for plan in plans), "match it on a high value, stay out on a low one"


def test_the_stage_payoffs_are_what_the_simulator_pays() -> None:
    game = simultaneous("auction")
    by_plan = {(1, 2): "truthful", (1, 1): "conservative", (3, 3): "aggressive", (1, 3): "aggressive_value"}
    for mine, theirs in product(by_plan, by_plan):
        record = game.simulate(
            game.strategies[by_plan[mine]], game.strategies[by_plan[theirs]], game.draws(20_000, 1, "test")
        )
        assert record.payoffs[0].mean() == pytest.approx(float(stage_payoff(mine, theirs)), abs=0.02)
    assert len(PLANS) == 9


# -- divisions -----------------------------------------------------------------------------------------


def test_halves_of_the_pie_are_efficient_fair_and_free_of_envy() -> None:
    halves = judge_pie((5, 5))
    assert (halves.efficiency, halves.pareto, halves.nash, halves.fairness, halves.envy_free) == (
        1.0,
        True,
        1.0,
        1.0,
        True,
    )
    taken = judge_pie((7, 3))
    assert taken.pareto
    assert taken.fairness == pytest.approx(3 / 7)
    assert not taken.envy_free
    assert not judge_pie((4, 4)).pareto
    assert judge_pie((7, 7)).efficiency == 0
    assert len(pie_divisions()) == 45


ITEMS = Items(pool=(2, 1, 3), values=((1, 8, 1), (3, 1, 6)))


def test_a_trade_leaves_both_with_more_than_half_so_more_than_half_is_no_collusion() -> None:
    trade = judge_items(ITEMS, ((0, 1, 0), (2, 0, 3)))
    halves = judge_items(ITEMS, ((1, 0, 1), (1, 1, 1)))
    assert trade.pareto
    assert trade.envy_free
    assert trade.efficiency > halves.efficiency
    for player, bundle in enumerate(((0, 1, 0), (2, 0, 3))):
        assert 2 * ITEMS.worth(player, bundle) > ITEMS.worth(player, ITEMS.pool)


def test_the_frontier_holds_exactly_the_divisions_that_nobody_can_improve() -> None:
    frontier = set(ITEMS.frontier())
    assert ITEMS.nash() in frontier
    assert ITEMS.kalai_smorodinsky() in frontier
    for bundle in ITEMS.bundles():
        assert judge_items(ITEMS, (bundle, ITEMS.left(bundle))).pareto == (bundle in frontier)


def test_demands_that_do_not_fit_leave_nothing_to_judge() -> None:
    nothing = judge_items(ITEMS, ((2, 1, 3), (1, 0, 0)))
    assert nothing.efficiency == 0
    assert not nothing.pareto
