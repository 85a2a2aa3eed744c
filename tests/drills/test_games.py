"""The drills in the learner's loop: text in, rewards and records out, the same games as over arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from negotiation.engine.drills import GAMES, Kuhn, Player
from negotiation.opponents.protocol.grammar import Literal, advance_all, may_end
from tests.drills.kinds import any_game
from trainer.domains.drills.games import DrillGames, DrillTask
from trainer.domains.drills.oracles import ORACLES, policy_named
from trainer.domains.drills.prompts import AnyMatch

SEEDS = range(5)


def talk(name, oracle, opponent):
    """Play an oracle through text; the finished matches, their rewards, the rounds of their answers."""
    game = GAMES[name]
    strategy: Player[Any] = policy_named(game, f"oracle:{oracle}")
    games = DrillGames()
    positions = dict(enumerate(games.start([DrillTask(name, opponent, seed) for seed in SEEDS])))
    rewards = dict.fromkeys(positions, 0.0)
    ended = {}
    while positions:
        answers = {}
        for place in positions:
            match: AnyMatch = games._episodes[place].match
            label = match.label(strategy.act(match.view(0), match.number(0)))
            answers[place] = f"It seems best.\n{label}"
        for place, position in games.play(answers).items():
            assert position is not None
            rewards[place] += position.reward
            if position.done:
                ended[place] = position.facts
                del positions[place]
    return [ended[place] for place in sorted(ended)], [rewards[place] for place in sorted(rewards)]


@pytest.mark.parametrize("name", GAMES)
def test_an_oracle_that_talks_plays_and_earns_what_it_does_over_arrays(name) -> None:
    game, oracle = any_game(name), next(iter(ORACLES[name]))
    strategy = policy_named(game, f"oracle:{oracle}")
    for opponent in (*game.pools.train, *game.pools.exploit):
        ended, rewards = talk(name, oracle, opponent)
        talked = game.record([facts["match"] for facts in ended])
        for seed in SEEDS:
            silent = game.simulate(strategy, game.opponent(opponent), game.draws(1, seed, opponent))
            assert np.array_equal(talked.payoffs[:, :, seed], silent.payoffs[:, :, 0])
            assert rewards[seed] == pytest.approx(game.scale * silent.payoffs[0].sum(), abs=1e-5)
            assert ended[seed]["score"] == pytest.approx(rewards[seed] / game.rounds)


def test_every_hand_of_poker_has_one_answer_or_two_and_knows_which_hand_it_was() -> None:
    ended, _ = talk("kuhn", "nash", "always_bet")
    for facts in ended:
        assert sorted(set(facts["rounds"])) == list(range(Kuhn.rounds))
        assert max(facts["rounds"].count(hand) for hand in range(Kuhn.rounds)) <= 2


@pytest.mark.parametrize("name", GAMES)
def test_the_grammar_writes_every_legal_action_and_nothing_else(name) -> None:
    games = DrillGames()
    (position,) = games.start([DrillTask(name, GAMES[name].pools.train[0], 1)])
    match = games._episodes[0].match
    for action in match.legal(0):
        assert may_end(advance_all(position.grammar, match.label(action).encode()))
    assert not may_end(advance_all(position.grammar, b"SURRENDER"))
    assert not isinstance(position.grammar, Literal)


def test_a_malformed_answer_changes_nothing_and_can_be_given_again() -> None:
    games = DrillGames()
    games.start([DrillTask("ipd", "tft", 1)])
    assert games.play({0: "I would rather not say."}) == {0: None}
    after = games.play({0: "COOPERATE"})[0]
    assert after is not None
    assert after.reward == 3
    games.close()


def test_prompts_do_not_tell_who_sits_across() -> None:
    for name, game in GAMES.items():
        for opponent in (*game.pools.train, *game.pools.exploit):
            (position,) = DrillGames().start([DrillTask(name, opponent, 1)])
            text = " ".join(message["content"] for message in position.chat)
            assert game.strategies[opponent].title not in text
            assert opponent not in text.split()
