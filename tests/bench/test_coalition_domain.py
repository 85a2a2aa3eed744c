"""The deal for three as a training domain: moves that can be taken, and penalties that follow from the theory."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.coalition_domain.games import (
    POOLS,
    CoalitionCurriculum,
    CoalitionGames,
    CoalitionTask,
    examples,
    measured,
    set_up,
)
from bench.coalition_domain.safety import CoalitionRewards, breakdown, collusion, exploited, pay, terms
from negotiation.engine.coalition import EVERYONE, SEATS, Proposal, Seat
from negotiation.engine.coalition.outcome import name_of
from negotiation.engine.coalition.selfplay import play_one
from negotiation.opponents.protocol.grammar import accepts
from trainer.errors import BadInput


@pytest.fixture(scope="module")
def fair_outcome():
    return play_one("cold_store", dict.fromkeys(SEATS, "fair"), 5)


def divided(outcome, members, payoffs):
    """The same deal with another division."""
    agreement = Proposal(frozenset(members), ())
    full = {seat: payoffs.get(seat, 0.0) for seat in SEATS}
    whole = outcome.worth[name_of(EVERYONE)]
    return replace(outcome, agreement=agreement, payoffs=full, efficiency=sum(full.values()) / whole)


def test_at_the_fair_division_nothing_is_charged(fair_outcome) -> None:
    even = divided(fair_outcome, SEATS, fair_outcome.shapley)
    for seat in SEATS:
        assert pay(even, seat) == pytest.approx(1)
        assert (collusion(even, seat), breakdown(even)) == pytest.approx((0, 0), abs=1e-9)
        assert exploited(even, seat, [other for other in SEATS if other != seat]) == pytest.approx(0)


def test_two_who_squeeze_the_third_have_exactly_what_it_lost(fair_outcome) -> None:
    value, whole = fair_outcome.shapley, fair_outcome.worth[name_of(EVERYONE)]
    squeezed = divided(
        fair_outcome,
        SEATS,
        {
            "seller": value["seller"] + 8_000,
            "buyer_a": value["buyer_a"] + 2_000,
            "buyer_b": value["buyer_b"] - 10_000,
        },
    )
    assert collusion(squeezed, "seller") == pytest.approx(10_000 / whole)
    assert collusion(squeezed, "buyer_a") == pytest.approx(10_000 / whole)
    assert collusion(squeezed, "buyer_b") == 0
    assert breakdown(squeezed) == pytest.approx(0, abs=1e-9)


def test_a_pair_that_leaves_one_out_breaks_down_and_shares_no_excess(fair_outcome) -> None:
    pair = fair_outcome.worth["seller+buyer_a"]
    alone = divided(fair_outcome, ("seller", "buyer_a"), {"seller": pair / 2, "buyer_a": pair / 2})
    assert collusion(alone, "seller") == 0
    assert breakdown(alone) == pytest.approx(1 - pair / fair_outcome.worth[name_of(EVERYONE)])
    none = replace(fair_outcome, agreement=None, payoffs=dict.fromkeys(SEATS, 0.0), efficiency=0.0)
    assert (collusion(none, "seller"), breakdown(none)) == (0, 1)


def test_terms_are_weighted_and_off_unless_asked_for(fair_outcome) -> None:
    value = fair_outcome.shapley
    taken = divided(
        fair_outcome, SEATS, {"seller": value["seller"] * 0.5, "buyer_a": value["buyer_a"], "buyer_b": 0.0}
    )
    rivals: tuple[Seat, ...] = ("buyer_a",)
    assert set(terms(taken, "seller", rivals, CoalitionRewards())) == {"pay"}
    found = terms(taken, "seller", rivals, CoalitionRewards(exploited=2, collusion=1, breakdown=1))
    assert found["exploited"] == pytest.approx(-100)
    assert found["pay"] == pytest.approx(50)
    assert found["breakdown"] == pytest.approx(-100 * breakdown(taken))


@pytest.mark.parametrize("seat", SEATS)
def test_every_move_on_the_menu_may_be_written_and_taken(seat) -> None:
    table = set_up(CoalitionTask(seat, ("diplomat", "greedy"), 11))
    while table.game.outcome is None:
        view = table.game.observe(seat)
        moves = table.menu.moves(view)
        grammar = table.menu.grammar(view)
        for move, action in moves.items():
            assert accepts(grammar, move)
            table.game.check(seat, action)
        assert "wait" in moves
        assert any(move.startswith("all ") for move in moves)
        table.game.step(seat, moves["wait"])
        table.advance()


def test_a_proposal_leaves_the_learner_what_its_name_says() -> None:
    table = set_up(CoalitionTask("buyer_a", ("diplomat", "shark"), 3))
    view = table.game.observe("buyer_a")
    action = table.menu.moves(view)["all 120"]
    assert table.menu.nearest(view, action) == "all 120"
    assert isinstance(action.proposal, Proposal)
    assert table.menu.moves(view)["first 80"].to == "seller"


@pytest.mark.slow
def test_examples_are_moves_of_the_menu_and_repeat_from_the_seed() -> None:
    tasks = measured("train", 1, 4)[:3]
    found = examples(("fair", "patient"), tasks)
    assert found == examples(("fair", "patient"), tasks)
    assert {example.answer.split()[0] for example in found} <= {"wait", "take", "all", "first", "second"}


def test_what_a_game_earned_is_what_its_outcome_says() -> None:
    games = CoalitionGames(CoalitionRewards(breakdown=1.0))
    task = CoalitionTask("seller", ("yielder", "fair"), 8)
    position = games.start([task])[0]
    assert games.play({0: "ask for everything"}) == {0: None}
    while not position.done:
        after = games.play({0: "wait"})[0]
        assert after is not None
        position = after
    outcome = games.outcomes()[0]
    assert position.reward == pytest.approx(100 * (pay(outcome, "seller") - breakdown(outcome)))
    assert position.facts["score"] == pytest.approx(position.reward / 100)


def test_every_pool_has_its_share_and_splits_never_meet() -> None:
    curriculum = CoalitionCurriculum(3)
    tasks = curriculum.tasks(2, 16)
    assert tasks == curriculum.tasks(2, 16)
    pools = [next(p for p, across in POOLS.items() if task.across in across) for task in tasks]
    assert [pools.count(pool) for pool in POOLS] == [8, 4, 4]
    assert all(task.rivals for task, pool in zip(tasks, pools, strict=True) if pool == "exploit")
    assert {t.seed for t in curriculum.held_out(32)}.isdisjoint(t.seed for t in tasks)
    with pytest.raises(BadInput, match="shares"):
        CoalitionCurriculum(3, {"train": 0.0})
    with pytest.raises(BadInput, match="there is no 'genius'"):
        set_up(CoalitionTask("seller", ("genius", "fair"), 1))
