"""Scenarios: what is being bought, from which ranges hidden truth is drawn, what happens on the way.

A scenario is one TOML file under ``engine/data/scenarios``; its numbers live there and nowhere else.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from negotiation.engine.deal.types import SIGN, Seat
from negotiation.engine.language import MoneyContext, Setting

SCENARIO_DIR = Path(__file__).resolve().parent.parent / "data" / "scenarios"


class ScenarioError(ValueError):
    """A scenario file that cannot be played; the message names the file and the field."""


@dataclass(frozen=True, slots=True)
class SeatSpec:
    """One seat: its public brief, and the ranges its hidden truth is drawn from.

    ``walk_away`` is the centre in money and ``jitter`` its relative standard deviation (cut at two).
    ``budget_gap`` is how far beyond the walk-away the hard limit lies, relative to it; ``alternative_gap``
    how far short of the walk-away the alternative is worth. ``sensitivity`` scales market events when a
    person sits here (a persona brings its own).
    """

    role: str
    company: str
    brief: str
    goals: tuple[str, ...]
    walk_away: float
    jitter: float
    budget_gap: tuple[float, float]
    urgency: tuple[float, float]
    alternative_probability: float
    alternative_gap: tuple[float, float]
    alternative_label: str
    opening: float
    sensitivity: float


@dataclass(frozen=True, slots=True)
class Effect:
    """What an event does to one seat: relative change of walk-away, change of urgency, an alternative."""

    walk_away: float = 0.0
    urgency: float = 0.0
    alternative: bool | None = None


@dataclass(frozen=True, slots=True)
class DriftEvent:
    """News at a fixed turn that changes hidden truth of the seats it concerns."""

    id: str
    turn: int
    headline: str
    effects: Mapping[Seat, Effect]


@dataclass(frozen=True, slots=True)
class MarketEvent:
    """A public headline whose relative effect on each walk-away is hidden.

    ``effect = sensitivity * impact + noise`` with ``noise ~ N(0, noise)``.
    """

    id: str
    headline: str
    impact: Mapping[Seat, float]
    noise: float


@dataclass(frozen=True, slots=True)
class Sweetener:
    """A non-price concession (Raiffa 1982): worth more to the receiver than it costs the giver.

    Both figures are shares of the nominal zone's width.
    """

    giver: Seat
    name: str
    worth: float
    cost: float


@dataclass(frozen=True, slots=True)
class Scenario:
    """A deal that can be played from either seat."""

    id: str
    title: str
    summary: str
    setting: Setting
    currency: str
    per_label: str
    step: float
    plausible_low: float
    plausible_high: float
    horizon: int
    erosion_rate: float
    empty_zone_probability: float
    market_events_per_game: tuple[int, int]
    seats: Mapping[Seat, SeatSpec]
    drift: tuple[DriftEvent, ...]
    market: tuple[MarketEvent, ...]
    sweeteners: tuple[Sweetener, ...]

    @property
    def nominal_width(self) -> float:
        """Width of the zone between the centres of both walk-aways, in money."""
        return self.seats["buyer"].walk_away - self.seats["seller"].walk_away

    @property
    def nominal_middle(self) -> float:
        return (self.seats["buyer"].walk_away + self.seats["seller"].walk_away) / 2

    @property
    def stakes_label(self) -> str:
        low, high = self.seats["seller"].walk_away, self.seats["buyer"].walk_away
        return f"{short_money(low, self.currency)}\u2013{short_money(high, self.currency)} {self.per_label}"

    @property
    def money(self) -> MoneyContext:
        """How the reader and the speaker of words should take figures in this deal."""
        return MoneyContext(self.plausible_low, self.plausible_high, self.currency)

    def sweeteners_of(self, seat: Seat) -> tuple[Sweetener, ...]:
        return tuple(s for s in self.sweeteners if s.giver == seat)

    def round(self, price: float) -> float:
        """The nearest price on the scenario's grid of whole steps."""
        return round(price / self.step) * self.step


def short_money(value: float, currency: str) -> str:
    """``125000`` as ``$125k``, ``10500000`` as ``$10.5M``: for headings, never for binding figures."""
    if abs(value) >= 1_000_000:
        return f"{currency}{value / 1_000_000:g}M"
    return f"{currency}{value / 1000:g}k"


def _require(condition: bool, where: str, message: str) -> None:
    if not condition:
        raise ScenarioError(f"{where}: {message}")


