"""Kuhn poker for two and three: the tree, the value, best responses, equilibria, coalitions."""

from __future__ import annotations

from itertools import product
from math import perm

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation.engine.drills import Kuhn, KuhnStrategy
from negotiation.engine.drills.kuhn.rules import deals, histories, payoffs, position_to_act, shown
from negotiation.engine.drills.kuhn.solve import solve
from negotiation.engine.drills.kuhn.strategies import STRATEGIES, by_card, equilibrium
from negotiation.engine.drills.kuhn.theory import (
    GAME_VALUE,
    best_response,
    coalition_gain,
    exploitability,
    nash_conv,
    response_behaviour,
    values,
)
from tests.drills.kinds import poker

tables = st.lists(st.floats(0, 1), min_size=12, max_size=12).map(lambda row: np.array(row).reshape(4, 3))
FIRST, SECOND = ("", "pb"), ("p", "b")


@pytest.mark.parametrize(("seats", "nodes", "terminals", "sets"), [(2, 58, 30, 12), (3, 617, 312, 48)])
def test_the_tree_has_the_nodes_that_it_should(seats, nodes, terminals, sets) -> None:
    decisions, ends = histories(seats)
    chance = sum(perm(seats + 1, dealt) for dealt in range(seats))
    assert chance + len(deals(seats)) * (len(decisions) + len(ends)) == nodes
    assert len(deals(seats)) * len(ends) == terminals
    assert len(decisions) * (seats + 1) == sets


@pytest.mark.parametrize("alpha", [0, 0.1, 0.2, 1 / 3])
def test_every_member_of_the_family_is_an_equilibrium_worth_minus_one_eighteenth(alpha) -> None:
    play = equilibrium(alpha)
    assert values([play, play])[0] == pytest.approx(GAME_VALUE)
    assert nash_conv([play, play]) == pytest.approx(0, abs=1e-12)


def test_the_papers_nash_loses_a_ninth_and_the_queen_that_calls_two_thirds_loses_nothing() -> None:
    printed = STRATEGIES["nash_approx"].behaviour
    assert nash_conv([printed, printed]) == pytest.approx(1 / 9)
    mended = printed.copy()
    mended[histories(2)[0].index("pb"), 1] = 2 / 3
    assert nash_conv([mended, mended]) == pytest.approx(0, abs=1e-12)


@given(tables)
@settings(max_examples=25, deadline=None)
def test_a_best_response_does_as_well_as_the_best_of_all_pure_plans(behaviour) -> None:
    rows = {history: row for row, history in enumerate(histories(2)[0])}
    for position, own in ((0, FIRST), (1, SECOND)):
        best = -9.0
        for choice in product((0, 1), repeat=6):
            plan = np.zeros((4, 3))
            for (history, card), bet in zip(product(own, range(3)), choice, strict=True):
                plan[rows[history], card] = bet
            pair = [plan, behaviour] if position == 0 else [behaviour, plan]
            best = max(best, values(pair)[position])
        assert best_response([behaviour, behaviour], {position}).value == pytest.approx(best)


@given(tables)
@settings(max_examples=25, deadline=None)
def test_a_response_that_is_played_from_both_seats_earns_the_exploitability(behaviour) -> None:
    answer = response_behaviour(behaviour)
    earned = (values([answer, behaviour])[0] + values([behaviour, answer])[1]) / 2
    assert earned == pytest.approx(exploitability(behaviour))
    assert earned >= -1e-12


@given(tables)
@settings(max_examples=25, deadline=None)
def test_hands_that_are_simulated_pay_what_the_tree_says(behaviour) -> None:
    kuhn = poker()
    player = KuhnStrategy("any", "", "", behaviour)
    paid = kuhn.play((player, STRATEGIES["loose_aggressive"]), kuhn.draws(3000, 1, "test"))[0]
    other = STRATEGIES["loose_aggressive"].behaviour
    exact = (values([behaviour, other])[0] + values([other, behaviour])[1]) / 2
    assert paid.mean() == pytest.approx(exact, abs=5 * paid.std() / np.sqrt(paid.size) + 1e-9)


def test_regret_minimisation_finds_the_equilibria_of_both_tables() -> None:
    for seats, close in ((2, 0.02), (3, 0.05)):
        play = solve(seats, 400)
        assert nash_conv([play] * seats) < close
        assert nash_conv([by_card((0.5,) * (seats + 1), (0.5,) * (seats + 1), seats)] * seats) > 0.5
    assert values([solve(2, 400)] * 2)[0] == pytest.approx(GAME_VALUE, abs=0.005)


def test_two_who_show_each_other_their_cards_take_from_the_third_even_in_equilibrium() -> None:
    play = solve(3, 400)
    alone = nash_conv([play] * 3)
    for victim in range(3):
        assert coalition_gain([play] * 3, victim) > 0.1 > alone


@given(st.lists(st.floats(0, 1), min_size=48, max_size=48))
@settings(max_examples=10, deadline=None)
def test_a_coalition_does_no_worse_than_one_member_at_its_best_and_the_other_as_before(numbers) -> None:
    play = [np.array(numbers).reshape(12, 4)] * 3
    rows = {history: row for row, history in enumerate(histories(3)[0])}
    for victim, member in ((0, 1), (1, 2), (2, 0)):
        alone = play[0].copy()
        for history, by_hand in best_response(play, {member}).bets.items():
            for (card,), bet in by_hand.items():
                alone[rows[history], card] = bet
        improved = values([alone if position == member else play[0] for position in range(3)])
        others = [position for position in range(3) if position != victim]
        assert coalition_gain(play, victim) >= (improved - values(play))[others].sum() - 1e-9


def test_payoffs_and_shown_cards_for_three() -> None:
    assert payoffs("ppp", (2, 0, 3)) == (-1, -1, 2)
    assert payoffs("pbpb", (2, 0, 3)) == (3, -2, -1)
    assert payoffs("bpp", (0, 1, 2)) == (2, -1, -1)
    assert shown("bpp", (0, 1, 2)) == (None, None, None)
    assert shown("bpb", (0, 1, 2)) == (0, None, 2)
    assert [position_to_act(history, 3) for history in ("", "p", "pb", "pbp")] == [0, 1, 2, 0]


def test_three_players_rotate_and_the_sums_are_zero() -> None:
    kuhn = Kuhn(seats=3)
    play = KuhnStrategy("solved", "", "", solve(3, 50))
    paid = kuhn.play((play, play, play), kuhn.draws(20_000, 1, "test"))
    assert (paid.sum(axis=0) == 0).all()
    assert paid.mean(axis=(1, 2)) == pytest.approx([0, 0, 0], abs=0.02), "each sits everywhere equally often"
