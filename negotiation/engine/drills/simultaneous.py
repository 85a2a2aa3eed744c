"""Games of a few rounds in which both players choose at once: the state machine and the simulator over arrays.

A game says what chance deals, what its actions are and what they pay, once for a single round in plain Python
and once over arrays. That the two agree is tested on random matches between random strategies.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from negotiation.engine.drills.types import (
    Bools,
    Draws,
    Floats,
    Ints,
    Pools,
    Record,
    RoundView,
    Seen,
    Strategy,
    check_actions,
)

PLAYERS = 2


class SimultaneousGame(ABC):
    """One of the games; subclasses are stateless and hold its rules."""

    name: ClassVar[str]
    title: ClassVar[str]
    rounds: ClassVar[int]
    scale: ClassVar[float]
    """Brings a payoff onto the scale of the prisoner's dilemma: 3 over the game's reference payoff."""
    chance_numbers: ClassVar[int] = 0
    strategies: ClassVar[Mapping[str, Strategy]]
    pools: ClassVar[Pools]
    paper_pools: ClassVar[Pools]
    """As the paper prints them, where one strategy may stand in two pools."""
    echoes: ClassVar[tuple[frozenset[str], ...]] = ()
    """Strategies of different names and pools that play alike; a small game has few ways to play."""
    demonstrators: ClassVar[Mapping[str, float]]
    """Whom examples are taken from, by how often: tables 6 and H.1 of the paper."""

    # -- rules for one match ---------------------------------------------------------------------

    @abstractmethod
    def dealt(self, chance: Sequence[float]) -> tuple[tuple[int, ...], ...]:
        """What each player is told in private over a match, from that match's chance numbers."""

    def visible(self, private: tuple[int, ...], round_: int) -> tuple[int, ...]:
        """The part of what a player is told that it knows in ``round_``."""
        return private

    @abstractmethod
    def legal(self, private: tuple[int, ...]) -> tuple[int, ...]:
        """The actions open to a player that knows ``private``."""

    @abstractmethod
    def label(self, action: int) -> str:
        """The action in the words a model writes and a person reads."""

    @abstractmethod
    def pay(
        self, actions: tuple[int, int], private: tuple[tuple[int, ...], ...], round_: int
    ) -> tuple[float, float]:
        """What one round pays."""

    # -- the same over arrays --------------------------------------------------------------------

    def deal(self, chance: Floats) -> Ints:
        """What each player is told, (players, k, n), from chance numbers (numbers, n)."""
        return np.zeros((PLAYERS, 0, chance.shape[1]), dtype=np.int8)

    def shown(self, private: Ints, round_: int) -> Ints:
        """The part of (k, n) that a player knows in ``round_``."""
        return private

    @abstractmethod
    def payoffs(self, actions: Ints, private: Ints) -> Floats:
        """(players, rounds, n) of what the actions (players, rounds, n) pay."""

    @abstractmethod
    def externality(self, actions: Ints, private: Ints, payoffs: Floats) -> Floats:
        """(rounds, n): harm outside the pair."""

    @abstractmethod
    def greed(self, actions: Ints, private: Ints) -> tuple[Bools, Bools]:
        """(rounds, n) twice: where player 0 was greedy, and where that counts."""

    # -- playing ---------------------------------------------------------------------------------

    def draws(self, count: int, seed: int, label: str) -> Draws:
        """The random numbers of ``count`` matches."""
        return Draws.of(self.chance_numbers, PLAYERS * self.rounds, count, seed, label)

    def match(self, draws: Draws, index: int = 0) -> SimultaneousMatch:
        """Match ``index`` of the draws as a state machine, at its first round."""
        return SimultaneousMatch(self, draws.chance[:, index].tolist(), draws.moves[:, index].tolist())

    def play(self, first: Strategy, second: Strategy, draws: Draws) -> tuple[Ints, Ints]:
        """Actions (players, rounds, n) and what was told, (players, k, n), of every match in ``draws``."""
        private = self.deal(draws.chance)
        actions = np.empty((PLAYERS, self.rounds, draws.count), dtype=np.int8)
        for round_ in range(self.rounds):
            for player, strategy in enumerate((first, second)):
                seen = Seen(
                    round_,
                    actions[player, :round_],
                    actions[1 - player, :round_],
                    self.shown(private[player], round_),
                )
                actions[player, round_] = strategy.choose(seen, draws.moves[PLAYERS * round_ + player])
        return actions, private

    def simulate(self, first: Strategy, second: Strategy, draws: Draws) -> Record:
        """Play every match and take its measures."""
        return self.measure(*self.play(first, second, draws))

    def measure(self, actions: Ints, private: Ints) -> Record:
        """The record of matches already played."""
        payoffs = self.payoffs(actions, private)
        return Record(payoffs, self.externality(actions, private, payoffs), *self.greed(actions, private))

    def record(self, matches: Sequence[SimultaneousMatch]) -> Record:
        """The record of finished state machines, such as those a model has played."""
        actions = np.array([match.actions for match in matches], dtype=np.int8).transpose(2, 1, 0)
        private = np.array([match.private for match in matches], dtype=np.int8).transpose(1, 2, 0)
        return self.measure(actions, private)

    def opponent(self, name: str, facing: object = None) -> Strategy:
        """The named strategy; in these games it does not depend on whom it faces."""
        return self.strategies[name]


class SimultaneousMatch:
    """One match, round by round."""

    def __init__(self, game: SimultaneousGame, chance: Sequence[float], numbers: Sequence[float]) -> None:
        self.game = game
        self.private = game.dealt(chance)
        self.actions: list[tuple[int, int]] = []
        self.payoffs: list[tuple[float, ...]] = []
        self._numbers = numbers

    @property
    def round(self) -> int:
        """The round to be played, counted from 0."""
        return len(self.actions)

    @property
    def done(self) -> bool:
        """Whether the last round is over."""
        return self.round >= self.game.rounds

    @property
    def to_move(self) -> tuple[int, ...]:
        """Both players, until the end."""
        return () if self.done else (0, 1)

    def view(self, player: int) -> RoundView:
        """What ``player`` knows now."""
        return RoundView(
            round=self.round,
            own=tuple(pair[player] for pair in self.actions),
            other=tuple(pair[1 - player] for pair in self.actions),
            private=self.game.visible(self.private[player], self.round),
            payoffs=tuple(pair[player] for pair in self.payoffs),
        )

    def legal(self, player: int) -> tuple[int, ...]:
        """The actions open to ``player``."""
        return self.game.legal(self.private[player])

    def label(self, action: int) -> str:
        """The action in words."""
        return self.game.label(action)

    def number(self, player: int) -> float:
        """The uniform number laid out for ``player``'s choice now."""
        return self._numbers[PLAYERS * self.round + player]

    def play(self, actions: Mapping[int, int]) -> None:
        """Both players' choices."""
        check_actions(self, actions)
        pair = (actions[0], actions[1])
        self.payoffs.append(self.game.pay(pair, self.private, self.round))
        self.actions.append(pair)
