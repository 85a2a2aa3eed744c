"""A strategy stands in one pool, by name and by play."""

from __future__ import annotations

import dataclasses

import pytest

from negotiation.engine.drills import GAMES, Pie, check
from negotiation.engine.drills.kuhn.game import BEST_RESPONSE
from negotiation.engine.drills.pools import echoes, violations
from tests.drills.kinds import simultaneous


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_no_strategy_stands_in_two_pools_and_every_name_is_known(game) -> None:
    check(game)
    assert violations(game.pools) == {}
    named = {name for pool in game.pools.all().values() for name in pool}
    assert named <= {*game.strategies, BEST_RESPONSE}


def test_the_papers_own_pools_break_its_rule_in_three_games() -> None:
    assert {name: violations(game.paper_pools) for name, game in GAMES.items()} == {
        "ipd": {},
        "auction": {},
        "pie": {"fair": ("train", "collusive"), "hard": ("train", "exploit")},
        "books_hats_balls": {"fair": ("train", "collusive")},
        "kuhn": {"nash_approx": ("train", "exploit")},
    }


@pytest.mark.slow
def test_only_the_auction_has_names_that_play_alike_and_it_owns_up_to_them() -> None:
    assert all(not echoes(game) for name, game in GAMES.items() if name != "auction")
    assert echoes(GAMES["auction"]) == {
        frozenset(pair)
        for pair in (
            ("truthful", "shaded"),
            ("truthful", "equilibrium"),
            ("shaded", "equilibrium"),
            ("conservative", "collusive_low"),
        )
    }


def test_a_name_in_two_pools_and_a_hidden_echo_are_both_found() -> None:
    game = simultaneous("pie")

    class Careless(Pie):
        pools = game.paper_pools

    with pytest.raises(ValueError, match="fair"):
        check(Careless())

    class Disguised(Pie):
        strategies = {**game.strategies, "noble": dataclasses.replace(game.strategies["fair"], name="noble")}
        pools = dataclasses.replace(game.pools, train=(*game.pools.train, "noble"))

    with pytest.raises(ValueError, match="same play"):
        check(Disguised())
