"""Players that are tables: read off, played, and weighed, against the strategies that they are tables of."""

from __future__ import annotations

import numpy as np
import pytest

from negotiation.engine.drills import GAMES, SimultaneousMatch
from negotiation.engine.drills.remembering import MEMORIES, Asked, TableStrategy, by_table, read_off
from negotiation.engine.drills.simultaneous import SimultaneousGame
from negotiation.engine.drills.study.chances import chances, seen_by
from negotiation.engine.drills.study.facing import _POLICIES
from negotiation.engine.drills.study.remembered import Remembered
from negotiation.engine.drills.study.rounds import Rounds

TOGETHER = [
    (game, name)
    for game, names in {
        "auction": ("conservative", "equilibrium", "adaptive", "tft_bid", "random", "aggressive_value"),
        "pie": ("fair", "hard", "tft", "boulware", "random"),
    }.items()
    for name in names
]
"""Of every kind that looks back no further than a round: by the own figure, by the round, by the last move, by chance."""


def rules(game: str) -> SimultaneousGame:
    found = GAMES[game]
    assert isinstance(found, SimultaneousGame)
    return found


def twin(game: str, name: str, told: int = 2) -> TableStrategy:
    strategy = GAMES[game].strategies[name]

    def ask(places: list[Asked]) -> list[dict[int, float]]:
        return [
            chances(strategy, seen_by(each.own, each.other, [each.figures]))[0]  # type: ignore[arg-type]
            for each in places
        ]

    return by_table(rules(game), "twin", "Twin", "", read_off(rules(game), told, ask))


def haggler() -> TableStrategy:
    """A bidder that is bolder after a round in which it was told of a high value: something only it remembers."""
    game, memory = rules("auction"), MEMORIES["auction"]

    def ask(places: list[Asked]) -> list[dict[int, float]]:
        told = [each.figures[-2] if len(each.figures) > 1 else 2 for each in places]
        return [{1: 0.5, 2: 0.5} if past == 2 else {2: 0.25, 3: 0.75} for past in told]

    assert memory.kinds == 2
    return by_table(game, "haggler", "Haggler", "", read_off(game, 1, ask))


@pytest.mark.parametrize(("game", "name"), TOGETHER)
def test_a_table_plays_as_the_strategy_that_it_was_read_off(game: str, name: str) -> None:
    draws = rules(game).draws(400, 5, "mixed")
    opponent, strategy = rules(game).strategies["random"], rules(game).strategies[name]
    one = rules(game).play(strategy, opponent, draws)[0]
    other = rules(game).play(twin(game, name), opponent, draws)[0]
    # A coin that falls on the edge of a thousandth may fall otherwise.
    assert (one != other).mean() < 0.005


@pytest.mark.parametrize(("game", "name"), TOGETHER)
def test_every_action_is_worth_what_it_is_against_the_strategy_itself(game: str, name: str) -> None:
    match = rules(game).match(rules(game).draws(1, 3, "study"))
    known = Rounds(rules(game), rules(game).strategies[name], match.view(0))
    policy = _POLICIES[game]
    balanced = Rounds(rules(game), rules(game).strategies[name], match.view(0), policy)
    table = Remembered(rules(game), twin(game, name))
    assert table.value == pytest.approx(known.value, abs=0.01)
    assert table.holding(policy) == pytest.approx(balanced.value, abs=0.01)
    choose = np.random.default_rng(7)
    while not match.done:
        expected = known.worths(match.view(0))
        assert table.worths(match.view(0)) == pytest.approx(expected, abs=0.01)
        reply = rules(game).strategies[name].act(match.view(1), match.number(1))
        match.play({0: int(choose.choice(match.legal(0))), 1: reply})


@pytest.mark.slow
def test_what_only_the_other_side_remembers_is_worked_out_from_what_it_does() -> None:
    """Paid and given away add up to what a best response earns, though half of what decides is never shown."""
    game, strategy = rules("auction"), haggler()
    known, choose = Remembered(game, strategy), np.random.default_rng(2)
    draws = game.draws(3000, 9, "haggler")
    whole = []
    for place in range(draws.count):
        match: SimultaneousMatch = game.match(draws, place)
        total = 0.0
        while not match.done:
            view = match.view(0)
            worths, mine = known.worths(view), int(choose.choice(match.legal(0)))
            total += max(worths.values()) - worths[mine]
            match.play({0: mine, 1: strategy.act(match.view(1), match.number(1))})
        whole.append(total + sum(paid for paid, _ in match.payoffs))
    error = float(np.std(whole)) / draws.count**0.5
    assert np.mean(whole) == pytest.approx(known.value, abs=4 * error)
    assert error < 0.05


def test_a_place_that_its_own_play_never_comes_to_has_no_row() -> None:
    table = twin("pie", "hard").plays[1]
    read = read_off(rules("pie"), 2, lambda places: [{8: 1.0}] * len(places))[1]
    assert read.sum() == 9, "one for each of the other's demands, after its own 8"
    assert np.array_equal(table, read)
    seen = seen_by([5], [5], [()])
    assert {
        int(twin("pie", "hard").choose(seen, np.array([n], dtype=np.float32))[0]) for n in (0.05, 0.5, 0.95)
    } == {1, 5, 9}


def test_damaged_tables_are_refused() -> None:
    game = rules("pie")
    plays = list(twin("pie", "fair").plays)
    with pytest.raises(ValueError, match="a table for each"):
        by_table(game, "x", "X", "", plays[:-1])
    with pytest.raises(ValueError, match="another game"):
        by_table(game, "x", "X", "", [plays[0][:, :3], *plays[1:]])
    with pytest.raises(ValueError, match="sum to 1"):
        by_table(game, "x", "X", "", [plays[0] / 2, *plays[1:]])
    with pytest.raises(ValueError, match="over by then"):
        by_table(game, "x", "X", "", [plays[1], *plays[1:]])
