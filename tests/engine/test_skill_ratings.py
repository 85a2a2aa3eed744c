"""Ratings of skills: bounded, drawn to the evidence, surer with more of it and less sure with time."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coaching.analysis.drills import EXERCISES, deal
from coaching.analysis.evidence import quality
from coaching.analysis.review.labels import FAULTS
from coaching.analysis.skills import (
    HALF_LIFE,
    SKILLS,
    USUAL,
    Observed,
    Skill,
    course,
    effective,
    focus,
    rate,
    weeks_running,
)
from tests.effort import few

RARE = ("opening", "packaging", "bluff_calls")
"""Skills whose positions take seconds to find."""
unit = st.floats(0, 1)
observed = st.builds(Observed, score=unit, weight=st.floats(0.1, 3), age=st.floats(0, 400))
evidence = st.lists(observed, max_size=25)


@given(evidence)
def test_a_rating_and_its_interval_stay_between_nothing_and_everything(seen: list[Observed]) -> None:
    rating = rate(seen)
    assert 0 <= rating.low < rating.mean < rating.high <= 1


@given(evidence, unit, st.floats(0.1, 3))
def test_a_new_game_draws_the_rating_towards_its_score(
    seen: list[Observed], score: float, weight: float
) -> None:
    before, after = rate(seen).mean, rate([*seen, Observed(score, weight, 0)]).mean
    assert min(before, score) - 1e-9 <= after <= max(before, score) + 1e-9
    if abs(before - score) > 0.01:
        assert after != before


@given(st.lists(observed, min_size=1, max_size=12))
def test_twice_the_same_evidence_is_surer(seen: list[Observed]) -> None:
    once, twice = rate(seen), rate(seen + seen)
    assert twice.games == pytest.approx(2 * once.games)
    assert twice.width <= once.width + 1e-3


@given(st.lists(observed, min_size=1, max_size=12), st.floats(1, 400))
def test_time_makes_a_rating_less_sure_and_takes_it_back_to_the_middle(
    seen: list[Observed], days: float
) -> None:
    later = rate([Observed(each.score, each.weight, each.age + days) for each in seen])
    now = rate(seen)
    assert later.width >= now.width - 1e-3
    assert later.games < now.games
    assert abs(later.mean - 0.5) <= abs(now.mean - 0.5) + 1e-9


def test_a_game_counts_half_after_its_half_life() -> None:
    assert rate([Observed(1, 2, HALF_LIFE)]).games == pytest.approx(1)


def test_one_game_is_not_enough_for_a_figure_and_many_are() -> None:
    assert not rate([]).sure
    assert not rate([Observed(0.8, effective(9), 0)]).sure
    assert rate([Observed(0.8, effective(9), 2.0 * game) for game in range(8)]).sure


def test_the_interval_holds_nine_tenths_of_the_posterior() -> None:
    rng = np.random.default_rng(4)
    rating = rate([Observed(0.7, 10, 0)])
    drawn = rng.beta(1 + 7, 1 + 3, 40_000)
    assert np.mean((drawn >= rating.low) & (drawn <= rating.high)) == pytest.approx(0.9, abs=0.01)


@given(st.floats(1, 50), st.floats(0.1, 20))
def test_more_of_the_same_game_adds_less_and_less(observations: float, more: float) -> None:
    assert effective(observations) <= effective(observations + more) <= 2


@given(st.floats(0, 1), st.floats(0, 1))
def test_more_regret_never_scores_better(some: float, more: float) -> None:
    assert 0 <= quality(some + more) <= quality(some) <= 1


def test_the_course_follows_the_games_and_ends_at_the_present_rating() -> None:
    seen = [Observed(score, 2, age) for score, age in [(0.1, 30), (0.2, 20), (0.9, 10), (1.0, 0)]]
    line = course(seen)
    assert line[-1] == pytest.approx(rate(seen).mean)
    assert line[1] < line[2] < line[3]


def test_practice_goes_where_a_person_loses_more_than_others_do() -> None:
    usual = {skill: mean for skill, (mean, _) in USUAL.items()}
    costly: tuple[Skill, ...] = ("opening", "closing", "packaging", "bluff_calls")
    for weak in costly:
        lost = {**usual, weak: usual[weak] + 2 * USUAL[weak][1]}
        assert focus(lost)[0] == weak, "though pacing costs more in all"
    assert focus({}) == []
    assert "probing" not in focus({"closing": 0.1}), "nothing lost, nothing to practise"


def test_a_week_that_has_only_begun_breaks_no_row_of_weeks() -> None:
    monday = date(2026, 3, 2)
    days = [monday - timedelta(weeks=1), monday - timedelta(weeks=2, days=-3), monday - timedelta(weeks=4)]
    assert weeks_running(days, monday) == 2
    assert weeks_running([*days, monday], monday) == 3
    assert weeks_running([monday - timedelta(weeks=3)], monday) == 0


@pytest.mark.parametrize(
    "skill", [pytest.param(each, marks=pytest.mark.thorough if each in RARE else ()) for each in SKILLS]
)
def test_every_skill_has_drills_that_tell_better_from_worse(skill: str) -> None:
    assert skill in EXERCISES
    positions = deal(skill, "shark", np.random.default_rng(11), count=1)
    assert len(positions) == 1
    choices = positions[0]["choices"]
    assert len({choice["text"] for choice in choices}) == len(choices) >= 3
    best = max(choices, key=lambda choice: choice["value"])
    assert best["label"] in ("best", "good", None)
    faults = [choice for choice in choices if choice["label"] in FAULTS]
    assert faults
    assert all(fault["reason"] and fault["regret"] > 0 for fault in faults)


def test_the_same_chance_deals_the_same_drill() -> None:
    skill: Skill = few("pacing", "bluff_calls")
    first, again = (deal(skill, "shark", np.random.default_rng(5), count=1) for _ in range(2))
    assert first == again
    assert skill != "bluff_calls" or first[0]["claim"] is not None
