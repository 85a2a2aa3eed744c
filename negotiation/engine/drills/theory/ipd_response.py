"""The best response to any strategy of the prisoner's dilemma, by dynamic programming over all histories.

Before its eight choices a player may stand in 1 + 4 + ... + 4**7 = 21,845 histories. A history is a number in base
4: digit ``2 * responder's action + strategy's action`` for each round, the first round leading.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from negotiation.engine.drills.ipd import IPD, Cooperation
from negotiation.engine.drills.types import Seen

Aim = Literal["payoff", "margin"]
"""What the responder maximises: what it earns, or what it earns beyond the strategy it plays against."""

_PAYOFF = np.array([[3.0, 0.0], [5.0, 1.0]])
"""Responder's payoff by (its action, the strategy's action)."""
_AIMS: dict[Aim, npt.NDArray[np.float64]] = {"payoff": _PAYOFF, "margin": _PAYOFF - _PAYOFF.T}


@dataclass(frozen=True, slots=True)
class Plan:
    """A best response: what it is worth, and what it does after every history."""

    value: float
    """A round, in the aim that was set."""
    defects: tuple[npt.NDArray[np.bool_], ...]
    """By round: (4**round,), where the responder defects."""


def histories(round_: int) -> npt.NDArray[np.int8]:
    """(2, round, 4**round): every history before ``round_``, the responder's actions and the strategy's."""
    digits = np.arange(4**round_) // 4 ** np.arange(round_)[::-1, None] % 4
    return np.stack([digits // 2, digits % 2]).astype(np.int8)


def decision_histories(rounds: int = IPD.rounds) -> int:
    """How many histories a player may have to choose after."""
    return sum(4**round_ for round_ in range(rounds))


def worths(
    cooperation: Cooperation, aim: Aim = "payoff", rounds: int = IPD.rounds, always: int | None = None
) -> tuple[npt.NDArray[np.float64], ...]:
    """By round, (4**round, 2): what cooperating and defecting there bring, with all that follows.

    What follows is played best, or by one action ``always``.
    """
    stakes = _AIMS[aim]
    onward = np.zeros(4**rounds)
    found = []
    for round_ in reversed(range(rounds)):
        responder, strategy = histories(round_)
        seen = Seen(round_, strategy, responder, np.zeros((0, 4**round_), dtype=np.int8))
        willing = np.asarray(cooperation(seen), dtype=np.float64)
        after = onward.reshape(-1, 2, 2) + stakes
        worth = willing[:, None] * after[:, :, 0] + (1 - willing)[:, None] * after[:, :, 1]
        found.append(worth)
        onward = worth.max(axis=1) if always is None else worth[:, always]
    return tuple(reversed(found))


def best_response(cooperation: Cooperation, aim: Aim = "payoff", rounds: int = IPD.rounds) -> Plan:
    """The best response to a strategy given by its probability of cooperating after each history.

    Against ``cooperation`` the value under ``margin`` is the true exploitability: what the worst opponent there
    can be earns beyond it, a round.
    """
    found = worths(cooperation, aim, rounds)
    defects = tuple(worth[:, 1] > worth[:, 0] for worth in found)
    return Plan(float(found[0].max()) / rounds, defects)


def planned_cooperation(plan: Plan) -> Cooperation:
    """The plan as a strategy that can be played: its probability of cooperating, 0 or 1."""

    def cooperation(seen: Seen) -> npt.NDArray[np.float32]:
        code = np.zeros(seen.count, dtype=np.intp)
        for own, other in zip(seen.own, seen.other, strict=True):
            code = 4 * code + 2 * own + other
        return (~plan.defects[seen.round][code]).astype(np.float32)

    return cooperation
