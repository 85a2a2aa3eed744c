"""Poker rolled out from the play that is read off a model.

Told of one hand, a model can be asked twelve things. The chances of every way to answer them *are* the distribution that
its sampler draws from, so rollouts need no writing: they are drawn from twelve tables, tens of times as many in the
same time, and the luck of the cards is averaged out of the gradient instead of out of the weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from negotiation.engine.drills import GAMES, KuhnStrategy
from negotiation.engine.drills.kuhn.rules import BET, histories
from trainer.domains.drills.contestants import MEASURED
from trainer.domains.drills.games import DrillTask, grammar
from trainer.domains.drills.prompts import Telling, chat, labels
from trainer.learning.policy import Policy, merged_copy
from trainer.learning.rollout import Row, Trajectory
from trainer.learning.scoring import answer_ways
from trainer.learning.sepo.model import hand_at

CARDS = 3


class Hands:
    """A model's play of poker as it stands now.

    Args:
        telling: one hand at a time, without thoughts.
        temperature: of the answers.
    """

    def __init__(self, policy: Policy, telling: Telling, temperature: float) -> None:
        self._decisions = histories(2)[0]
        hands = [hand_at(history, card) for history in self._decisions for card in range(CARDS)]
        policy.model.eval()
        self._prompts = [policy.tokens(chat(hand, MEASURED, telling)) for hand in hands]
        self._ways = answer_ways(
            policy, self._prompts, [grammar(hand) for hand in hands], temperature, merged_copy(policy)
        )
        self._actions = [
            [labels(hand, MEASURED)[way.text] for way in ways]
            for hand, ways in zip(hands, self._ways, strict=True)
        ]
        self._sums = [np.cumsum([way.likely for way in ways]) for ways in self._ways]

    @property
    def strategy(self) -> KuhnStrategy:
        """The play, every way to write an action summed."""
        bets = [
            sum(way.likely for way, action in zip(ways, actions, strict=True) if action == BET)
            for ways, actions in zip(self._ways, self._actions, strict=True)
        ]
        behaviour = np.array(bets).reshape(len(self._decisions), CARDS)
        return KuhnStrategy("model", "Model", "As trained.", behaviour)

    def roll_out(self, tasks: Sequence[DrillTask], rng: np.random.Generator) -> list[Trajectory]:
        """Every task played to its end, as :func:`trainer.learning.rollout.roll_out` leaves it."""
        return [self._episode(task, rng) for task in tasks]

    def _episode(self, task: DrillTask, rng: np.random.Generator) -> Trajectory:
        game = GAMES["kuhn"]
        match: Any = game.match(game.draws(1, task.seed, task.opponent))
        opponent: Any = task.grown or game.opponent(task.opponent)
        episode, rounds = Trajectory(task), []
        while not match.done:
            player = match.to_move[0]
            view = match.view(player)
            if player != MEASURED:
                match.play({player: opponent.act(view, match.number(player))})
                continue
            place = CARDS * self._decisions.index(view.history) + view.card
            sums = self._sums[place]
            way = min(int(np.searchsorted(sums, rng.random(), side="right")), len(sums) - 1)
            episode.rows.append(Row(self._prompts[place], self._ways[place][way].written))
            rounds.append(view.round)
            match.play({player: self._actions[place][way]})
        earned = sum(paid[MEASURED] for paid in match.payoffs) / game.rounds
        episode.facts = {"score": game.scale * earned, "match": match, "rounds": tuple(rounds)}
        return episode
