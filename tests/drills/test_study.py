"""What a player could know: odds of strategies and worth of actions, against enumeration and against many matches."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from negotiation.engine.drills import GAMES, KuhnMatch, KuhnView, SimultaneousMatch
from negotiation.engine.drills.kuhn.theory import best_response
from negotiation.engine.drills.pools import _fingerprint
from negotiation.engine.drills.simultaneous import SimultaneousGame
from negotiation.engine.drills.study import SUSPECTS, facing, posterior
from negotiation.engine.drills.study.chances import chances, seen_by
from negotiation.engine.drills.study.minds import minds_of
from negotiation.engine.drills.study.rounds import Rounds
from negotiation.engine.drills.theory.auction_stage import best_plans, stage_payoff
from negotiation.engine.drills.theory.ipd_response import best_response as best_in_dilemma
from tests.effort import few, matrix

PAIRS = [(game, name) for game, names in SUSPECTS.items() for name in names]
TOGETHER = [(game, name) for game, name in PAIRS if game not in ("kuhn", "ipd")]


def begin(game: str, seed: int = 3) -> SimultaneousMatch | KuhnMatch:
    return GAMES[game].match(GAMES[game].draws(1, seed, "study"))


def play(match: SimultaneousMatch | KuhnMatch, name: str, choose: np.random.Generator) -> None:
    """One step: the strategy by its numbers, the player by chance."""
    opponent = match.game.opponent(name)
    actions = {}
    for seat in match.to_move:
        if seat:
            actions[seat] = opponent.act(match.view(seat), match.number(seat))  # type: ignore[arg-type]
        else:
            actions[seat] = int(choose.choice(match.legal(seat)))
    match.play(actions)


@pytest.mark.parametrize("game", sorted(SUSPECTS))
def test_there_are_seven_or_eight_suspects_and_no_two_play_alike(game: str) -> None:
    names = SUSPECTS[game]
    assert len(set(names)) in (7, 8)
    assert len({_fingerprint(GAMES[game], name) for name in names}) == len(names)


@settings(max_examples=60, deadline=None)
@given(pair=some.sampled_from(PAIRS), seed=some.integers(0, 2**31))
def test_odds_sum_to_one_after_every_round_and_the_truth_is_never_ruled_out(
    pair: tuple[str, str], seed: int
) -> None:
    game, name = pair
    match, choose = begin(game, seed), np.random.default_rng(seed)
    while not match.done:
        play(match, name, choose)
    path = posterior(GAMES[game], match.view(0))
    assert len(path) == match.game.rounds + 1
    for odds in path:
        assert sum(odds.values()) == pytest.approx(1)
        assert odds[name] > 0
    assert set(path[0].values()) == {1 / len(SUSPECTS[game])}


@pytest.mark.parametrize("game", sorted(SUSPECTS))
def test_the_odds_are_honest(game: str) -> None:
    """Over many matches against suspects drawn by lot, what gets odds of p is true in p of all cases: the mean odds
    of the truth are the mean of the sum of squares."""
    rng = np.random.default_rng(11)
    truth, squares = [], []
    for seed in range(few(16, 40) if game == "books_hats_balls" else few(100, 250)):
        name = str(rng.choice(SUSPECTS[game]))
        match = begin(game, seed)
        while not match.done:
            play(match, name, rng)
        odds = posterior(GAMES[game], match.view(0))[-1]
        truth.append(odds[name])
        squares.append(sum(p * p for p in odds.values()))
    gap = np.array(truth) - np.array(squares)
    assert abs(gap.mean()) < 4 * gap.std(ddof=1) / np.sqrt(len(gap)) + 0.005


@settings(max_examples=80, deadline=None)
@given(pair=some.sampled_from(TOGETHER), seed=some.integers(0, 2**31))
def test_a_strategy_remembers_what_the_reckoning_says_and_nothing_else(
    pair: tuple[str, str], seed: int
) -> None:
    game, name = pair
    match, choose = begin(game, seed), np.random.default_rng(seed)
    assert isinstance(match, SimultaneousMatch)
    reckoned = Rounds(match.game, match.game.strategies[name], match.view(0))
    while not match.done:
        theirs, memory = match.view(1), reckoned._memory(match.view(0))
        own, other = reckoned._history(theirs.round, memory)
        mind = theirs.private[-1:] if game == "auction" else theirs.private
        told = [reckoned.minds.told(mind, theirs.round)]
        strategy = match.game.strategies[name]
        assert chances(strategy, seen_by(own, other, told)) == chances(strategy, theirs.seen())
        play(match, name, choose)


@pytest.mark.parametrize("name", SUSPECTS["pie"])
def test_the_best_against_the_pie_is_that_of_going_through_every_history(name: str) -> None:
    game = GAMES["pie"]
    assert isinstance(game, SimultaneousGame)
    strategy = game.strategies[name]

    found = facing(game, name, begin("pie").view(0)).best * game.rounds
    if name == "random":  # 45 ** 4 histories, and it listens to none of them
        assert found == pytest.approx(4 * max(a * min(5, 8 - a) / 5 for a in range(1, 8)))
        return

    @cache
    def best(own: tuple[int, ...], other: tuple[int, ...]) -> float:
        if len(own) == game.rounds:
            return 0.0
        (may,) = chances(strategy, seen_by(other, own, [()]))
        return max(
            sum(p * (game.pay((a, b), ((), ()), 0)[0] + best((*own, a), (*other, b))) for b, p in may.items())
            for a in range(1, 10)
        )

    assert found == pytest.approx(best((), ()))


@pytest.mark.parametrize("name", ["conservative", "equilibrium", "aggressive_value", "aggressive"])
def test_the_best_against_a_bidder_by_value_is_that_of_the_stage_game(name: str) -> None:
    plans = {"conservative": (1, 1), "equilibrium": (1, 2), "aggressive_value": (1, 3), "aggressive": (3, 3)}
    found = facing(GAMES["auction"], name, begin("auction").view(0))
    assert found.best == pytest.approx(float(best_plans(plans[name])[0]))
    assert found.balanced == pytest.approx(float(stage_payoff((1, 2), plans[name])))


@pytest.mark.parametrize("name", SUSPECTS["ipd"])
def test_the_best_in_the_dilemma_is_that_of_the_theory(name: str) -> None:
    strategy = GAMES["ipd"].strategies[name]
    found = facing(GAMES["ipd"], name, begin("ipd").view(0))
    assert found.best == pytest.approx(best_in_dilemma(strategy.cooperation).value)  # type: ignore[union-attr]


@pytest.mark.parametrize("name", SUSPECTS["kuhn"])
def test_the_best_in_poker_is_that_of_the_theory_and_agrees_with_the_worth_of_opening(name: str) -> None:
    game = GAMES["kuhn"]
    behaviour = game.strategies[name].behaviour  # type: ignore[union-attr]
    found = facing(game, name, begin("kuhn").view(0))
    by_seat = [best_response([behaviour] * 2, {seat}).value for seat in (0, 1)]
    assert found.best == pytest.approx(sum(by_seat) / 2)
    opening = {}
    for seed in range(40):
        view = begin("kuhn", seed).view(0)
        assert isinstance(view, KuhnView)
        opening[view.card] = max(found.worths(view).values())
    assert len(opening) == 3
    assert sum(opening.values()) / 3 == pytest.approx(by_seat[0])


@pytest.mark.parametrize("pair", matrix(PAIRS, one_in=7))
def test_what_is_given_away_is_what_a_careless_player_lacks(pair: tuple[str, str]) -> None:
    """Summed over the choices of a player who picks by chance, regret is the best less what was paid, on average."""
    rng, (game, name) = np.random.default_rng(5), pair
    gaps = []
    for seed in range(60 if game != "books_hats_balls" else 12):
        match = begin(game, seed)
        known = facing(GAMES[game], name, match.view(0))
        regret = 0.0
        while not match.done:
            opponent = match.game.opponent(name)
            actions = {}
            for seat in match.to_move:
                view = match.view(seat)
                if seat:
                    actions[seat] = opponent.act(view, match.number(seat))  # type: ignore[arg-type]
                    continue
                actions[0] = int(rng.choice(match.legal(0)))
                worths = known.worths(view)
                regret += max(worths.values()) - worths[actions[0]]
            match.play(actions)
        paid = sum(payoffs[0] for payoffs in match.payoffs)
        gaps.append(known.best * match.game.rounds - regret - paid)
    error = np.std(gaps, ddof=1) / np.sqrt(len(gaps))
    assert abs(np.mean(gaps)) < 4 * error + 1e-6


def test_the_player_never_learns_from_the_worths_what_the_other_was_told() -> None:
    """Two matches that look alike to the player, whatever the other values, have the same worths and the same odds."""
    game = GAMES["books_hats_balls"]
    one, two = begin("books_hats_balls", 1), begin("books_hats_balls", 1)
    assert isinstance(two, SimultaneousMatch)
    two.private = (two.private[0], (*two.private[1][:3], *reversed(two.private[1][3:])))
    assert one.view(0) == two.view(0)
    for name in SUSPECTS["books_hats_balls"]:
        known = [facing(game, name, match.view(0)) for match in (one, two)]
        assert known[0].worths(one.view(0)) == known[1].worths(two.view(0))
    assert len(minds_of("books_hats_balls", one.view(0)).possible) == 66  # type: ignore[arg-type]
