"""What the named strategies do, told in words of their own and not in those of the code."""

from __future__ import annotations

import pytest

from negotiation.engine.drills import GAMES, KuhnView, RoundView
from negotiation.engine.drills.books_hats_balls import decode
from negotiation.engine.drills.ipd import extortion, memory_one
from negotiation.engine.drills.kuhn.strategies import equilibrium
from negotiation.engine.drills.simultaneous import SimultaneousGame
from tests.drills.kinds import poker, simultaneous


class Script:
    """A player that reads its actions from a list."""

    def __init__(self, actions) -> None:
        self.actions = actions

    def act(self, view, number):
        return self.actions[view.round]


def answers(game_name, strategy, script, seed=0):
    """What a strategy does while its opponent follows a script."""
    game = simultaneous(game_name)
    match = game.match(game.draws(1, seed, "test"))
    while not match.done:
        strategist = game.strategies[strategy]
        match.play(
            {0: strategist.act(match.view(0), match.number(0)), 1: Script(script).act(match.view(1), 0.0)}
        )
    return [own for own, _ in match.actions]


C, D = 0, 1


@pytest.mark.parametrize(
    ("strategy", "script", "expected"),
    [
        ("tft", [C, D, C, C, D, D, C, C], [C, C, D, C, C, D, D, C]),
        ("grim", [C, C, D, C, C, C, C, C], [C, C, C, D, D, D, D, D]),
        ("always_defect", [C] * 8, [D] * 8),
        ("alternate_defect", [C] * 8, [D, C, D, C, D, C, D, C]),
        ("alternator", [D] * 8, [C, D, C, D, C, D, C, D]),
        ("wsls", [D, D, D, C, C, D, D, D], [C, D, C, D, D, D, C, D]),
        ("tf2t", [D, C, D, D, C, D, D, D], [C, C, C, C, D, C, C, D]),
        ("generous_tft", [C] * 8, [C] * 8),
    ],
)
def test_ipd_strategies_answer_a_script(strategy, script, expected) -> None:
    assert answers("ipd", strategy, script) == expected


def test_generous_tit_for_tat_forgives_one_defection_in_four() -> None:
    game = simultaneous("ipd")
    record = game.simulate(
        game.strategies["generous_tft"], game.strategies["always_defect"], game.draws(20_000, 1, "test")
    )
    forgiven = (record.payoffs[0, 1:] == 0).mean()
    assert forgiven == pytest.approx(0.25, abs=0.005)


def test_the_extortioner_is_the_one_of_press_and_dyson_and_extorts_twice() -> None:
    assert extortion(2.0, 1 / 18) == pytest.approx((8 / 9, 1 / 2, 1 / 3, 0))
    with pytest.raises(ValueError, match="no probabilities"):
        extortion(2.0, 1.0)
    game = simultaneous("ipd")
    long = type("Long", (type(game),), {"rounds": 400})()
    record = long.simulate(
        game.strategies["zd_extort_2"], game.strategies["mixed"], long.draws(4000, 1, "test")
    )
    mine, theirs = record.payoffs[:, 50:].mean(axis=(1, 2)) - 1
    assert mine / theirs == pytest.approx(2.0, abs=0.03)


def test_memory_one_reads_its_own_action_first() -> None:
    cooperation = memory_one(1.0, 0.1, 0.2, 0.3, 0.4)
    seen = RoundView(1, (5.0,), own=(D,), other=(C,), private=()).seen()
    assert cooperation(seen)[0] == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("strategy", "script", "expected"),
    [
        ("adaptive", [1, 2, 3, 1, 1, 1], [2, 2, 3, 3, 2, 2]),
        ("tft_bid", [1, 2, 3, 1, 1, 3], [2, 1, 2, 3, 1, 1]),
        ("aggressive", [1] * 6, [3] * 6),
        ("conservative", [3] * 6, [1] * 6),
    ],
)
def test_bidders_answer_a_script(strategy, script, expected) -> None:
    assert answers("auction", strategy, script) == expected


def test_a_truthful_bidder_bids_half_its_value() -> None:
    game = simultaneous("auction")
    actions, private = game.play(
        game.strategies["truthful"], game.strategies["random"], game.draws(50, 1, "test")
    )
    assert (2 * actions[0] == private[0]).all()


@pytest.mark.parametrize(
    ("strategy", "script", "expected"),
    [
        ("fair", [9] * 4, [5] * 4),
        ("concede", [4, 5, 4, 4], [6, 6, 5, 5]),
        ("tft", [7, 2, 5, 5], [5, 3, 8, 5]),
        ("boulware", [5] * 4, [8, 8, 7, 5]),
    ],
)
def test_pie_splitters_answer_a_script(strategy, script, expected) -> None:
    assert answers("pie", strategy, script) == expected


@pytest.mark.parametrize(
    ("strategy", "expected"),
    [
        ("fair", (1, 0, 2)),
        ("greedy", (3, 1, 4)),
        ("hardball", (3, 1, 0)),
        ("conservative", (3, 0, 0)),
        ("proportional", (3, 1, 2)),
        ("defensive", (3, 0, 2)),
    ],
)
def test_dividers_open_as_they_are_described(strategy, expected) -> None:
    view = RoundView(0, (), own=(), other=(), private=(3, 1, 4, 5, 3, 2))
    assert decode(simultaneous("books_hats_balls").strategies[strategy].act(view, 0.5)) == expected


def test_a_divider_takes_what_was_left_and_a_conceder_one_less_each_round() -> None:
    view = RoundView(2, (0.0, 0.0), own=(0, 0), other=(124, 31), private=(3, 2, 4, 5, 3, 2))
    strategies = simultaneous("books_hats_balls").strategies
    assert decode(strategies["tft"].act(view, 0.5)) == (2, 1, 3)
    assert decode(strategies["concede"].act(view, 0.5)) == (1, 0, 2)


def test_the_first_players_queen_calls_two_thirds_at_the_end_of_the_family() -> None:
    view = KuhnView(round=0, payoffs=(), seats=2, position=0, card=1, history="pb", past=())
    kuhn = poker()
    assert kuhn.strategies["nash_third"].act(view, 0.66) == 1
    assert kuhn.strategies["nash_third"].act(view, 0.67) == 0
    assert kuhn.strategies["nash_approx"].act(view, 0.34) == 0, "as the paper prints it, it calls too little"
    with pytest.raises(ValueError, match="alpha"):
        equilibrium(0.5)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_demonstrators_are_a_mixture_of_named_strategies(game) -> None:
    assert sum(game.demonstrators.values()) == pytest.approx(1.0)
    assert set(game.demonstrators) <= set(game.strategies)
    assert all(strategy.says and strategy.title for strategy in game.strategies.values())


def test_every_simultaneous_game_labels_its_actions_apart() -> None:
    for game in GAMES.values():
        if isinstance(game, SimultaneousGame):
            legal = game.legal((4, 4, 4, 3, 3, 4))
            assert len({game.label(action) for action in legal}) == len(legal)
