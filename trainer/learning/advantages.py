"""Advantages: how much better an action did than the others of its group from the same start.

A *group* is G rollouts of one task: the same deal, seat, persona and seed, so that luck is shared and what
differs is what was done. Every function is plain NumPy; ``rewards[i][t]`` is what rollout ``i`` earned on its
round ``t``, the last one including the end of the game. Rollouts may differ in length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

Credit = Literal["episode", "round", "to_go"]
Scale = Literal["batch", "std", "none"]
SPREAD = 1e-8
"""Below this standard deviation a group has nothing to tell apart."""


@dataclass(frozen=True, slots=True)
class Advantages:
    """``values[i][t]`` for each rollout and round; ``dropped`` when the group had no spread to learn from."""

    values: list[np.ndarray]
    dropped: bool


def advantages(
    rewards: Sequence[Sequence[float]],
    credit: Credit,
    scale: Scale = "std",
    baseline: Sequence[float] = (),
    few: int = 0,
) -> Advantages:
    """The advantages of one group.

    ``episode``: each rollout's total, less the group's mean, over the group's deviation; the same for all its
    rounds (GRPO's outcome supervision: DeepSeekMath, Shao et al. 2024).

    ``round``: the reward of round t, less the mean over the rollouts *that reached round t*, over their
    deviation. Myopic: what a move brings about later is not credited to it.

    ``to_go``: the sum of rewards from round t on, compared in the same way (DeepSeekMath's process supervision,
    which sums what follows; the policy gradient theorem, Sutton et al. 2000).

    Args:
        scale: ``std`` divides by the population deviation of the group (GRPO). ``batch`` and ``none`` do not, as Dr.
            GRPO (Liu et al. 2025) argues; with ``batch`` the step divides by one deviation of all its values.
        baseline: what :func:`baseline_of` says of the whole step.
        few: where fewer than this of the group reached a round, they are compared with ``baseline`` instead of among
            themselves: one alone would learn nothing from how it ended.
    """
    totals = np.array([float(np.sum(row)) for row in rewards])
    if credit == "episode":
        shares = compared(totals, scale)
        values = [np.full(len(row), share) for row, share in zip(rewards, shares, strict=True)]
    else:
        earned = [_earned(row, credit) for row in rewards]
        values = [np.zeros(len(row)) for row in rewards]
        for turn in range(max(map(len, rewards), default=0)):
            reached = [rollout for rollout, row in enumerate(rewards) if len(row) > turn]
            here = np.array([earned[rollout][turn] for rollout in reached])
            shares = here - baseline[turn] if len(reached) < few else compared(here, scale)
            for rollout, share in zip(reached, shares, strict=True):
                values[rollout][turn] = share
    return Advantages(values, dropped=all(bool(np.all(np.abs(row) <= SPREAD)) for row in values))


def baseline_of(rewards: Sequence[Sequence[float]], credit: Credit) -> list[float]:
    """What is earned from each round on (or in it, for ``round``), on average over all that reached it."""
    earned = [_earned(row, credit) for row in rewards]
    longest = max(map(len, earned), default=0)
    return [float(np.mean([row[turn] for row in earned if len(row) > turn])) for turn in range(longest)]


def _earned(row: Sequence[float], credit: Credit) -> np.ndarray:
    return _to_go(row) if credit == "to_go" else np.asarray(row, dtype=float)


def compared(values: np.ndarray, scale: Scale) -> np.ndarray:
    """Values less their mean, for ``std`` over their population deviation; zeros where they do not differ."""
    deviation = values.std()
    if deviation <= SPREAD:
        return np.zeros_like(values)
    centred: np.ndarray = values - values.mean()
    return centred / (deviation + SPREAD) if scale == "std" else centred


def unit(values: Sequence[float]) -> float:
    """What to divide by so that values that are centred already have a mean square of 1; 1 where all are 0."""
    size = float(np.sqrt(np.mean(np.square(values)))) if len(values) else 0.0
    return size if size > SPREAD else 1.0


def _to_go(rewards: Sequence[float]) -> np.ndarray:
    return np.cumsum(np.asarray(rewards, dtype=float)[::-1])[::-1]
