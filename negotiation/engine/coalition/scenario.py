"""The setting of a deal for three: what is public, and the chances that hidden truth is drawn from."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from negotiation.engine.coalition.types import ARRANGEMENTS, SEATS, Arrangement, Seat
from negotiation.engine.language import MoneyContext

DATA = Path(__file__).resolve().parent.parent / "data" / "coalitions"

Array = np.ndarray[Any, np.dtype[np.float64]]
_REACH = 1.6
"""Draws lie within so many standard deviations: tails would make games that nobody would sit down for."""

Chance = tuple[float, float]


@dataclass(frozen=True, slots=True)
class SeatSpec:
    """Who sits there, and the chances of its figures: (mean, spread as a share of the mean)."""

    role: str
    company: str
    short: str
    brief: str
    goals: tuple[str, ...]
    chances: dict[str, Chance]


@dataclass(frozen=True, slots=True)
class CoalitionScenario:
    """One deal for three. ``depot_cost`` is public: what the two buyers' own way out costs them together."""

    id: str
    title: str
    summary: str
    stakes_label: str
    currency: str
    per_label: str
    low: float
    high: float
    step: float
    horizon: int
    depot_cost: float
    arrangements: dict[Arrangement, str]
    seats: dict[Seat, SeatSpec]

    @property
    def money(self) -> MoneyContext:
        """How figures of this deal are written and read."""
        return MoneyContext(low=self.low, high=self.high, currency=self.currency)

    def draw(self, rng: np.random.Generator, count: int) -> Array:
        """``count`` draws of what each arrangement is worth to each seat; shape (count, seat, arrangement)."""
        return self._stakes(lambda: np.clip(rng.standard_normal(count), -_REACH, _REACH), count)

    def memo(self) -> Array:
        """The public means, shape (seat, arrangement): what a broker's memo says of everybody."""
        return np.asarray(self._stakes(lambda: np.zeros(1), 1)[0])

    def _stakes(self, noise: Any, count: int) -> Array:
        def figure(seat: Seat, name: str) -> Array:
            mean, spread = self.seats[seat].chances[name]
            return np.asarray(mean * (1 + spread * noise()))

        stakes = np.zeros((count, len(SEATS), len(ARRANGEMENTS)))
        cost = figure("seller", "cost_alone")
        stakes[:, 0, 0] = -cost
        stakes[:, 0, 1] = -cost - figure("seller", "cost_second")
        for index, seat in enumerate(SEATS[1:], 1):
            alone = figure(seat, "alone")
            stakes[:, index, 0] = alone
            stakes[:, index, 1] = alone * figure(seat, "shared")
            stakes[:, index, 2] = alone * figure(seat, "depot")
        return stakes


_WORDS = ("role", "company", "short", "brief", "goals")


@cache
def coalition_scenarios() -> dict[str, CoalitionScenario]:
    """All deals for three that ship, by id."""
    found = {}
    for path in sorted(DATA.glob("*.toml")):
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        seats = {seat: _seat(data["seats"][seat]) for seat in SEATS}
        scenario = CoalitionScenario(**{**data, "seats": seats})
        found[scenario.id] = scenario
    return found


def _seat(data: dict[str, Any]) -> SeatSpec:
    return SeatSpec(
        role=data["role"],
        company=data["company"],
        short=data["short"],
        brief=" ".join(data["brief"].split()),
        goals=tuple(data["goals"]),
        chances={name: (pair[0], pair[1]) for name, pair in data.items() if name not in _WORDS},
    )
