"""Trust in many games: ``strategist/trust.py`` over arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from negotiation.engine.deal.chance import Array
from negotiation.engine.deal.rows import Ints, Mask, Rows
from negotiation.engine.deal.strategist.trust import (
    EARNS,
    LARGEST_STEP,
    LONGEST,
    RECIPROCITY,
    START,
    WEARS_OFF,
)

_WORN = np.array([WEARS_OFF**times for times in range(LONGEST)])


@dataclass(slots=True)
class Trusts(Rows):
    """Trust in [0, 1], and how often each kindness was heard."""

    value: Array
    heard: dict[str, Ints]

    @classmethod
    def at_start(cls, games: int) -> Trusts:
        kind = [act for act, gain in EARNS.items() if gain > 0]
        return cls(np.full(games, START), {act: np.zeros(games, dtype=np.int64) for act in kind})

    def observe(
        self,
        acts: dict[str, Mask],
        concession_share: Array,
        where: Mask | None = None,
        words: Array | float = 0.0,
    ) -> None:
        """Take in a turn's acts and concession, in the games of ``where``; ``words`` is what talk earned or lost."""
        change = RECIPROCITY * np.maximum(0.0, concession_share) + words
        for act in sorted(acts):
            gain = EARNS.get(act, 0.0)
            if gain > 0:
                times = self.heard[act]
                change = change + np.where(acts[act], gain * _WORN[times], 0.0)
                self.heard[act] = times + acts[act]
            elif gain < 0:
                change = change + np.where(acts[act], gain, 0.0)
        moved = np.minimum(1.0, np.maximum(0.0, self.value + np.minimum(LARGEST_STEP, change)))
        self.value = moved if where is None else np.where(where, moved, self.value)
