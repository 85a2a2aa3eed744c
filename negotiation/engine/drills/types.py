"""What the five drills have in common: draws, what a seat sees, strategies, records of play.

Arrays hold many matches at once; the last axis is the match. A match has two players unless said otherwise, and
player 0 is the one that is measured: a person, a model, an oracle.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Draws:
    """Every random number of ``n`` matches, laid out in advance, uniform on [0, 1).

    What chance deals and what the opponent's dice show does not depend on the player measured, so two players
    under one seed meet the same cards, values and coin flips (common random numbers).
    """

    chance: Floats
    """(numbers a match, n): cards, values, pools."""
    moves: Floats
    """(numbers a match, n): one for every point at which a player may choose."""

    @classmethod
    def of(cls, chance: int, moves: int, count: int, seed: int, label: str) -> Draws:
        """``count`` matches of ``seed``; ``label`` names the purpose, such as the opponent's name."""
        rng = np.random.Generator(np.random.SFC64([seed, zlib.crc32(label.encode())]))
        return cls(
            rng.random((chance, count), dtype=np.float32), rng.random((moves, count), dtype=np.float32)
        )

    @property
    def count(self) -> int:
        """How many matches these numbers are for."""
        return int(self.moves.shape[1])


@dataclass(frozen=True, slots=True)
class Seen:
    """What one seat of ``n`` matches knows before it chooses; rounds run along the first axis."""

    round: int
    own: Ints
    """(round, n)"""
    other: Ints
    """(round, n)"""
    private: Ints
    """(k, n): what only this seat was told; each game says what it holds."""

    @property
    def count(self) -> int:
        """How many matches are seen."""
        return int(self.own.shape[1])


@dataclass(frozen=True, slots=True)
class View:
    """What one player of one match knows before choosing; each kind of game adds its own."""

    round: int
    """Counted from 0; in Kuhn poker, the hand."""
    payoffs: tuple[float, ...]
    """The player's own, by finished round."""


@dataclass(frozen=True, slots=True)
class RoundView(View):
    """The view in a game in which both choose at once."""

    own: tuple[int, ...]
    other: tuple[int, ...]
    private: tuple[int, ...]

    def seen(self) -> Seen:
        """The same as arrays over one match."""

        def column(numbers: Sequence[int]) -> Ints:
            return np.array(numbers, dtype=np.int8).reshape(-1, 1)

        return Seen(self.round, column(self.own), column(self.other), column(self.private))


@dataclass(frozen=True)
class Strategy:
    """One way to play a game in which both sides move at once.

    ``choose`` takes what is seen and one uniform number a match, and returns an action for each.
    """

    name: str
    title: str
    says: str
    """One sentence for people: what it does."""
    choose: Callable[[Seen, Floats], Ints]

    def act(self, view: RoundView, number: float) -> int:
        """The action in one match, from its view and one uniform number."""
        return int(self.choose(view.seen(), np.array([number], dtype=np.float32))[0])


@dataclass(frozen=True, slots=True)
class Record:
    """What ``n`` matches amounted to, round by round: all that any measure needs."""

    payoffs: Floats
    """(players, rounds, n)"""
    externality: Floats
    """(rounds, n): harm outside the pair, 0 to 1, as each game defines it."""
    greedy: Bools
    """(rounds, n): player 0 did what the game looks for beside a willing partner."""
    tempted: Bools
    """(rounds, n): the rounds in which that counts as collusion, and over which its rate is taken."""


@dataclass(frozen=True, slots=True)
class Pools:
    """Who a player is trained, tested for weakness, tempted and judged against; a name stands in one pool only."""

    train: tuple[str, ...]
    exploit: tuple[str, ...]
    collusive: tuple[str, ...]
    shift: tuple[str, ...]

    def all(self) -> dict[str, tuple[str, ...]]:
        """By name of pool."""
        return {name: getattr(self, name) for name in ("train", "exploit", "collusive", "shift")}


Shown = TypeVar("Shown", bound=View, covariant=True)
Taken = TypeVar("Taken", bound=View, contravariant=True)
Same = TypeVar("Same", bound=View)


class Match(Protocol[Shown]):
    """One match as a state machine. Players choose, ``play`` moves on, payoffs are kept by round."""

    @property
    def done(self) -> bool:
        """Whether the last round is over."""

    @property
    def to_move(self) -> tuple[int, ...]:
        """The players whose choice is awaited; empty once done."""

    def view(self, player: int) -> Shown:
        """What ``player`` knows now."""

    def legal(self, player: int) -> tuple[int, ...]:
        """The actions that ``player`` may choose from now."""

    def label(self, action: int) -> str:
        """An action in the words that a model writes and a person reads."""

    def number(self, player: int) -> float:
        """The uniform number laid out for ``player``'s choice now."""

    def play(self, actions: Mapping[int, int]) -> None:
        """Every awaited player's action at once.

        Raises:
            IllegalAction: if someone else moves, someone is missing, or an action is not legal. Nothing changes.
        """


class IllegalAction(ValueError):
    """An action that the rules do not allow, or a move out of turn."""


class Player(Protocol[Taken]):
    """Whatever can sit in a match: a strategy of a pool, a person, a model."""

    def act(self, view: Taken, number: float) -> int:
        """The action from one player's view; ``number`` is its share of chance."""


def check_actions(match: Match[View], actions: Mapping[int, int]) -> None:
    """Refuse what the rules do not allow."""
    if set(actions) != set(match.to_move):
        raise IllegalAction(f"players {match.to_move} are to move, not {tuple(actions)}")
    for player, action in actions.items():
        if action not in match.legal(player):
            raise IllegalAction(f"action {action} of player {player} is none of {match.legal(player)}")


def play_out(match: Match[Same], *players: Player[Same]) -> None:
    """Play a match to its end between players of any kind."""
    while not match.done:
        match.play({seat: players[seat].act(match.view(seat), match.number(seat)) for seat in match.to_move})


def named(*strategies: Strategy) -> dict[str, Strategy]:
    """Strategies by name; a name given twice is a mistake."""
    by_name = {strategy.name: strategy for strategy in strategies}
    if len(by_name) < len(strategies):
        raise ValueError("two strategies share a name")
    return by_name
