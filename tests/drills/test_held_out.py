"""Checkpoints are chosen by one pool and reported against another; adversaries can be made to measure."""

from __future__ import annotations

import numpy as np
import pytest

from negotiation.engine.drills import GAMES, Pools, Strategy
from negotiation.engine.drills.kuhn.strategies import KuhnStrategy
from negotiation.engine.drills.kuhn.theory import nash_conv
from negotiation.engine.drills.theory.ipd_response import best_response
from tests.drills.kinds import dilemma_player, poker, simultaneous
from trainer.domains.drills.contestants import Named
from trainer.domains.drills.evaluation import evaluate
from trainer.domains.drills.grown import response_to
from trainer.domains.drills.held_out import HELD_OUT, _Pie, check_apart
from trainer.domains.drills.objective import Group, ObjectiveSettings, rewards
from trainer.domains.drills.weights import SafetyWeights
from trainer.errors import BadInput

MANY = ("kuhn", "books_hats_balls")
"""Games with so many positions that telling strategies apart takes seconds."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.thorough if name in MANY else ()) for name in GAMES],
)
def test_the_pool_that_chooses_shares_no_name_and_no_play_with_any_pool_that_is_trained_on_or_reported(
    name,
) -> None:
    check_apart(name)
    own = {each for pool in GAMES[name].pools.all().values() for each in pool}
    held = {each for pool in HELD_OUT[name].pools.all().values() for each in pool}
    assert held
    assert not own & held


def test_a_held_out_pool_that_shares_a_strategy_is_refused(monkeypatch) -> None:
    class Careless(_Pie):
        pools = Pools(("balanced",), ("seven_or_eight",), (), ())

    monkeypatch.setitem(HELD_OUT, "pie", Careless())
    check_apart.cache_clear()
    with pytest.raises(ValueError, match="balanced"):
        check_apart("pie")
    check_apart.cache_clear()


@pytest.mark.parametrize("name", GAMES)
def test_every_oracle_can_be_measured_against_the_held_out_pool(name) -> None:
    strategies = GAMES[name].strategies
    strategy = strategies[next(iter(strategies))]
    found = evaluate(HELD_OUT[name], Named(strategy), 200, seed=1)
    assert np.isfinite(found["safety_table1"]["mean"])


def test_a_grown_adversary_takes_what_theory_says_the_worst_can_take() -> None:
    game, learner = simultaneous("ipd"), dilemma_player("wsls")
    grown = response_to(learner, "grown").strategy("ipd")
    assert isinstance(grown, Strategy)
    record = game.simulate(learner, grown, game.draws(4000, 1, "x"))
    taken = float((record.payoffs[1] - record.payoffs[0]).mean())
    assert taken == pytest.approx(best_response(learner.cooperation, "margin").value, abs=0.05)


def test_in_poker_a_grown_adversary_wins_half_of_nash_conv_a_hand() -> None:
    game, learner = poker(), poker().strategies["pot_control"]
    grown = response_to(learner, "grown").strategy("kuhn")
    assert isinstance(grown, KuhnStrategy)
    paid = game.simulate(learner, grown, game.draws(200_000, 1, "x")).payoffs
    assert float(paid[1].mean()) == pytest.approx(nash_conv([learner.behaviour] * 2) / 2, abs=0.006)


def test_what_theory_cannot_reckon_with_grows_no_pool() -> None:
    with pytest.raises(BadInput, match="grow"):
        response_to(GAMES["pie"].strategies["fair"], "grown")


@pytest.mark.slow
def test_poker_played_as_the_objective_likes_it_best_is_safe_from_its_adversaries_and_wide_open_to_others() -> (
    None
):
    """The highest Safety over a grid of behaviours: better than any equilibrium, and .33 a hand to a best response."""
    behaviour = np.array([[0, 0, 0], [1, 1, 1], [0, 0, 1], [0, 0, 1]], dtype=float)
    game = GAMES["kuhn"]
    best, nash = (
        evaluate(game, Named(each), 20_000, 1)
        for each in (KuhnStrategy("best", "", "", behaviour), game.strategies["nash"])
    )
    assert best["exploit"]["mean"] == 0
    assert best["safety_table1"]["mean"] > nash["safety_table1"]["mean"] + 0.08
    assert best["nash_conv"] == pytest.approx(2 / 3)


def test_an_adversary_is_charged_by_all_that_was_played_where_that_is_given() -> None:
    game = simultaneous("ipd")
    record = game.simulate(game.strategies["mixed"], game.strategies["always_defect"], game.draws(4, 1, "x"))
    for ahead, charged in ((True, True), (False, False)):
        paid = rewards(
            Group("exploit", record, ahead=ahead), SafetyWeights(1, 0, 0), 1.0, ObjectiveSettings()
        )
        assert bool((paid < 0).any()) is charged
