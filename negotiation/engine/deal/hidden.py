"""Hidden truth: how it is drawn, and how events and conflict change it.

Drawing is written for many games at once, and one game is a draw of one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from negotiation.engine.deal.chance import Array, Chances, normal
from negotiation.engine.deal.issues import bundle_worths
from negotiation.engine.deal.rows import Rows
from negotiation.engine.deal.scenario import DriftEvent, Effect, MarketEvent, Scenario, SeatSpec
from negotiation.engine.deal.types import SIGN, Headline, Seat, SeatTruth

MIN_WIDTH_SHARE = 0.35
"""A drawn zone that is not meant to be empty is at least this share of the nominal width."""

URGENCY_PLACES = 3
"""Urgency is kept to so many places."""
VALUE_GRAIN = 5
"""What terms are worth is drawn on a grid this much finer than prices."""

FIRST_MARKET_TURN, LAST_MARKET_TURN_SHARE = 3, 0.75
"""Market events fall from this turn to this share of the horizon, never on a drift event's turn."""

_SEAT_DRAWS = 8
_ZONE_DRAWS = 16
_VALUE_DRAWS = 32


@dataclass(frozen=True, slots=True)
class SeatTruths(Rows):
    """One seat's truth in ``n`` games. ``alternative_value`` is NaN where there is none.

    ``values`` has shape ``(n, options of all issues)``; every other field has shape ``(n,)``.
    """

    walk_away: Array
    budget: Array
    urgency: Array
    has_alternative: npt.NDArray[np.bool_]
    alternative_value: Array
    values: Array

    def one(self, scenario: Scenario, index: int = 0) -> SeatTruth:
        """The truth of a single game."""
        alternative = bool(self.has_alternative[index])
        flat = iter(self.values[index].tolist())
        return SeatTruth(
            walk_away=float(self.walk_away[index]),
            budget=float(self.budget[index]),
            urgency=float(self.urgency[index]),
            has_alternative=alternative,
            alternative_value=float(self.alternative_value[index]) if alternative else None,
            values=tuple(tuple(next(flat) for _ in issue.options) for issue in scenario.issues),
        )

    def moved(self, delta: Array) -> SeatTruths:
        """The same seats with every price limit shifted by ``delta``."""
        return replace(
            self,
            walk_away=self.walk_away + delta,
            budget=self.budget + delta,
            alternative_value=self.alternative_value + delta,
        )


@dataclass(frozen=True, slots=True)
class ScheduledMarketEvent:
    """A market event with its hidden, already drawn relative effect on each seat's walk-away."""

    turn: int
    event: MarketEvent
    effect: dict[Seat, float]

    @property
    def headline(self) -> Headline:
        return Headline(self.event.id, "market", self.turn, self.event.headline)


@dataclass(frozen=True, slots=True)
class MarketSchedules(Rows):
    """The market events of ``n`` games, in order of their turns; shape ``(n, slots)``.

    A slot that stays empty has turn 0. ``event`` is the index in the scenario's pool.
    """

    turn: npt.NDArray[np.int64]
    event: npt.NDArray[np.int64]
    effect: dict[Seat, Array]

    def one(self, scenario: Scenario, index: int = 0) -> tuple[ScheduledMarketEvent, ...]:
        """The schedule of a single game."""
        return tuple(
            ScheduledMarketEvent(
                int(turn),
                scenario.market[int(self.event[index, slot])],
                {seat: float(self.effect[seat][index, slot]) for seat in SIGN},
            )
            for slot, turn in enumerate(self.turn[index])
            if turn
        )


def _between(uniform: Array, ends: tuple[float, float]) -> Array:
    return ends[0] + (ends[1] - ends[0]) * uniform


def _draw_seats(
    spec: SeatSpec, seat: Seat, scenario: Scenario, line: Array, noise: Array, factors: Array | None
) -> SeatTruths:
    """``line`` has shape ``(n, 8)``; ``noise`` the numbers of the seat's option values, ``(n, issues)``."""
    jitter = np.clip(normal(line[:, 0]), -2, 2) * spec.jitter
    walk_away = scenario.rounded(spec.walk_away * (1 + jitter))
    has_alternative = line[:, 2] < spec.alternative_probability
    shortfall = _between(line[:, 3], spec.alternative_gap)
    alternative = scenario.rounded(walk_away * (1 - SIGN[seat] * shortfall))
    return SeatTruths(
        walk_away=walk_away,
        budget=scenario.rounded(walk_away * (1 - SIGN[seat] * _between(line[:, 1], spec.budget_gap))),
        urgency=np.round(_between(line[:, 4], spec.urgency), URGENCY_PLACES),
        has_alternative=has_alternative,
        alternative_value=np.where(has_alternative, alternative, np.nan),
        values=_draw_values(seat, scenario, noise, factors),
    )


def _draw_values(seat: Seat, scenario: Scenario, noise: Array, needed: Array | None) -> Array:
    """What each option is worth to the seat beyond the first option of its issue; shape ``(n, options)``.

    The options of an issue grow and shrink together, so that more of a good thing stays better than less.

    Args:
        noise: uniform numbers, shape ``(n, issues)``.
        needed: what the seat's needs make of each option's worth, shape ``(n, options)``; ``None`` without a case.
    """
    if not scenario.issues:
        return np.zeros((len(noise), 0))
    factors = 1 + np.clip(normal(noise), -2, 2) * np.array([issue.jitter for issue in scenario.issues])
    gains = [
        [each.value[seat] - issue.options[0].value[seat] for each in issue.options]
        for issue in scenario.issues
    ]
    drawn = np.concatenate([factors[:, [place]] * np.array(gain) for place, gain in enumerate(gains)], axis=1)
    if needed is not None:
        drawn = drawn * needed
    grain = scenario.step / VALUE_GRAIN
    values: Array = np.rint(drawn / grain) * grain
    return values


