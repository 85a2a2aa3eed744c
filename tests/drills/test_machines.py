"""The state machines and the simulators over arrays are the same games."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation.engine.drills import GAMES, IllegalAction, Kuhn, KuhnStrategy, SimultaneousGame, play_out
from negotiation.engine.drills.books_hats_balls import MOST, TOTAL_VALUE, decode, encode
from tests.drills.kinds import poker, simultaneous

SIMULTANEOUS = [game for game in GAMES.values() if isinstance(game, SimultaneousGame)]
seeds = st.integers(0, 2**32 - 1)
MATCHES = 7


def played(game, draws, *players):
    matches = [game.match(draws, index) for index in range(draws.count)]
    for match in matches:
        play_out(match, *players)
    return matches


@pytest.mark.parametrize("game", SIMULTANEOUS, ids=lambda game: game.name)
@given(seed=seeds, data=st.data())
@settings(max_examples=60, deadline=None)
def test_a_match_of_two_named_strategies_is_the_same_move_by_move_and_over_arrays(game, seed, data) -> None:
    first, second = (game.strategies[data.draw(st.sampled_from(sorted(game.strategies)))] for _ in range(2))
    draws = game.draws(MATCHES, seed, "test")
    matches = played(game, draws, first, second)
    actions, private = game.play(first, second, draws)
    assert np.array_equal(actions.transpose(2, 1, 0), [match.actions for match in matches])
    told = [[list(side) for side in match.private] for match in matches]
    assert np.array_equal(private.transpose(2, 0, 1), np.array(told).reshape(MATCHES, 2, -1))
    simulated, stepped = game.simulate(first, second, draws), game.record(matches)
    assert np.array_equal(simulated.payoffs.transpose(2, 1, 0), [match.payoffs for match in matches])
    for name in ("payoffs", "externality", "greedy", "tempted"):
        assert np.array_equal(getattr(simulated, name), getattr(stepped, name))


@pytest.mark.parametrize("game", SIMULTANEOUS, ids=lambda game: game.name)
@given(seed=seeds, data=st.data())
@settings(max_examples=60, deadline=None)
def test_any_legal_actions_pay_the_same_by_the_rules_of_one_round_and_over_arrays(game, seed, data) -> None:
    match = game.match(game.draws(1, seed, "test"))
    while not match.done:
        match.play({player: data.draw(st.sampled_from(match.legal(player))) for player in match.to_move})
    record = game.record([match])
    assert np.array_equal(record.payoffs[:, :, 0].T, match.payoffs)
    assert (record.externality >= 0).all()
    assert (record.externality <= 1).all()


behaviours = st.lists(st.floats(0, 1), min_size=48, max_size=48)


@pytest.mark.parametrize("seats", [2, 3])
@given(seed=seeds, data=st.data())
@settings(max_examples=60, deadline=None)
def test_a_match_of_kuhn_poker_is_the_same_move_by_move_and_over_arrays(seats, seed, data) -> None:
    shape = (4, 3) if seats == 2 else (12, 4)
    players = [
        KuhnStrategy(str(seat), "", "", np.array(data.draw(behaviours)[: shape[0] * shape[1]]).reshape(shape))
        for seat in range(seats)
    ]
    game = Kuhn(seats)
    draws = game.draws(MATCHES, seed, "test")
    matches = played(game, draws, *players)
    paid = game.play(players, draws)
    assert np.array_equal(paid.transpose(2, 1, 0), [match.payoffs for match in matches])
    assert (paid.sum(axis=0) == 0).all()


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_strategy_only_ever_chooses_what_is_legal(game) -> None:
    draws = game.draws(40, 1, "test")
    for strategy in game.strategies.values():
        for index in range(draws.count):
            play_out(game.match(draws, index), strategy, game.strategies["random"])


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_what_is_illegal_or_out_of_turn_is_refused_and_changes_nothing(game) -> None:
    match = game.match(game.draws(1, 1, "test"))
    before = [match.view(player) for player in (0, 1)]
    legal = {player: match.legal(player)[0] for player in match.to_move}
    wrong: tuple[dict[int, int], ...] = (
        dict.fromkeys(match.to_move, 125),
        {},
        {**legal, 2: 0},
        dict.fromkeys(match.to_move, -1),
    )
    for actions in wrong:
        with pytest.raises(IllegalAction):
            match.play(actions)
        assert [match.view(player) for player in (0, 1)] == before


def test_a_finished_match_takes_no_more_moves() -> None:
    pie = simultaneous("pie")
    match = pie.match(pie.draws(1, 1, "test"))
    play_out(match, pie.strategies["fair"], pie.strategies["fair"])
    with pytest.raises(IllegalAction):
        match.play({0: 5, 1: 5})


def test_what_is_private_stays_private() -> None:
    auction = simultaneous("auction")
    match = auction.match(auction.draws(1, 3, "test"))
    for round_ in range(auction.rounds):
        view = match.view(0)
        assert view.private == match.private[0][: round_ + 1], "a later value is not known yet"
        match.play({0: 1, 1: 1})
    items = simultaneous("books_hats_balls")
    match = items.match(items.draws(1, 3, "test"))
    assert match.view(0).private[:3] == match.view(1).private[:3]
    assert match.view(0).private[3:] == match.private[0][3:]


def test_a_folded_card_is_never_shown_and_a_called_one_is() -> None:
    kuhn = poker()
    draws = kuhn.draws(300, 1, "test")
    seen = set()
    for index in range(draws.count):
        match = kuhn.match(draws, index)
        play_out(match, kuhn.strategies["loose_aggressive"], kuhn.strategies["tight_passive"])
        for hand in match.view(0).past:
            called = hand.history in ("pp", "bb", "pbb")
            assert (None not in hand.shown) == called
            assert all(card is None for card in hand.shown) != called
            seen.add(hand.history)
    assert {"pp", "bp", "bb", "pbp"} <= seen


def test_values_and_pools_of_books_hats_and_balls_are_as_announced() -> None:
    game = simultaneous("books_hats_balls")
    private = game.deal(game.draws(20_000, 1, "test").chance)
    assert set(np.unique(private[:, :3])) == set(range(1, MOST + 1))
    assert (private[:, 3:].sum(axis=1) == TOTAL_VALUE).all()
    assert (private[0, :3] == private[1, :3]).all(), "both see the same pools"
    assert (private[0, 3:] != private[1, 3:]).any()


@given(st.tuples(*[st.integers(0, MOST)] * 3))
def test_a_demand_survives_its_number(bundle) -> None:
    assert decode(encode(bundle)) == bundle


def test_the_same_seed_gives_the_same_draws_and_another_label_gives_others() -> None:
    game = GAMES["auction"]
    first, again, other = (game.draws(5, 9, label) for label in ("a", "a", "b"))
    assert np.array_equal(first.moves, again.moves)
    assert np.array_equal(first.chance, again.chance)
    assert not np.array_equal(first.chance, other.chance)
