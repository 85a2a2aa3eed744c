"""How the player played, in figures: each against a case whose answer is known."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest

from coaching.analysis.adaptation import adaptation
from coaching.analysis.calibration import (
    BAND_LEAST,
    BAND_MORE,
    band,
    brier,
    brier_skill,
    calls,
    coverage,
    entropy,
    learned,
)
from coaching.analysis.curves import OwnStep, concessions, fit, own_steps, way_given
from coaching.analysis.debrief import debrief
from coaching.analysis.figures import figures
from coaching.analysis.patience import patience
from tests.servers import ROOT
from tests.web.test_events import frames, play

HORIZON = 20


def row(turn: int, own: float | None, theirs: float | None, limit: float = 100.0) -> dict[str, Any]:
    return {"turn": turn, "own": own, "own_worth": own, "their_worth": theirs, "own_limit": limit}


def curve(beta: float, seat: str = "seller", turns: range = range(1, 15)) -> list[dict[str, Any]]:
    """Offers from 200 to a limit of 100 that follow a curve; for a buyer from 100 to 200."""
    start, limit = (200.0, 100.0) if seat == "seller" else (100.0, 200.0)
    first = turns[0]
    way = [float(way_given(np.array((t - first) / (HORIZON - first)), beta)) for t in turns]
    return [row(t, start + (limit - start) * w, None, limit) for t, w in zip(turns, way, strict=True)]


@pytest.mark.parametrize("seat", ["seller", "buyer"])
@pytest.mark.parametrize("beta", [0.2, 0.5, 1.0, 2.0, 5.0])
def test_offers_made_along_a_curve_give_back_its_beta(beta: float, seat: str) -> None:
    found = concessions(curve(beta, seat), seat, HORIZON)["curve"]  # type: ignore[arg-type]
    assert found["beta"] == pytest.approx(beta, rel=0.01)
    assert found["low"] <= beta * 1.01
    assert found["high"] >= beta * 0.99
    assert found["high"] / found["low"] < 1.1
    assert found["manner"] == ("firm" if beta < 1 else "yielding" if beta > 1 else "even")


def test_the_interval_holds_the_true_beta_as_often_as_it_says() -> None:
    rng, held = np.random.default_rng(4), 0
    times = np.arange(1, 9) / 10
    for _ in range(300):
        noisy = way_given(times, 0.6) + rng.normal(0, 0.05, len(times))
        found = fit(list(zip(times.tolist(), noisy.tolist(), strict=True)))
        assert found is not None
        held += found.low <= 0.6 <= found.high
    assert 0.90 <= held / 300 <= 0.99


def test_two_offers_are_no_curve() -> None:
    assert fit([(0.1, 0.2), (0.2, 0.3)]) is None
    assert concessions([row(1, 150.0, None), row(2, 140.0, None)], "seller", HORIZON)["curve"] is None


def test_nothing_is_fitted_to_an_opening_at_ones_own_limit() -> None:
    assert concessions([row(t, 100.0, None) for t in range(1, 9)], "seller", HORIZON)["points"] == []


@pytest.mark.parametrize("sign", [1, -1])
def test_a_concession_that_answers_none_is_counted_with_its_money(sign: int) -> None:
    offers = [
        row(0, None, sign * 80.0),
        row(1, sign * 150.0, sign * 80.0),
        row(2, sign * 140.0, sign * 90.0),
        row(3, sign * 135.0, sign * 90.0),
        row(4, sign * 135.0, None),
        row(5, None, sign * 97.0),
    ]
    seat: Any = "seller" if sign == 1 else "buyer"
    assert own_steps(offers, seat) == [OwnStep(2, 10.0, 0.0), OwnStep(3, 5.0, 10.0), OwnStep(4, 0.0, 0.0)]
    found = concessions(offers, seat, HORIZON)
    assert (found["unasked"], found["unasked_money"]) == (1, 10.0)
    assert (found["given"], found["received"], found["reciprocity"]) == (15.0, 17.0, 15 / 17), (
        "all that they gave, before and after one's own offers too"
    )


def test_brier_scores_are_those_of_the_textbook() -> None:
    assert brier([(1.0, True), (0.0, False)]) == 0
    assert brier([(0.5, True), (0.5, False)]) == 0.25
    assert brier([(0.8, True), (0.3, True)]) == pytest.approx((0.04 + 0.49) / 2)
    assert brier([]) is None
    assert brier_skill([(0.3, False), (0.3, True)], 0.3) == 0
    assert brier_skill([(1.0, True)], 0.3) == 1


def test_the_expected_brier_score_is_best_where_one_states_what_one_believes() -> None:
    believed = 0.35
    expected = [
        believed * (brier([(p / 100, True)]) or 0) + (1 - believed) * (brier([(p / 100, False)]) or 0)
        for p in range(101)
    ]
    assert int(np.argmin(expected)) == 35


def test_bands_that_hold_the_truth_are_counted() -> None:
    assert coverage([(90, 110, 100), (90, 110, 111), (50, 70, 60)]) == {
        "stated": 3,
        "inside": 2,
        "mean_width": 20.0,
    }
    assert coverage([]) is None
    assert band(100.0, 1.0) == pytest.approx((98.0, 102.0))
    assert band(100.0, 0.0) == pytest.approx((82.0, 118.0))


def test_the_band_is_the_one_that_the_table_draws() -> None:
    source = (ROOT / "static/js/belief.js").read_text()
    drawn = re.search(r"centre \* \(([\d.]+) \+ ([\d.]+) \* \(1 -", source)
    assert drawn is not None
    assert (float(drawn[1]), float(drawn[2])) == (BAND_LEAST, BAND_MORE)


@pytest.mark.parametrize(("own", "theirs", "share"), [(0.3, 0.3, 0.5), (0.2, 0.6, 0.75), (0.0, 0.4, 1.0)])
def test_patience_is_worth_what_theory_says(own: float, theirs: float, share: float) -> None:
    found = patience({"player": {"urgency": own}, "opponent": {"urgency": theirs}})
    assert found is not None
    assert found["share"] == pytest.approx(share)
    assert patience({"player": {"urgency": 0.0}, "opponent": {"urgency": 0.0}}) is None


def test_calls_are_counted_as_of_a_detector() -> None:
    claims = [
        {"verdict": "caught", "stands": "false", "bluff": True},
        {"verdict": "false_call", "stands": "true", "bluff": False},
        {"verdict": "swallowed", "stands": "false", "bluff": True},
        {"verdict": "unchallenged", "stands": "true", "bluff": False},
    ]
    found = calls(claims)
    assert (found["precision"], found["recall"]) == (0.5, 0.5)
    assert calls([])["precision"] is None


def test_half_the_range_is_one_bit() -> None:
    wide, narrow = np.linspace(0, 100, 101), np.linspace(0, 50, 51)
    even = entropy(wide.tolist(), np.ones(101).tolist())
    assert even == pytest.approx(math.log2(101), abs=1e-9)
    assert even - entropy(narrow.tolist(), np.ones(51).tolist()) == pytest.approx(math.log2(101 / 51))
    bell = np.exp(-((wide - 50) ** 2) / (2 * 8**2))
    exact = 0.5 * math.log2(2 * math.pi * math.e * 8**2)
    assert entropy(wide.tolist(), bell.tolist()) == pytest.approx(exact, abs=1e-3)


def test_what_was_learnt_adds_up_turn_by_turn() -> None:
    grid = np.linspace(0, 100, 201)
    bells = [
        {"grid": grid.tolist(), "density": np.exp(-((grid - 50) ** 2) / (2 * sd**2)).tolist(), "ci95": [0, 1]}
        for sd in (8, 4, 4, 2)
    ]
    rows = learned(list(enumerate(bells)))
    assert [r["gained"] for r in rows] == pytest.approx([0, 1, 0, 1], abs=0.01)
    assert rows[-1]["total"] == pytest.approx(sum(r["gained"] for r in rows))


@pytest.mark.parametrize(("seat", "sign"), [("seller", 1), ("buyer", -1)])
def test_news_is_counted_to_whose_good_it_was(seat: Any, sign: int) -> None:
    truths = {
        3: {
            "player": {"walk_away": 100.0, "budget": 90.0},
            "opponent": {"walk_away": 200.0, "budget": 230.0},
        },
        # Beside the news the heat of that turn took one from each limit.
        4: {
            "player": {"walk_away": 100.0 + sign * 6, "budget": 90.0 + sign * 5},
            "opponent": {"walk_away": 200.0 + sign * 19, "budget": 230.0 + sign * 20},
        },
    }
    steps = [OwnStep(2, 10.0, 0.0), OwnStep(3, 20.0, 0.0), OwnStep(5, 0.0, 0.0), OwnStep(8, 50.0, 0.0)]
    moves: dict[int, dict[str, float | None]] = {4: {"event_estimate": None}, 5: {"event_estimate": 0.05}}
    news = [{"turn": 4, "text": "Up.", "kind": "market"}]
    (found,) = adaptation(news, moves, steps, lambda turn: truths[turn], seat)
    assert (found["their_shift"], found["own_shift"]) == (20.0, -5.0)
    assert (found["estimate"], found["actual"]) == (0.05, pytest.approx(sign * 20 / (200 - sign)))
    assert (found["pace_before"], found["pace_after"]) == (15.0, 0.0)


@pytest.mark.parametrize("seat", ["seller", "buyer"])
def test_a_real_game_has_all_of_it_and_every_figure_its_numbers(seat: str) -> None:
    review = debrief(frames(play("diplomat", seat, 5, case=False), "coach"))
    conduct = review["conduct"]
    assert len(conduct["concessions"]["steps"]) == sum(r["own"] is not None for r in review["offers"]) - 1
    assert conduct["learned"][0]["total"] == 0
    assert conduct["calibration"]["coverage"]["stated"] == len(review["beliefs"]["by_turn"])
    assert conduct["calibration"]["brier"] is None
    drawn = {figure["id"]: figure for figure in figures(review)}
    assert {"concession", "learned"} <= set(drawn)
    points = drawn["concession"]["plotly"]["data"][0]
    assert points["y"] == [r[2] for r in drawn["concession"]["table"]["rows"]]
