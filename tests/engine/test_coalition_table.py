"""The rules of the table for three: who sees what, what closes a deal, what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation.engine.coalition import (
    ARRANGEMENTS,
    COALITIONS,
    EVERYONE,
    SEATS,
    Action,
    Claim,
    Coalition,
    Proposal,
    Seat,
    coalition_scenarios,
    draw_stakes,
)
from negotiation.engine.coalition.outcome import settle, worth_table
from negotiation.engine.coalition.table import Table
from negotiation.engine.coalition.worth import payoff, surplus
from negotiation.engine.deal.errors import ActionRefused
from tests.effort import times

SCENARIO = coalition_scenarios()["cold_store"]
SELLER_AND_A: Coalition = frozenset({"seller", "buyer_a"})
BOTH_BUYERS: Coalition = frozenset({"buyer_a", "buyer_b"})
WAIT = Action(text="I wait.")


def table(seed: int = 5) -> Table:
    return Table(SCENARIO, draw_stakes(SCENARIO, seed))


def shared(a: float = 115_000, b: float = 95_000) -> Proposal:
    return Proposal.of(EVERYONE, buyer_a=a, buyer_b=b)


def refused(game: Table, seat: Seat, action: Action) -> str:
    before = (list(game.entries), dict(game.standing), game.to_move)
    with pytest.raises(ActionRefused) as caught:
        game.take(seat, action)
    assert (game.entries, game.standing, game.to_move) == before
    return caught.value.code


def test_a_deal_of_three_closes_with_the_third_support() -> None:
    game = table()
    game.take("seller", Action(proposal=shared()))
    game.take("buyer_a", Action(support=1))
    assert not game.done
    game.take("buyer_b", Action(support=1))
    assert (game.reason, game.agreement) == ("agreed", shared())


def test_two_close_without_the_third_who_gets_nothing() -> None:
    game = table()
    game.take("seller", WAIT)
    game.take("buyer_a", Action(proposal=Proposal.of(SELLER_AND_A, buyer_a=160_000)))
    game.take("buyer_b", WAIT)
    game.take("seller", Action(support=2))
    outcome = settle(game)
    assert outcome.payoffs["buyer_b"] == 0
    assert outcome.payoffs["seller"] == 160_000 + game.own["seller"].alone
    assert not outcome.efficient
    assert not outcome.stable


def test_a_new_proposal_takes_the_old_one_off_the_table_and_a_support_moves_with_its_seat() -> None:
    game = table()
    game.take("seller", Action(proposal=shared()))
    game.take("buyer_a", Action(support=1))
    game.take("buyer_b", Action(proposal=shared(116_000, 90_000)))
    game.take("seller", Action(proposal=shared(110_000, 100_000)))
    game.take("buyer_a", Action(support=3))
    standing = {offer.number: offer.supporters for offer in game.observe("seller").standing}
    assert standing == {3: BOTH_BUYERS, 4: {"seller"}}


def test_who_leaves_takes_along_every_proposal_that_counts_on_it() -> None:
    game = table()
    game.take("seller", Action(proposal=shared()))
    game.take("buyer_a", Action(proposal=Proposal.of(BOTH_BUYERS, buyer_a=75_000, buyer_b=75_000)))
    game.take("buyer_b", WAIT)
    game.take("seller", Action(walk_away=True))
    assert [offer.number for offer in game.observe("buyer_b").standing] == [2]
    assert game.to_move == "buyer_a"
    game.take("buyer_a", Action(walk_away=True))
    assert game.reason == "nobody_left"


def test_time_runs_out_after_the_last_seat_of_the_last_round() -> None:
    game = table()
    for number in range(3 * SCENARIO.horizon):
        assert not game.done, number
        game.take(SEATS[number % 3], WAIT)
    assert (game.reason, game.to_move) == ("time_up", None)
    assert refused(game, "seller", WAIT) == "game_over"


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (Action(), "empty_action"),
        (Action(text="x" * 2001), "text_too_long"),
        (Action(text="a\x00b"), "text_binary"),
        (Action(proposal=shared(), walk_away=True), "one_act"),
        (Action(text="hm", to="seller"), "cannot_address"),
        (Action(walk_away=True, to="buyer_a"), "leaving_is_public"),
        (Action(text="x", claim=Claim("seller", 5.0)), "claim_unfounded"),
        (Action(support=9), "no_such_proposal"),
        (Action(proposal=Proposal.of(frozenset({"seller"}))), "unknown_coalition"),
        (Action(proposal=Proposal.of(BOTH_BUYERS, buyer_a=1, buyer_b=1)), "not_a_member"),
        (Action(proposal=shared(), to="buyer_a"), "private_needs_pair"),
        (Action(proposal=Proposal.of(EVERYONE, buyer_a=1)), "payments_missing"),
        (Action(proposal=shared(a=float("nan"))), "payment_not_finite"),
        (Action(proposal=shared(a=-1)), "payment_negative"),
        (Action(proposal=shared(a=9e9)), "payment_implausible"),
        (Action(proposal=shared(1_000, 1_000)), "below_outside"),
    ],
)
def test_what_cannot_be_done_is_refused_by_name_and_changes_nothing(action: Action, code: str) -> None:
    assert refused(table(), "seller", action) == code


def test_refusals_that_need_a_table_in_progress() -> None:
    game = table()
    assert refused(game, "buyer_a", WAIT) == "not_your_turn"
    game.take("seller", Action(proposal=Proposal.of(SELLER_AND_A, buyer_a=150_000), to="buyer_a"))
    assert (
        refused(game, "buyer_a", Action(proposal=Proposal.of(BOTH_BUYERS, buyer_a=1, buyer_b=1)))
        == "depot_cost_unmet"
    )
    game.take("buyer_a", WAIT)
    assert refused(game, "buyer_b", Action(support=1)) == "no_such_proposal"
    game.take("buyer_b", Action(proposal=shared()))
    assert refused(game, "seller", Action(support=1)) == "already_supported"
    assert refused(game, "seller", Action(support=3, to="buyer_b")) == "support_is_public"
    game.take("seller", WAIT)
    game.take("buyer_a", Action(walk_away=True))
    assert refused(game, "buyer_b", Action(proposal=shared())) == "seat_gone"
    assert refused(game, "buyer_b", Action(text="Are you there?", to="buyer_a")) == "cannot_address"


def test_a_person_may_sign_below_its_own_outside_option_when_it_means_to() -> None:
    game = table()
    game.take("seller", Action(proposal=shared(1_000, 1_000), knowingly=True))
    game.take("buyer_a", Action(support=1))
    game.take("buyer_b", Action(support=1))
    assert settle(game).payoffs["seller"] < 0


def test_a_private_turn_is_seen_by_two_and_leaves_no_trace_for_the_third() -> None:
    game = table()
    game.take(
        "seller",
        Action(text="Between us.", proposal=Proposal.of(SELLER_AND_A, buyer_a=150_000), to="buyer_a"),
    )
    assert len(game.observe("buyer_a").entries) == len(game.observe("seller").standing) == 1
    third = game.observe("buyer_b")
    assert (third.entries, third.standing) == ((), ())


@given(st.integers(0, 2**62))
@settings(max_examples=times(200))
def test_all_three_together_are_always_worth_most_and_every_seat_counts(seed: int) -> None:
    stakes = draw_stakes(SCENARIO, seed)
    worth = worth_table(stakes, SCENARIO.depot_cost)
    assert worth[EVERYONE] == float(surplus(stakes, EVERYONE, SCENARIO.depot_cost))
    assert worth[EVERYONE] > max(worth[members] for members in COALITIONS if members != EVERYONE)
    assert worth[SELLER_AND_A] > 0


Drawn = tuple[Coalition, tuple[float, float]]
proposals = st.sampled_from(COALITIONS).flatmap(
    lambda members: st.tuples(
        st.just(members),
        st.tuples(st.integers(0, 400).map(lambda k: k * 500.0), st.integers(0, 300).map(lambda k: k * 500.0)),
    )
)


@given(st.integers(0, 10_000), proposals)
def test_payoffs_of_any_deal_share_out_exactly_what_its_members_earn(
    seed: int, drawn: tuple[Coalition, tuple[float, float]]
) -> None:
    members, (first, second) = drawn
    if members == BOTH_BUYERS:
        second = SCENARIO.depot_cost - min(first, SCENARIO.depot_cost)
        first = SCENARIO.depot_cost - second
    pays = {s: pay for s, pay in (("buyer_a", first), ("buyer_b", second)) if s in members}
    stakes = draw_stakes(SCENARIO, seed)
    proposal = Proposal.of(members, **pays)
    total = sum(float(payoff(stakes, seat, proposal)) for seat in SEATS)
    assert total == pytest.approx(float(surplus(stakes, members, SCENARIO.depot_cost)))


def test_the_scenario_tells_what_it_draws_from() -> None:
    assert set(SCENARIO.arrangements) == set(ARRANGEMENTS)
    memo, drawn = SCENARIO.memo(), SCENARIO.draw(np.random.default_rng(1), 4000)
    assert np.allclose(drawn.mean(axis=0), memo, rtol=0.01)
