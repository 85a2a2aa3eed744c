"""A trained model as a player of the drills: measured like any oracle, and exactly where its play is a table.

In the dilemma and in poker a model's whole play can be read off: its probability at every history that it can tell
apart, its probability at each of the twelve information sets. Read so, it is a strategy like any other; matches are
simulated over arrays, NashConv and best responses are exact, and only the other games are sampled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from negotiation.engine.drills import GAMES, Draws, Game, Kuhn, KuhnStrategy, Record, Strategy
from negotiation.engine.drills.ipd import COOPERATE, IPD, IPDStrategy
from negotiation.engine.drills.kuhn.game import KuhnMatch, position_of
from negotiation.engine.drills.kuhn.rules import BET, PASS, deals, histories
from negotiation.engine.drills.theory.ipd_response import histories as all_histories
from negotiation.engine.drills.trained import codes
from negotiation.engine.drills.types import Floats, Ints, Seen
from trainer.domains.drills.contestants import MEASURED, Choosing, Named
from trainer.domains.drills.games import grammar
from trainer.domains.drills.prompts import AnyMatch, Telling, chat, labels, parse
from trainer.learning.grpo import generator_of
from trainer.learning.policy import Policy, merged_copy
from trainer.learning.rollout import answer_text
from trainer.learning.scoring import answer_probabilities

MOST = 96
"""The most tokens of an answer."""


class Model:
    """A policy that plays one game.

    Args:
        temperature: of its answers; 1 is the policy itself.
        seed: of its sampling, where it is sampled.
    """

    def __init__(
        self, game: Game, policy: Policy, telling: Telling, temperature: float = 1.0, seed: int = 0
    ) -> None:
        self.game, self.telling = game, telling
        self._policy, self._temperature = policy, temperature
        policy.model.eval()
        self._model = merged_copy(policy)
        self._generator = generator_of(seed, "measure", 0)
        self._twin = self._read_off()
        self.answers = self.malformed = 0
        """Answers asked for one by one, and how many had to be asked for again under the mask."""

    @property
    def weights(self) -> int:
        """How many numbers the model has, its adapter merged."""
        return sum(weight.numel() for weight in self._model.parameters())

    def strategy(self, game: Game) -> Strategy | KuhnStrategy | None:
        """The play itself, where it can be read off."""
        return self._twin

    def against(self, game: Game, opponent: str, draws: Draws) -> Record:
        """Over arrays where the play is a table, answer by answer otherwise."""
        if self._twin is not None:
            return Named(self._twin).against(game, opponent, draws)
        return Choosing(self._choose).against(game, opponent, draws)

    def action_probabilities(self, matches: Sequence[AnyMatch]) -> list[dict[int, float]]:
        """How likely each action is in each match that waits for the model."""
        found = answer_probabilities(
            self._policy,
            [self._policy.tokens(chat(match, MEASURED, self.telling)) for match in matches],
            [grammar(match) for match in matches],
            self._temperature,
            self._model,
        )
        return [
            {labels(match, MEASURED)[text]: likely for text, likely in each.items()}
            for match, each in zip(matches, found, strict=True)
        ]

    def likeliest(self, matches: Sequence[AnyMatch]) -> list[int]:
        """The action that it likes best in each match, token by token."""
        chosen = self._answered(matches, list(range(len(matches))), masked=True, temperature=0.0)
        return [chosen[place] for place in range(len(matches))]

    def _choose(self, matches: Sequence[Any]) -> list[int]:
        """An action for each match: as the model answers freely, under the mask where that is malformed."""
        chosen: dict[int, int] = {}
        for masked in (not self.telling.thoughts, True):
            left = [place for place in range(len(matches)) if place not in chosen]
            if left:
                chosen |= self._answered(matches, left, masked, self._temperature)
        self.answers += len(matches)
        return [chosen[place] for place in range(len(matches))]

    def _answered(
        self, matches: Sequence[Any], places: list[int], masked: bool, temperature: float
    ) -> dict[int, int]:
        policy = self._policy
        written = policy.write(
            [policy.tokens(chat(matches[place], MEASURED, self.telling)) for place in places],
            most=MOST,
            temperature=temperature,
            generator=self._generator,
            states=[policy.automaton.start(grammar(matches[p])) for p in places] if masked else None,
            model=self._model,
        )
        read = [
            parse(matches[place], MEASURED, answer_text(policy, each))
            for place, each in zip(places, written, strict=True)
        ]
        self.malformed += read.count(None)
        return {place: action for place, action in zip(places, read, strict=True) if action is not None}

    def _read_off(self) -> Strategy | KuhnStrategy | None:
        """The play as a strategy. A thought before an action would have to be summed over, so none is allowed."""
        if self.telling.thoughts:
            return None
        if isinstance(self.game, Kuhn):
            return self._kuhn() if hand_by_hand(self.telling) else None
        return self._ipd() if isinstance(self.game, IPD) else None

    def _kuhn(self) -> KuhnStrategy:
        decisions = histories(2)[0]
        places = [(row, card) for row in range(len(decisions)) for card in range(3)]
        probabilities = self.action_probabilities([hand_at(decisions[row], card) for row, card in places])
        behaviour = np.zeros((len(decisions), 3))
        for (row, card), likely in zip(places, probabilities, strict=True):
            behaviour[row, card] = likely.get(BET, 0.0)
        return KuhnStrategy("model", "Model", "As trained.", behaviour)

    def _ipd(self) -> IPDStrategy:
        """Asked once for every prompt that differs: histories that are told alike are answered alike."""
        asked: list[AnyMatch] = []
        starts: list[int] = []
        for round_ in range(IPD.rounds):
            responder, own = all_histories(round_)
            numbers = _codes(own, responder, self.telling.first(round_))
            starts.append(len(asked))
            asked += [
                _played(own[:, at], responder[:, at]) for at in np.unique(numbers, return_index=True)[1]
            ]
        likely = np.array(
            [each.get(COOPERATE, 0.0) for each in self.action_probabilities(asked)], dtype=np.float32
        )

        def cooperation(seen: Seen) -> Floats:
            return likely.take(
                starts[seen.round] + _codes(seen.own, seen.other, self.telling.first(seen.round))
            )

        def choose(seen: Seen, number: Floats) -> Ints:
            return (number >= cooperation(seen)).astype(np.int8)

        return IPDStrategy("model", "Model", "As trained.", choose, cooperation)


def hand_by_hand(telling: Telling) -> bool:
    """Whether poker is told so that each hand stands alone, and answered with the action alone."""
    return telling.told == 0 and not telling.thoughts


def hand_at(history: str, card: int) -> KuhnMatch:
    """A match of poker in which player 0 holds ``card`` and is to act after ``history``.

    The second position comes in the second hand; the first one is passed through.
    """
    game = Kuhn()
    hand = len(history) % 2
    position = position_of(MEASURED, hand, 2)
    number = next(place for place, dealt in enumerate(deals(2)) if dealt[position] == card)
    chance = np.full(game.rounds, (number + 0.5) / len(deals(2)), dtype=np.float32)
    match = KuhnMatch(game, chance, [0.0] * 99)
    for letter in "pp" * hand + history:
        match.play({match.to_move[0]: BET if letter == "b" else PASS})
    return match


def _codes(own: Ints, other: Ints, first: int) -> npt.NDArray[np.intp]:
    """(n,): the rounds from ``first`` on as a number."""
    return codes(own[first:], other[first:], IPD.rounds)


def _played(own: Ints, other: Ints) -> Any:
    """The dilemma after these rounds."""
    game = GAMES["ipd"]
    match: Any = game.match(game.draws(1, 0, "asked"))
    for pair in zip(own.tolist(), other.tolist(), strict=True):
        match.play(dict(enumerate(pair)))
    return match
