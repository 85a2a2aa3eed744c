"""What one game draws of a case: which facts are mistaken, how loath people are today, what a need weighs.

All of it comes from one block of the game's line of chance, with a fixed place for everything, so that a game without
a case draws what it always drew.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from negotiation.engine.deal.case.declared import DealCase, Fact, SeatCase
from negotiation.engine.deal.chance import Array, Chances, Number, normal
from negotiation.engine.deal.rows import Rows
from negotiation.engine.deal.scenario import Scenario, SeatSpec
from negotiation.engine.deal.types import SIGN, Seat, SeatTruth

MISTAKEN: Final = 0.10
"""The chance that a fact puts a hidden value on the wrong side of its middle: people are wrong about themselves."""
OTHER_NEED: Final = 1e-3
"""What counts in an inference for somebody whose needs are other than the ones that were told."""
SHIFTS: Final = (0.2, 0.8)
"""Below the first, a fact takes a point less to tell in this game; above the second, a point more."""
_PLAIN_WORTH, _BY_WEIGHT = 0.5, 0.5
"""What a term that meets a need is worth of its figure: half of it anyhow, half by the need's weight."""

_FACTS, _PER_FACT, _NEEDS, _PER_NEED, _CLAIMS = 16, 4, 8, 2, 8
_MOODS: Final = 8
_PER_SEAT: Final = _FACTS * _PER_FACT + _NEEDS * _PER_NEED + _CLAIMS


@dataclass(frozen=True, slots=True)
class SeatWorld:
    """What was drawn for one seat.

    For each fact: ``mistaken``, the ``shift`` of what it takes to tell it, the draws in (0, 1) that decide whether it
    is lied about and whether proof is shown. ``weights`` of the needs sum to 1. ``found`` decides, for each claim that
    the seat must never make, whether it is found out; ``mood``, which of about equal objections comes first.
    """

    mistaken: tuple[bool, ...]
    shift: tuple[int, ...]
    lie: tuple[float, ...]
    proof: tuple[float, ...]
    weights: tuple[float, ...]
    found: tuple[float, ...]
    mood: tuple[float, ...]

    def weight(self, side: SeatCase, need: str) -> float:
        """How heavily a need weighs: 1 is as heavily as all the others."""
        return len(self.weights) * self.weights[side.place_of_need[need]]


@dataclass(slots=True)
class WorldLines(Rows):
    """As :class:`SeatWorld` in ``n`` games: a row a game, a column a fact, a need or a claim."""

    mistaken: npt.NDArray[np.bool_]
    shift: npt.NDArray[np.int64]
    lie: Array
    proof: Array
    weights: Array
    found: Array
    mood: Array

    def some(self, rows: list[int]) -> list[SeatWorld]:
        """The worlds of some of the games."""
        parts = (self.mistaken, self.shift, self.lie, self.proof, self.weights, self.found, self.mood)
        lists = [[tuple(each) for each in part[rows].tolist()] for part in parts]
        return [SeatWorld(*each) for each in zip(*lists, strict=True)]


def draw_world(case: DealCase, chances: Chances) -> dict[Seat, SeatWorld]:
    """Both seats' world of a single game."""
    return {seat: drawn.some([0])[0] for seat, drawn in draw_lines(case, chances).items()}


def draw_lines(case: DealCase, chances: Chances) -> dict[Seat, WorldLines]:
    """Both seats' worlds of ``n`` games."""
    lines = chances.case(len(SIGN) * (_PER_SEAT + _MOODS))
    moods = lines[:, len(SIGN) * _PER_SEAT :]  # behind the rest, which keeps its places
    return {
        seat: _seat_lines(
            case.seats[seat],
            lines[:, place * _PER_SEAT : (place + 1) * _PER_SEAT],
            moods[:, place * _MOODS : (place + 1) * _MOODS],
        )
        for place, seat in enumerate(SIGN)
    }


