"""Scenarios, hidden truth, events and erosion."""

from __future__ import annotations

import numpy as np
import pytest

from negotiation.engine.deal import (
    Action,
    Negotiation,
    hidden,
    personas,
    scenarios,
)
from negotiation.engine.deal.chance import Chances
from negotiation.engine.deal.tension import GRACE_TURNS, HOT
from tests.engine.players import PERSONAS, QUIET, SCENARIOS, table


@pytest.mark.parametrize(
    ("scenario", "floor", "ceiling", "openings", "drift"),
    [
        ("saas_enterprise", 125_000, 165_000, (180_000, 110_000), [8, 14]),
        ("hiring_package", 195_000, 230_000, (240_000, 180_000), [5]),
        ("acquisition_term_sheet", 10.5e6, 16e6, (18e6, 9e6), [7, 13]),
    ],
)
def test_scenarios_carry_the_published_stakes(scenario, floor, ceiling, openings, drift) -> None:
    found = scenarios()[scenario]
    assert (found.seats["seller"].walk_away, found.seats["buyer"].walk_away) == (floor, ceiling)
    assert (found.seats["seller"].opening, found.seats["buyer"].opening) == openings
    assert [event.turn for event in found.drift] == drift


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_truth_is_jittered_per_seat_and_lies_inside_its_budget(scenario) -> None:
    drawn = [Negotiation(scenario, "shark", "seller", seed, speak=False).truth for seed in range(200)]
    for truth in drawn:
        assert truth.seller.budget <= truth.seller.walk_away
        assert truth.buyer.budget >= truth.buyer.walk_away
        for seat in (truth.seller, truth.buyer):
            assert 0 <= seat.urgency <= 1
            assert seat.has_alternative == (seat.alternative_value is not None)
    sellers = np.array([t.seller.walk_away for t in drawn])
    buyers = np.array([t.buyer.walk_away for t in drawn])
    assert len(set(sellers)) > 20
    zones = np.array([t.original_zone > 0 for t in drawn])
    assert 0.88 < zones.mean() < 1, "a few zones are empty, and only a few"
    assert abs(np.corrcoef(sellers[zones], buyers[zones])[0, 1]) < 0.3


def test_events_and_truth_do_not_depend_on_what_is_played() -> None:
    passive, active = table(), table()
    for turn in range(1, 8):
        passive.step(Action(text=f"Round {turn}: let me think about it."), QUIET)
        active.step(Action(offer=175_000.0 - 2_000 * turn), QUIET)
    assert passive.observe().headlines == active.observe().headlines
    assert passive.truth.opponent == active.truth.opponent


def test_a_drift_event_changes_hidden_truth_not_only_text() -> None:
    game = table(seed=1)
    while game.turn < 8:
        before = game.truth
        game.step(Action(text=f"What do you think about point {game.turn}?"), QUIET)
    after = game.truth
    assert [h.id for h in game.observe().headlines if h.turn == 8] == ["competitor_price_drop"]
    assert after.buyer.walk_away < before.buyer.walk_away
    assert after.buyer.has_alternative
    assert after.buyer.urgency < before.buyer.urgency


@pytest.mark.parametrize("persona", PERSONAS)
def test_market_effects_follow_sensitivity_times_impact_plus_noise(persona) -> None:
    scenario = scenarios()["saas_enterprise"]
    sensitivity = personas()[persona].mev_sensitivity
    residuals = []
    chances = Chances(np.arange(300, dtype=np.uint64))
    drawn = hidden.draw_schedules(scenario, {"seller": 0.35, "buyer": sensitivity}, chances)
    for game in range(300):
        for event in drawn.one(scenario, game):
            expected = sensitivity * event.event.impact["buyer"]
            residuals.append((event.effect["buyer"] - expected) / event.event.noise)
    assert abs(np.mean(residuals)) < 0.2
    assert 0.85 < np.std(residuals) < 1.15


def test_published_sensitivities_of_the_personas() -> None:
    assert {p.id: p.mev_sensitivity for p in personas().values()} == {
        "shark": 0.65, "diplomat": 0.40, "veteran": 0.20, "auditor": 0.95,
    }  # fmt: skip


def hostile(turn: int) -> Action:
    return Action(text=f"You are an idiot. Move or we walk, point {turn}.", offer=30_000_000.0)


def test_erosion_moves_both_limits_inward_by_the_rate_of_the_usual_width() -> None:
    game = Negotiation("acquisition_term_sheet", "shark", "seller", 5)
    rate, width = game.scenario.erosion_rate, game.scenario.nominal_width
    hot = 0
    while not game.done and hot <= GRACE_TURNS + 1:
        before = game.truth
        headlines = len(game.observe().headlines)
        game.step(hostile(game.turn), QUIET)
        hot = hot + 1 if game.observe().tension > HOT else 0
        quiet_turn = len(game.observe().headlines) == headlines
        if hot == GRACE_TURNS:
            assert game.observe().zopa_width_pct_remaining == 100
        if hot == GRACE_TURNS + 1 and quiet_turn:
            after = game.truth
            assert after.seller.walk_away - before.seller.walk_away == pytest.approx(rate * width / 2)
            assert before.buyer.walk_away - after.buyer.walk_away == pytest.approx(rate * width / 2)
            assert game.observe().zopa_width_pct_remaining == pytest.approx(100 * (1 - rate))


@pytest.mark.parametrize("persona", PERSONAS)
def test_erosion_ends_the_talks_within_the_horizon(persona) -> None:
    game = Negotiation("acquisition_term_sheet", persona, "seller", 5)
    assert game.truth.original_zone > 0
    while not game.done:
        game.step(hostile(game.turn), QUIET)
    assert game.outcome is not None
    assert game.outcome.reason == "zone_collapsed"
    assert game.outcome.total_reward <= -100, "a collapse that the player caused is not excused"
    assert game.outcome.erosion_cost > 0


def test_tension_follows_conduct() -> None:
    def after(*texts: str) -> float:
        game = table(persona="veteran", seed=2)
        for i, text in enumerate(texts):
            game.step(Action(text=f"{text} ({i})", offer=200_000.0 - 3_000 * i), QUIET)
        return game.observe().tension

    threats = after(*["Move now or we walk away from this deal."] * 4)
    kindness = after(*["I understand your position; what matters most to you?"] * 4)
    assert threats > kindness + 30
