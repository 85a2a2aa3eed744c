"""Hidden truth: how it is drawn, and how events and conflict change it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from negotiation.engine.deal.scenario import DriftEvent, Effect, MarketEvent, Scenario, SeatSpec
from negotiation.engine.deal.types import SIGN, Headline, Seat, SeatTruth

MIN_WIDTH_SHARE = 0.35
"""A drawn zone that is not meant to be empty is at least this share of the nominal width."""

FIRST_MARKET_TURN, LAST_MARKET_TURN_SHARE = 3, 0.75
"""Market events fall from this turn to this share of the horizon, never on a drift event's turn."""


@dataclass(frozen=True, slots=True)
class ScheduledMarketEvent:
    """A market event with its hidden, already drawn relative effect on each seat's walk-away."""

    turn: int
    event: MarketEvent
    effect: dict[Seat, float]

    @property
    def headline(self) -> Headline:
        return Headline(self.event.id, "market", self.turn, self.event.headline)


def _draw_seat(spec: SeatSpec, seat: Seat, scenario: Scenario, rng: np.random.Generator) -> SeatTruth:
    jitter = float(np.clip(rng.standard_normal(), -2, 2)) * spec.jitter
    walk_away = scenario.round(spec.walk_away * (1 + jitter))
    gap = rng.uniform(*spec.budget_gap)
    has_alternative = bool(rng.random() < spec.alternative_probability)
    shortfall = rng.uniform(*spec.alternative_gap)
    return SeatTruth(
        walk_away=walk_away,
        budget=scenario.round(walk_away * (1 - SIGN[seat] * gap)),
        urgency=round(float(rng.uniform(*spec.urgency)), 3),
        has_alternative=has_alternative,
        alternative_value=scenario.round(walk_away * (1 - SIGN[seat] * shortfall))
        if has_alternative
        else None,
    )


def _moved(truth: SeatTruth, delta: float) -> SeatTruth:
    """The same seat with every money figure shifted by ``delta``."""
    alternative = None if truth.alternative_value is None else truth.alternative_value + delta
    return replace(
        truth, walk_away=truth.walk_away + delta, budget=truth.budget + delta, alternative_value=alternative
    )


def draw_truth(scenario: Scenario, rng: np.random.Generator) -> dict[Seat, SeatTruth]:
    """Both seats' truth for one episode; the zone is empty with the scenario's probability."""
    drawn: dict[Seat, SeatTruth] = {
        seat: _draw_seat(scenario.seats[seat], seat, scenario, rng) for seat in SIGN
    }
    empty = bool(rng.random() < scenario.empty_zone_probability)
    gap = rng.uniform(0.1, 0.5) * scenario.nominal_width
    floor = MIN_WIDTH_SHARE * scenario.nominal_width
    width = drawn["buyer"].walk_away - drawn["seller"].walk_away
    wanted = -gap if empty else max(width, floor)
    half = (wanted - width) / 2
    if half:
        drawn["buyer"] = _moved(drawn["buyer"], scenario.round(half))
        drawn["seller"] = _moved(drawn["seller"], -scenario.round(half))
    return drawn


def schedule_market_events(
    scenario: Scenario, sensitivity: dict[Seat, float], rng: np.random.Generator
) -> tuple[ScheduledMarketEvent, ...]:
    """Draw which headlines fall when, and ``sensitivity * impact + noise`` for each seat."""
    low, high = scenario.market_events_per_game
    count = int(rng.integers(low, high + 1))
    taken = {event.turn for event in scenario.drift}
    last = int(scenario.horizon * LAST_MARKET_TURN_SHARE)
    turns = [turn for turn in range(FIRST_MARKET_TURN, last + 1) if turn not in taken]
    when = sorted(int(t) for t in rng.choice(turns, size=count, replace=False))
    which = rng.choice(len(scenario.market), size=count, replace=False)
    scheduled = []
    for turn, index in zip(when, which, strict=True):
        event = scenario.market[int(index)]
        effect: dict[Seat, float] = {
            seat: sensitivity[seat] * event.impact.get(seat, 0.0) + event.noise * float(rng.standard_normal())
            for seat in SIGN
        }
        scheduled.append(ScheduledMarketEvent(turn, event, effect))
    return tuple(scheduled)


def apply_effect(truth: SeatTruth, effect: Effect, seat: Seat, scenario: Scenario) -> SeatTruth:
    """One seat's truth after a drift event. The hard limit is never crossed by the walk-away."""
    shifted = _moved(truth, scenario.round(truth.walk_away * effect.walk_away))
    alternative = truth.has_alternative if effect.alternative is None else effect.alternative
    value = shifted.alternative_value
    if alternative and value is None:
        value = shifted.walk_away
    return replace(
        shifted,
        urgency=min(1.0, max(0.0, round(truth.urgency + effect.urgency, 3))),
        has_alternative=alternative,
        alternative_value=value if alternative else None,
    )


def apply_drift(
    truths: dict[Seat, SeatTruth], event: DriftEvent, scenario: Scenario
) -> dict[Seat, SeatTruth]:
    return {
        seat: apply_effect(truth, event.effects.get(seat, Effect()), seat, scenario)
        for seat, truth in truths.items()
    }


def apply_market(
    truths: dict[Seat, SeatTruth], event: ScheduledMarketEvent, scenario: Scenario
) -> dict[Seat, SeatTruth]:
    return {
        seat: _moved(truth, scenario.round(truth.walk_away * event.effect[seat]))
        for seat, truth in truths.items()
    }


def erode(truths: dict[Seat, SeatTruth], loss: float) -> dict[Seat, SeatTruth]:
    """Move both walk-aways inward by ``loss`` in total. The hard limits stay where they are."""
    return {
        seat: replace(truth, walk_away=truth.walk_away + SIGN[seat] * loss / 2)
        for seat, truth in truths.items()
    }


def zone_width(truths: dict[Seat, SeatTruth]) -> float:
    """Buyer's walk-away minus seller's; negative when there is no zone."""
    return truths["buyer"].walk_away - truths["seller"].walk_away