def _pair(raw: Any, where: str) -> tuple[float, float]:
    _require(isinstance(raw, list) and len(raw) == 2, where, "needs two numbers [low, high]")
    low, high = float(raw[0]), float(raw[1])
    _require(low <= high, where, "low must not exceed high")
    return low, high


def _seat_spec(raw: dict[str, Any], where: str) -> SeatSpec:
    spec = SeatSpec(
        role=raw["role"],
        company=raw["company"],
        brief=raw["brief"].strip(),
        goals=tuple(raw["goals"]),
        walk_away=float(raw["walk_away"]),
        jitter=float(raw["jitter"]),
        budget_gap=_pair(raw["budget_gap"], f"{where}.budget_gap"),
        urgency=_pair(raw["urgency"], f"{where}.urgency"),
        alternative_probability=float(raw["alternative_probability"]),
        alternative_gap=_pair(raw["alternative_gap"], f"{where}.alternative_gap"),
        alternative_label=raw["alternative_label"],
        opening=float(raw["opening"]),
        sensitivity=float(raw["sensitivity"]),
    )
    _require(spec.walk_away > 0, f"{where}.walk_away", "must be positive")
    _require(0 <= spec.jitter < 0.3, f"{where}.jitter", "must lie in [0, 0.3)")
    _require(spec.urgency[0] >= 0 and spec.urgency[1] <= 1, f"{where}.urgency", "must lie in [0, 1]")
    _require(0 <= spec.alternative_probability <= 1, f"{where}.alternative_probability", "must lie in [0, 1]")
    return spec


def _seats(raw: dict[str, Any]) -> dict[Seat, Any]:
    return {seat: raw[seat] for seat in SIGN if seat in raw}


def parse_scenario(raw: dict[str, Any], name: str) -> Scenario:
    """Build and validate a scenario from its parsed TOML.

    Raises:
        ScenarioError: naming the field, when something is missing, of the wrong type or out of range.
    """
    try:
        scenario = Scenario(
            id=raw["id"],
            title=raw["title"],
            summary=raw["summary"].strip(),
            setting=raw["setting"],
            currency=raw["currency"],
            per_label=raw["per_label"],
            step=float(raw["step"]),
            plausible_low=float(raw["plausible_low"]),
            plausible_high=float(raw["plausible_high"]),
            horizon=int(raw["horizon"]),
            erosion_rate=float(raw["erosion_rate"]),
            empty_zone_probability=float(raw["empty_zone_probability"]),
            market_events_per_game=tuple(raw["market_events_per_game"]),
            seats={seat: _seat_spec(raw[seat], f"{name}.{seat}") for seat in SIGN},
            drift=tuple(
                DriftEvent(
                    e["id"],
                    int(e["turn"]),
                    e["headline"],
                    {seat: Effect(**effect) for seat, effect in _seats(e).items()},
                )
                for e in raw.get("drift", [])
            ),
            market=tuple(
                MarketEvent(
                    e["id"],
                    e["headline"],
                    {seat: float(impact) for seat, impact in _seats(e["impact"]).items()},
                    float(e["noise"]),
                )
                for e in raw.get("market", [])
            ),
            sweeteners=tuple(Sweetener(**s) for s in raw.get("sweetener", [])),
        )
    except KeyError as error:
        raise ScenarioError(f"{name}: missing field {error}") from error
    except (TypeError, ValueError) as error:
        if isinstance(error, ScenarioError):
            raise
        raise ScenarioError(f"{name}: {error}") from error
    _require(scenario.nominal_width > 0, name, "the buyer's walk_away must exceed the seller's")
    _require(0 < scenario.plausible_low < scenario.plausible_high, name, "plausible range is not a range")
    _require(scenario.horizon >= 4, f"{name}.horizon", "must be at least 4")
    _require(0 <= scenario.erosion_rate <= 0.5, f"{name}.erosion_rate", "must lie in [0, 0.5]")
    low, high = scenario.market_events_per_game
    _require(
        0 <= low <= high <= len(scenario.market),
        f"{name}.market_events_per_game",
        "needs 0 <= low <= high <= pool",
    )
    return scenario


@cache
def scenarios() -> dict[str, Scenario]:
    """All scenarios that ship, by id, in the order of their files."""
    found = {}
    for path in sorted(SCENARIO_DIR.glob("*.toml")):
        scenario = parse_scenario(tomllib.loads(path.read_text(encoding="utf-8")), path.stem)
        found[scenario.id] = scenario
    return found
