"""What each action is worth against a strategy that is known by name, in the games in which both move at once.

Dynamic programming over what the strategy remembers of the match (nothing, the last action, or whether talks ever broke
down) and over what its private figures may still be. Exact for strategies that toss no coins over hidden figures that
last all match; that what they remember is all that they remember is tested on random matches.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from negotiation.engine.drills.books_hats_balls import encode
from negotiation.engine.drills.pie import DEMANDS, PIE
from negotiation.engine.drills.simultaneous import SimultaneousGame
from negotiation.engine.drills.study.chances import chances, seen_by
from negotiation.engine.drills.study.minds import Mind, Minds, minds_of
from negotiation.engine.drills.types import RoundView, Strategy

Recalls = Literal["last", "broken"]
RECALLS: dict[tuple[str, str], Recalls] = {
    ("auction", "adaptive"): "last",
    ("auction", "tft_bid"): "last",
    ("pie", "tft"): "last",
    ("pie", "concede"): "broken",
    ("books_hats_balls", "tft"): "last",
}
"""What a strategy makes its choice depend on beside the round and its own figures; all others recall nothing."""

Policy = Callable[[Mind], int]
"""An action by what the player itself was told."""
Memory = int | None
Worths = npt.NDArray[np.float64]


class Rounds:
    """One player against one strategy, from the player's view of the first round on."""

    def __init__(
        self, game: SimultaneousGame, strategy: Strategy, view: RoundView, policy: Policy | None = None
    ) -> None:
        self.game, self.strategy, self.policy = game, strategy, policy
        self.minds: Minds = minds_of(game.name, view)
        self._recalls = RECALLS.get((game.name, strategy.name))
        # Where figures are fresh each round, the player's own may be any of those that the other may have.
        self._mine = self.minds.possible if self.minds.fresh else (view.private,)
        self._onward = lru_cache(maxsize=None)(self._value)
        self._paid = lru_cache(maxsize=None)(self._pay)
        self._followed = lru_cache(maxsize=None)(self._following)

    @property
    def value(self) -> float:
        """What is there to be earned over the whole match before it starts."""
        return self._onward(0, None if self._recalls == "last" else 0, self.minds.possible)

    def worths(self, view: RoundView) -> dict[int, float]:
        """Every legal action by what it brings, this round and in all that follow it."""
        mine = view.private[-1:] if self.minds.fresh else view.private
        worths = self._actions(view.round, self._memory(view), self._still_possible(view), mine)
        return dict(zip(self.game.legal(mine), map(float, worths), strict=True))

    def _memory(self, view: RoundView) -> Memory:
        if self._recalls == "last":
            return view.own[-1] if view.own else None
        memory: Memory = 0
        for own, other in zip(view.own, view.other, strict=True):
            memory = self._after(memory, own, other)
        return memory

    def _after(self, memory: Memory, own: int, other: int) -> Memory:
        """What the strategy remembers once a round is over."""
        if self._recalls == "last":
            return own
        return int(bool(memory) or own + other > PIE) if self._recalls == "broken" else 0

    def _still_possible(self, view: RoundView) -> tuple[Mind, ...]:
        possible = self.minds.possible
        if self.minds.fresh:
            return possible
        for round_ in range(view.round):
            seen = seen_by(view.other[:round_], view.own[:round_], possible)
            taken = chances(self.strategy, seen)
            possible = tuple(
                mind for mind, may in zip(possible, taken, strict=True) if view.other[round_] in may
            )
        return possible

    def _value(self, round_: int, memory: Memory, possible: tuple[Mind, ...]) -> float:
        if round_ >= self.game.rounds:
            return 0.0
        total = 0.0
        for mine in self._mine:
            worths = self._actions(round_, memory, possible, mine)
            chosen = (
                worths.argmax() if self.policy is None else self.game.legal(mine).index(self.policy(mine))
            )
            total += float(worths[chosen])
        return total / len(self._mine)

    def _actions(self, round_: int, memory: Memory, possible: tuple[Mind, ...], mine: Mind) -> Worths:
        """(legal actions,): what each brings from ``round_`` on."""
        worths = np.zeros(len(self.game.legal(mine)))
        for reply, chance, left in self._replies(round_, memory, possible):
            heard = (memory, reply) if self._recalls == "broken" else (None, None)
            worths += chance * (self._paid(reply, mine) + self._followed(round_ + 1, *heard, left, mine))
        return worths

    def _pay(self, reply: int, mine: Mind) -> Worths:
        """(legal actions,): what this round pays; that does not hang on what the other was told."""
        legal = self.game.legal(mine)
        actions = np.array([legal, [reply] * len(legal)], dtype=np.int8)[:, None]
        private = np.tile(np.array(mine, dtype=np.int8).reshape(1, -1, 1), (2, 1, len(legal)))
        return np.asarray(self.game.payoffs(actions, private)[0, 0], dtype=np.float64)

    def _following(
        self, round_: int, memory: Memory, reply: int | None, left: tuple[Mind, ...], mine: Mind
    ) -> Worths:
        """(legal actions,): what comes after this round, for whoever remembers it."""
        legal = self.game.legal(mine)
        if self._recalls is None:
            return np.full(len(legal), self._onward(round_, 0, left))
        return np.array([self._onward(round_, self._after(memory, each, reply or 0), left) for each in legal])

    def _replies(
        self, round_: int, memory: Memory, possible: tuple[Mind, ...]
    ) -> list[tuple[int, float, tuple[Mind, ...]]]:
        """What the strategy may do now: the action, how likely, and the minds that it then may have."""
        own, other = self._history(round_, memory)
        told = [self.minds.told(mind, round_) for mind in possible]
        found: dict[int, tuple[float, list[Mind]]] = {}
        for mind, may in zip(possible, chances(self.strategy, seen_by(own, other, told)), strict=True):
            for action, chance in may.items():
                likely, who = found.get(action, (0.0, []))
                found[action] = (likely + chance / len(possible), [*who, mind])
        return [
            (action, likely, possible if self.minds.fresh else tuple(who))
            for action, (likely, who) in found.items()
        ]

    def _history(self, round_: int, memory: Memory) -> tuple[list[int], list[int]]:
        """A history, the strategy's actions and the player's, that leaves it with this memory."""
        idle = encode((0, 0, 0)) if self.game.name == "books_hats_balls" else DEMANDS[0]
        own, other = [idle] * round_, [idle] * round_
        if round_ and self._recalls == "last" and memory is not None:
            other[-1] = memory
        if round_ and self._recalls == "broken" and memory:
            own[0] = other[0] = DEMANDS[-1]
        return own, other
