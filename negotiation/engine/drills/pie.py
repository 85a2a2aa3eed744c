"""Splitting a pie of ten: both name what they want, four times. Demands that do not fit leave both with nothing.

Nash's demand game (1953) with complete information: any pair of demands that sum to ten is an equilibrium, so the
question is only who yields.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from negotiation.engine.drills.simultaneous import SimultaneousGame
from negotiation.engine.drills.types import Bools, Floats, Ints, Pools, Seen, Strategy, named

PIE = 10
DEMANDS = tuple(range(1, PIE))
GREEDY_FROM = 7


def _always(demand: int) -> Callable[[Seen, Floats], Ints]:
    return lambda seen, number: np.full(seen.count, demand, dtype=np.int8)


def late_concession(progress: float) -> float:
    """How much of its whole concession a Boulware bargainer has made, 0 to 1: little until the end."""
    return progress**3


def _boulware(seen: Seen, number: Floats) -> Ints:
    given = late_concession(seen.round / (Pie.rounds - 1))
    return np.full(seen.count, round(8 - 3 * given), dtype=np.int8)


def _concede(seen: Seen, number: Floats) -> Ints:
    broke_down = (seen.own + seen.other > PIE).any(axis=0)
    return np.where(broke_down, 5, 6).astype(np.int8)


def _take_the_rest(seen: Seen, number: Floats) -> Ints:
    return (PIE - seen.other[-1]).astype(np.int8) if seen.round else _always(5)(seen, number)


def _between_3_and_7(seen: Seen, number: Floats) -> Ints:
    return (3 + np.minimum(number * 5, 4)).astype(np.int8)


STRATEGIES = named(
    Strategy("fair", "Even split", "Asks for 5.", _always(5)),
    Strategy("balanced", "A little more", "Asks for 6.", _always(6)),
    Strategy("concede", "Gives way once", "Asks for 6, and for 5 once talks have broken down.", _concede),
    Strategy("hard", "Hard", "Asks for 8.", _always(8)),
    Strategy("selfish", "Selfish", "Asks for 7.", _always(7)),
    Strategy("modest", "Modest", "Asks for 4.", _always(4)),
    Strategy("tft", "What you leave", "Opens with 5, then asks for what you left.", _take_the_rest),
    Strategy("random", "Dice", "Asks for anything from 3 to 7.", _between_3_and_7),
    Strategy("boulware", "Late giver", "Asks for 8 and comes down to 5 at the end.", _boulware),
)


class Pie(SimultaneousGame):
    """Demands of 1 to 9; both are met if they sum to ten or less."""

    name = "pie"
    title = "Pie split"
    rounds = 4
    scale = 0.6
    strategies = STRATEGIES
    pools = Pools(
        train=("balanced", "concede"),
        exploit=("selfish", "hard"),
        collusive=("fair",),
        shift=("modest", "tft", "random", "boulware"),
    )
    paper_pools = Pools(
        train=("fair", "balanced", "concede", "hard"),
        exploit=("selfish", "hard"),
        collusive=("fair",),
        shift=("modest", "tft", "random", "boulware"),
    )
    demonstrators = {"fair": 0.32, "balanced": 0.27, "concede": 0.18, "tft": 0.15, "random": 0.08}

    def dealt(self, chance: Sequence[float]) -> tuple[tuple[int, ...], ...]:
        """Nothing is hidden."""
        return (), ()

    def legal(self, private: tuple[int, ...]) -> tuple[int, ...]:
        """1 to 9."""
        return DEMANDS

    def label(self, action: int) -> str:
        """The demand in digits."""
        return str(action)

    def pay(
        self, actions: tuple[int, int], private: tuple[tuple[int, ...], ...], round_: int
    ) -> tuple[float, float]:
        """What was asked, if it fits."""
        if sum(actions) > PIE:
            return 0.0, 0.0
        return float(actions[0]), float(actions[1])

    def payoffs(self, actions: Ints, private: Ints) -> Floats:
        """What was asked, where it fits."""
        paid: Floats = (actions * (actions.sum(axis=0) <= PIE)).astype(np.float32)
        return paid

    def externality(self, actions: Ints, private: Ints, payoffs: Floats) -> Floats:
        """1 where talks broke down."""
        broken: Floats = (actions.sum(axis=0) > PIE).astype(np.float32)
        return broken

    def greed(self, actions: Ints, private: Ints) -> tuple[Bools, Bools]:
        """Asking for 7 or more; every round counts."""
        return actions[0] >= GREEDY_FROM, np.ones(actions.shape[1:], dtype=np.bool_)
