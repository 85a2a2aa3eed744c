"""One player against a strategy that is a table over remembered rounds: what each action is worth.

Such a strategy may remember a figure that only it was told. So the player is followed through every history that can
come about, with the odds of those figures after each (Bayes' rule), and then back from the end: exact, coins and hidden
figures included.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from negotiation.engine.drills.remembering import MEMORIES, Memory, Table, TableStrategy
from negotiation.engine.drills.simultaneous import SimultaneousGame
from negotiation.engine.drills.study.rounds import Policy
from negotiation.engine.drills.types import RoundView

_NEVER = 1e-12


@dataclass(frozen=True, slots=True)
class _Level:
    """All histories of one length, n of them, or of their endings.

    ``replies`` (n, their action) is how likely each is; ``onward`` (n, own action, their action) is the history that
    follows, -1 where it can't; ``worths`` (n, own figure, own action) is filled on the way back.
    """

    replies: Table
    onward: npt.NDArray[np.intp]
    worths: Table


class Remembered:
    """Against ``strategy`` from the first round on. ``value`` is what the best play earns over the whole match."""

    def __init__(self, game: SimultaneousGame, strategy: TableStrategy) -> None:
        self._game, self._memory = game, MEMORIES[game.name]
        self._pay = _payments(game, self._memory)
        self._levels = self._forward(strategy)
        self.value = self._backward(None)

    def worths(self, view: RoundView) -> dict[int, float]:
        """Every action by what it brings, this round and in all that follow it."""
        history, first = 0, self._memory.actions[0]
        for level, own, other in zip(self._levels, view.own, view.other, strict=False):
            history = int(level.onward[history, own - first, other - first])
            if history < 0:
                raise ValueError("this strategy never plays so")
        figure = int(self._memory.figure(view.private[-1])) if self._memory.figures else 0
        worths = self._levels[view.round].worths[history, figure]
        return dict(zip(self._memory.actions, map(float, worths), strict=True))

    def holding(self, policy: Policy) -> float:
        """What holding to ``policy`` earns over the whole match."""
        return self._backward(policy)

    def _forward(self, strategy: TableStrategy) -> list[_Level]:
        """``odds`` (n, k, k) are of the figures that the strategy was told in the last two rounds."""
        kinds, count = self._memory.kinds, len(self._memory.actions)
        odds = np.full((1, kinds, kinds), 1 / kinds**2)
        before = latest = np.zeros(1, dtype=np.intp)
        levels = []
        for table in strategy.plays:
            together = odds[..., None, None] * self._plays(table, before, latest) / kinds
            replies = together.sum(axis=(1, 2, 3))
            possible = np.broadcast_to(replies[:, None] > _NEVER, (len(replies), count, count))
            onward = np.where(possible, possible.cumsum().reshape(possible.shape) - 1, -1)
            worths = np.zeros((len(replies), kinds, count))
            levels.append(_Level(replies, onward, worths))
            history, own, other = np.nonzero(possible)
            left = together.sum(axis=1)[history, :, :, other] / replies[history, other, None, None]
            before, latest, odds = latest[history], other * count + own, left
            if kinds == 1:
                # Nothing is hidden, so all that counts is what it remembers: histories that end alike are one.
                ends = before * count**2 + latest
                _, kept, place = np.unique(ends, return_index=True, return_inverse=True)
                onward[history, own, other] = place
                before, latest, odds = before[kept], latest[kept], odds[kept]
        return levels

    def _plays(self, table: Table, before: npt.NDArray[np.intp], latest: npt.NDArray[np.intp]) -> Table:
        """(n, figure before, figure last, figure now, action): how likely each action is."""
        kinds = np.arange(self._memory.kinds)
        last = latest[:, None] * self._memory.kinds + kinds
        if table.ndim == 2:
            return np.broadcast_to(table, (len(latest), len(kinds), len(kinds), *table.shape))
        if table.ndim == 3:
            return np.repeat(table[last][:, None], len(kinds), axis=1)
        first = before[:, None] * self._memory.kinds + kinds
        return np.asarray(table[first[:, :, None], last[:, None]])

    def _backward(self, policy: Policy | None) -> float:
        after = np.zeros(1)
        for level in reversed(self._levels):
            # Where nothing follows, -1 takes the last entry: it is weighed with a chance of 0.
            follows = after[level.onward] if len(after) > 1 else np.zeros(level.onward.shape)
            gained = self._pay[:, None] + follows
            worths = np.einsum("nb,fnab->nfa", level.replies, gained)
            if policy is None:
                level.worths[:] = worths
            after = self._kept(worths, policy).mean(axis=1)
        return float(after[0])

    def _kept(self, worths: Table, policy: Policy | None) -> Table:
        """(n, figure): of the best action, or of the policy's."""
        if policy is None:
            return np.asarray(worths.max(axis=2))
        own: list[tuple[int, ...]] = [(figure,) for figure in self._memory.figures] or [()]
        chosen = [policy(each) - self._memory.actions[0] for each in own]
        return np.stack([worths[:, place, action] for place, action in enumerate(chosen)], axis=1)


def _payments(game: SimultaneousGame, memory: Memory) -> Table:
    """(own figure, own action, their action): what a round pays; that does not hang on what the other was told."""
    told: list[tuple[int, ...]] = [(figure,) for figure in memory.figures] or [()]
    paid: list[Any] = [
        [[game.pay((own, other), (mine, mine), 0)[0] for other in memory.actions] for own in memory.actions]
        for mine in told
    ]
    return np.array(paid)