def draw_truths(
    scenario: Scenario, chances: Chances, needed: Mapping[Seat, Array] | None = None
) -> dict[Seat, SeatTruths]:
    """Both seats' truth for ``n`` games; the zone is empty with the scenario's probability.

    Args:
        needed: for each seat, what its needs make of each option's worth, shape ``(n, options)``; with a case.
    """
    issues = len(scenario.issues)
    line = chances.truth(_VALUE_DRAWS + 2 * issues)
    drawn: dict[Seat, SeatTruths] = {}
    for place, seat in enumerate(SIGN):
        start = _VALUE_DRAWS + place * issues
        seat_line = line[:, place * _SEAT_DRAWS : (place + 1) * _SEAT_DRAWS]
        drawn[seat] = _draw_seats(
            scenario.seats[seat],
            seat,
            scenario,
            seat_line,
            line[:, start : start + issues],
            None if needed is None else needed[seat],
        )
    gain = joint_gain(scenario, drawn["seller"].values, drawn["buyer"].values)
    empty = line[:, _ZONE_DRAWS] < scenario.empty_zone_probability
    gap = _between(line[:, _ZONE_DRAWS + 1], (0.1, 0.5)) * scenario.nominal_width
    floor = MIN_WIDTH_SHARE * scenario.nominal_width
    width = drawn["buyer"].walk_away - drawn["seller"].walk_away + gain
    wanted = np.where(empty, -gap, np.maximum(width, floor))
    half = scenario.rounded((wanted - width) / 2)
    return {"seller": drawn["seller"].moved(-half), "buyer": drawn["buyer"].moved(half)}


def joint_gain(scenario: Scenario, seller: Array, buyer: Array) -> Array:
    """The most that terms beside the price add for both together; option values in, shape ``(n,)`` out."""
    worths = bundle_worths(scenario.issues, seller) + bundle_worths(scenario.issues, buyer)
    gain: Array = worths.max(axis=-1)
    return gain


def draw_schedules(scenario: Scenario, sensitivity: dict[Seat, float], chances: Chances) -> MarketSchedules:
    """Draw which headlines fall when, and ``sensitivity * impact + noise`` for each seat."""
    low, high = scenario.market_events_per_game
    taken = {event.turn for event in scenario.drift}
    last = int(scenario.horizon * LAST_MARKET_TURN_SHARE)
    turns = np.array([turn for turn in range(FIRST_MARKET_TURN, last + 1) if turn not in taken])
    pool = len(scenario.market)
    line = chances.events(1 + len(turns) + pool + 2 * high)
    games = len(line)
    count = low + np.floor(line[:, 0] * (high - low + 1)).astype(np.int64)
    at = 1
    when = np.argsort(line[:, at : at + len(turns)], axis=1, kind="stable")[:, :high]
    at += len(turns)
    which = np.argsort(line[:, at : at + pool], axis=1, kind="stable")[:, :high]
    at += pool
    noise = normal(line[:, at : at + 2 * high]).reshape(games, 2, high)
    used = np.arange(high)[None, :] < count[:, None]
    turn = np.where(used, turns[when] if len(turns) else 0, np.iinfo(np.int64).max)
    order = np.argsort(turn, axis=1, kind="stable")
    turn = np.take_along_axis(turn, order, axis=1)
    return MarketSchedules(
        turn=np.where(turn == np.iinfo(np.int64).max, 0, turn),
        event=which,
        effect={
            seat: sensitivity[seat] * _of_pool(scenario, seat, which)
            + _noise_of_pool(scenario, which) * noise[:, place]
            for place, seat in enumerate(SIGN)
        },
    )


def _of_pool(scenario: Scenario, seat: Seat, which: npt.NDArray[np.int64]) -> Array:
    impacts = np.array([event.impact.get(seat, 0.0) for event in scenario.market])
    return impacts[which] if len(impacts) else np.zeros(which.shape)


def _noise_of_pool(scenario: Scenario, which: npt.NDArray[np.int64]) -> Array:
    noises = np.array([event.noise for event in scenario.market])
    return noises[which] if len(noises) else np.zeros(which.shape)


def _moved(truth: SeatTruth, delta: float) -> SeatTruth:
    """The same seat with every price limit shifted by ``delta``."""
    alternative = None if truth.alternative_value is None else truth.alternative_value + delta
    return replace(
        truth, walk_away=truth.walk_away + delta, budget=truth.budget + delta, alternative_value=alternative
    )


def apply_effect(truth: SeatTruth, effect: Effect, seat: Seat, scenario: Scenario) -> SeatTruth:
    """One seat's truth after a drift event. The hard limit is never crossed by the walk-away."""
    shifted = _moved(truth, scenario.round(truth.walk_away * effect.walk_away))
    alternative = truth.has_alternative if effect.alternative is None else effect.alternative
    value = shifted.alternative_value
    if alternative and value is None:
        value = shifted.walk_away
    return replace(
        shifted,
        urgency=min(1.0, max(0.0, round(truth.urgency + effect.urgency, URGENCY_PLACES))),
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
