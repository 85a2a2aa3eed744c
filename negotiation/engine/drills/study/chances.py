"""How likely a strategy takes which action: its choice over an even grid of the uniform number that it is given.

Strategies that toss coins do so at halves, quarters, thirds, fifths or tenths, which a grid of 60 hits exactly; those of
the prisoner's dilemma say their probability themselves.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from negotiation.engine.drills.ipd import COOPERATE, IPDStrategy
from negotiation.engine.drills.types import Ints, Seen, Strategy

_GRID = ((np.arange(60) + 0.5) / 60).astype(np.float32)


def seen_by(
    own: Sequence[int], other: Sequence[int], minds: Sequence[Sequence[int]], round_: int | None = None
) -> Seen:
    """One history as each of several minds sees it, a column each; a mind is what only its owner was told."""

    def columns(actions: Sequence[int]) -> Ints:
        return np.tile(np.array(actions, dtype=np.int8).reshape(-1, 1), (1, len(minds)))

    private = np.array([list(mind) for mind in minds], dtype=np.int8).reshape(len(minds), -1).T
    return Seen(len(own) if round_ is None else round_, columns(own), columns(other), private)


def chances(strategy: Strategy, seen: Seen) -> list[dict[int, float]]:
    """For each column: the actions that may be taken, with their probabilities."""
    if isinstance(strategy, IPDStrategy):
        willing = np.asarray(strategy.cooperation(seen), dtype=np.float64)
        sure = [{COOPERATE: float(p), 1 - COOPERATE: float(1 - p)} for p in willing]
        return [{action: p for action, p in each.items() if p > 0} for each in sure]
    count = seen.count
    taken = strategy.choose(_repeated(seen), np.tile(_GRID, count)).reshape(count, len(_GRID))
    return [_shares(row) for row in taken]


def _repeated(seen: Seen) -> Seen:
    def repeat(columns: Ints) -> Ints:
        return np.repeat(columns, len(_GRID), axis=1)

    return Seen(seen.round, repeat(seen.own), repeat(seen.other), repeat(seen.private))


def _shares(taken: npt.NDArray[np.int8]) -> dict[int, float]:
    actions, counts = np.unique(taken, return_counts=True)
    return {int(a): int(n) / taken.size for a, n in zip(actions, counts, strict=True)}