def _seat_lines(side: SeatCase, lines: Array, moods: Array) -> WorldLines:
    """``lines`` has shape ``(n, _PER_SEAT)``, ``moods`` ``(n, _MOODS)``."""
    facts = lines[:, : _FACTS * _PER_FACT].reshape(-1, _FACTS, _PER_FACT)[:, : len(side.facts)]
    needs = lines[:, _FACTS * _PER_FACT : -_CLAIMS].reshape(-1, _NEEDS, _PER_NEED)[:, : len(side.needs)]
    # Gamma(3/2) is an exponential and half a squared normal; its shares of the sum are Dirichlet(3/2).
    heaviness = -np.log(needs[:, :, 0]) + normal(needs[:, :, 1]) ** 2 / 2
    total = np.zeros(len(lines))
    for place in range(len(side.needs)):
        total = total + heaviness[:, place]
    return WorldLines(
        mistaken=facts[:, :, 0] < MISTAKEN,
        shift=(facts[:, :, 1] > SHIFTS[1]).astype(np.int64) - (facts[:, :, 1] < SHIFTS[0]),
        lie=facts[:, :, 2],
        proof=facts[:, :, 3],
        weights=heaviness / total[:, None],
        found=lines[:, -_CLAIMS:],
        mood=moods,
    )


def worth_factor(weight: Number) -> Number:
    """What of its figure a term is worth to a seat that needs it so much."""
    return _PLAIN_WORTH + _BY_WEIGHT * weight


def option_factors(scenario: Scenario, side: SeatCase, world: SeatWorld) -> tuple[float, ...]:
    """For each option of all issues, the factor on what it is worth to the seat; 1 where it meets no need."""
    factors = []
    for issue in scenario.issues:
        for option in issue.options:
            name = f"{issue.id}.{option.id}"
            met = [worth_factor(world.weight(side, need.id)) for need in side.needs if name in need.options]
            factors.append(math.fsum(met) / len(met) if met else 1.0)
    return tuple(factors)


def sweetener_factors(side: SeatCase, world: SeatWorld, count: int) -> tuple[float, ...]:
    """For each sweetener of the other seat, the factor on what it is worth to this one."""
    met = {need.sweetener: worth_factor(world.weight(side, need.id)) for need in side.needs}
    return tuple(met.get(place, 1.0) for place in range(1, count + 1))


def high_cell(value: str, seat: Seat, truth: SeatTruth, spec: SeatSpec) -> bool:
    """Whether a hidden value lies above the middle of its range; of a limit, whether it is softer than usual."""
    if value == "urgency":
        return truth.urgency > sum(spec.urgency) / 2
    if value == "alternative":
        return truth.has_alternative
    if value == "budget":
        gap = abs(truth.budget - truth.walk_away) / abs(truth.walk_away)
        return gap > sum(spec.budget_gap) / 2
    return SIGN[seat] * (truth.walk_away - spec.walk_away) < 0


ADVERSE: Final[Mapping[str, bool]] = {
    "urgency": True,
    "alternative": False,
    "budget": True,
    "walk_away": True,
}
"""The cell of each hidden value that a seat would rather not tell."""


def cells(side: SeatCase, seat: Seat, world: SeatWorld, truth: SeatTruth, spec: SeatSpec) -> tuple[bool, ...]:
    """For each fact whether its high cell is what the seat takes for true; of a need, whether it weighs more than usual.

    It follows from the present truth, so news that changes the truth changes what is told from then on.
    """
    high = {value: high_cell(value, seat, truth, spec) for value in ADVERSE}
    return tuple(
        high[fact.value] != mistaken if fact.value else bool(fact.need) and world.weight(side, fact.need) > 1
        for fact, mistaken in zip(side.facts, world.mistaken, strict=True)
    )


def clause(fact: Fact, high: bool) -> str:
    """A fact as it is said."""
    if len(fact.says) == 2:
        return fact.says[high]
    return f"above all, {fact.says[0]}" if fact.need and high else fact.says[0]


def further(fact: Fact, high: bool | None) -> str:
    """What is said of a fact to who asks on, in the cell in which it was told; empty where there is nothing more."""
    return fact.more[bool(high)] if len(fact.more) == 2 else "".join(fact.more)
