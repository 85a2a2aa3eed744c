"""What happens between turns, in many games: ``world.py`` over arrays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from negotiation.engine.deal.batch.table import Heat, Sides, Table
from negotiation.engine.deal.chance import Array
from negotiation.engine.deal.hidden import URGENCY_PLACES, SeatTruths
from negotiation.engine.deal.persona import Persona
from negotiation.engine.deal.rows import Mask
from negotiation.engine.deal.scenario import Effect, Scenario
from negotiation.engine.deal.state import BROKEN_DEADLINE_FACTOR
from negotiation.engine.deal.tension import (
    CONCESSION_RELIEF,
    DECAY,
    GRACE_TURNS,
    HOT,
    HOTTEST,
    MAX_RELIEF,
    OPPONENT_HEAT,
    PLAYER_HEAT,
    temperament,
)
from negotiation.engine.deal.types import OTHER_SEAT, SIGN, Seat
from negotiation.engine.deal.world import EXPECTED_SENSITIVITY

Acts = dict[str, Mask]


def close_turn(
    table: Table,
    scenario: Scenario,
    persona: Persona,
    seat: Seat,
    acts: Acts,
    given: Array,
    opponent_acts: Acts,
    given_back: Array,
) -> None:
    """Move the tables on by a turn. What the players gave and what they got is as the public sees it."""
    nominal = scenario.nominal_width
    _heat(
        table.heat,
        acts,
        opponent_acts,
        np.maximum(0.0, given) / nominal,
        np.maximum(0.0, given_back) / nominal,
        persona.aggression,
    )
    for side in (table.player, table.opponent):
        _pass_deadlines(side, table.turn)
        side.recover()
    before = {each: table.truths[each].walk_away for each in SIGN}
    _erode(table, scenario)
    table.turn += 1
    _bring_news(table, scenario, seat)
    for side, each in ((table.player, seat), (table.opponent, OTHER_SEAT[seat])):
        worth = table.worth(side, each)
        was_inside = SIGN[each] * (worth - before[each]) >= 0
        lapsed = was_inside & (SIGN[each] * (worth - table.truths[each].walk_away) < 0)
        side.offer = np.where(lapsed, np.nan, side.offer)


def _summed(acts: Acts, heat: dict[str, float], games: int) -> Array:
    """Heat of the acts of each game, added in the order of their names as the scalar engine does."""
    total = np.zeros(games)
    for act in sorted(acts):
        points = heat.get(act, 0.0)
        if points:
            total += np.where(acts[act], points, 0.0)
    return total


def _heat(
    heat: Heat, acts: Acts, opponent_acts: Acts, given: Array, gained: Array, aggression: float
) -> None:
    games = len(given)
    by_player = _summed(acts, PLAYER_HEAT, games) - np.minimum(MAX_RELIEF, CONCESSION_RELIEF * given)
    by_opponent = temperament(aggression) * _summed(opponent_acts, OPPONENT_HEAT, games)
    by_opponent = by_opponent - np.minimum(MAX_RELIEF, CONCESSION_RELIEF * gained)
    heat.by_player = heat.by_player + np.maximum(0.0, by_player)
    heat.by_opponent = heat.by_opponent + np.maximum(0.0, by_opponent)
    moved = heat.value + DECAY * (heat.base - heat.value) + by_player + by_opponent
    heat.value = np.minimum(HOTTEST, np.maximum(0.0, moved))
    heat.hot_streak = np.where(heat.value > HOT, heat.hot_streak + 1, 0)


def _pass_deadlines(side: Sides, turn: int) -> None:
    broken = (side.deadline > 0) & (turn >= side.deadline)
    if broken.any():
        side.deadline = np.where(broken, 0, side.deadline)
        side.lose_standing(BROKEN_DEADLINE_FACTOR, broken)


def _erode(table: Table, scenario: Scenario) -> None:
    hot = table.heat.hot_streak > GRACE_TURNS
    if not hot.any():
        return
    width = scenario.nominal_width
    loss = np.minimum(scenario.erosion_rate * width, width - table.eroded)
    loss = np.where(hot, loss, 0.0)
    table.eroded = table.eroded + loss
    table.truths = {
        seat: replace(truth, walk_away=truth.walk_away + SIGN[seat] * loss / 2)
        for seat, truth in table.truths.items()
    }


def _bring_news(table: Table, scenario: Scenario, seat: Seat) -> None:
    table.news = np.zeros(len(table.game), dtype=np.bool_)
    for drift in scenario.drift:
        if drift.turn == table.turn:
            table.news[:] = True
            table.truths = {
                each: drifted(truth, drift.effects.get(each, Effect()), scenario)
                for each, truth in table.truths.items()
            }
            expected = drift.effects.get(seat)
            table.news_shift = table.news_shift + (expected.walk_away if expected else 0.0)
    impacts = np.array([event.impact.get(seat, 0.0) for event in scenario.market])
    for slot in range(table.market.turn.shape[1]):
        now = table.market.turn[:, slot] == table.turn
        if not now.any():
            continue
        table.news |= now
        table.truths = {
            each: truth.moved(
                np.where(now, scenario.rounded(truth.walk_away * table.market.effect[each][:, slot]), 0.0)
            )
            for each, truth in table.truths.items()
        }
        known = EXPECTED_SENSITIVITY * impacts[table.market.event[:, slot]]
        table.news_shift = table.news_shift + np.where(now, known, 0.0)


def drifted(truth: SeatTruths, effect: Effect, scenario: Scenario) -> SeatTruths:
    """One seat's truth after a drift event."""
    shifted = truth.moved(scenario.rounded(truth.walk_away * effect.walk_away))
    has = shifted.has_alternative
    if effect.alternative is not None:
        has = np.full(len(has), effect.alternative)
    value = np.where(has & np.isnan(shifted.alternative_value), shifted.walk_away, shifted.alternative_value)
    return replace(
        shifted,
        urgency=np.minimum(1.0, np.maximum(0.0, np.round(truth.urgency + effect.urgency, URGENCY_PLACES))),
        has_alternative=has,
        alternative_value=np.where(has, value, np.nan),
    )
