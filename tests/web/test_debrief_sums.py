"""The debrief's figures add up, and say of which moment they speak."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest
from django.template.loader import render_to_string

from accounts.models import User
from coaching.analysis.calibration import calls
from coaching.analysis.claims import truthfulness
from coaching.analysis.debrief import debrief
from coaching.debriefs.went import went
from negotiation import record
from negotiation.engine.deal import SIGN, Action, Negotiation, Seat
from negotiation.engine.deal.types import OTHER_SEAT, Outcome
from negotiation.events import Frame, redact
from negotiation.models import Game
from tests.effort import PROFILE

LOGS = 200 if PROFILE == "thorough" else 24
KINDS = [
    ("saas_enterprise", "diplomat", "seller"),
    ("saas_enterprise", "veteran", "buyer"),
    ("software_licensing", "diplomat", "buyer"),
    ("procurement_hardware", "shark", "seller"),
]


def log_of(
    scenario: str, persona: str, seat: str, seed: int, sweet: int = 2
) -> tuple[list[Frame], Negotiation]:
    """A whole game in which the player plays sweeteners and comes down evenly, as a coach sees its log."""
    game = Game(
        player=User(display_name="Robin"),
        scenario=scenario,
        persona=persona,
        seat=seat,
        difficulty=0.5,
        seed=seed,
    )
    table = Negotiation(scenario, persona, cast("Seat", seat), seed, speak=False)
    rows: list[tuple[str, Any]] = list(record.started(game, table))
    own, turn, sign = table.observe().own.walk_away, 0, SIGN[cast("Seat", seat)]
    width = table.scenario.nominal_width
    while not table.done:
        turn += 1
        view = table.observe()
        ask = table.scenario.round(own + sign * width * max(0.05, 0.9 - 0.06 * turn))
        standing = view.standing_worth
        taken = standing is not None and sign * (standing - ask) >= 0
        card = "sweetener" if turn <= sweet and "sweetener" in view.cards else None
        action = Action(accept=True) if taken else Action(offer=ask, card=cast("Any", card))
        rows.append(("player_moved", record.player_moved(turn, action, f"id-{turn}")))
        rows += list(record.answered(table, turn, action))
    stored = json.loads(json.dumps(rows))
    return [
        redact(seq=at, kind=kind, data=data, role="coach") for at, (kind, data) in enumerate(stored, 1)
    ], table


def outcome_of(table: Negotiation) -> Outcome:
    assert table.outcome is not None
    return table.outcome


Logs = list[tuple[list[Frame], Negotiation, dict[str, Any]]]


@pytest.fixture(scope="module")
def logs() -> Logs:
    """Logs with sweeteners, the tables that wrote them, and their debriefs."""
    found = [log_of(*KINDS[seed % len(KINDS)], seed=seed) for seed in range(LOGS)]
    return [(frames, table, debrief(frames)) for frames, table in found]


@pytest.mark.slow
def test_share_times_the_room_and_what_is_left_are_the_room_to_the_dollar(logs: Logs) -> None:
    sweetened = 0
    for _, table, found in logs:
        outcome, head = outcome_of(table), found["headline"]
        if not outcome.deal or outcome.best_joint_surplus <= 0:
            assert head["sums"] is None
            continue
        room = outcome.best_joint_surplus
        assert outcome.left_on_the_table is not None
        assert abs(outcome.efficiency * room + outcome.left_on_the_table - room) < 0.5
        sums = head["sums"]
        assert abs(head["left_on_the_table"] - outcome.left_on_the_table) < 0.5
        assert abs(sums["yours"] + sums["left"] - sums["room"]) < 0.5
        assert abs(sums["room"] - room) < 0.5
        lines = sums["price"] + sums["terms"] + sums["sweeteners"]
        assert abs(lines - sums["beyond"] - sums["yours"]) < 0.5
        if 0 < outcome.efficiency < 1:
            assert abs(sums["beyond"]) < 0.5, "the lines are the whole of it where nothing is cut"
        sweetened += sums["sweeteners"] != 0
    assert sweetened >= LOGS // 2


def test_how_far_they_would_have_gone_is_measured_when_it_closed(logs: Logs) -> None:
    moved = 0
    for frames, table, found in logs:
        head, truth = found["headline"], table.truth
        if not head["deal"] or table.scenario.issues:
            assert head["further"] is None
            continue
        sign, other = SIGN[table.seat], OTHER_SEAT[table.seat]
        played = [
            sum(f["data"]["card"] == "sweetener" for f in frames if f.get("type") == kind)
            for kind in ("player_moved", "opponent_moved")
        ]
        sweets = sum(each.worth for each in table.scenario.sweeteners_of(table.seat)[: played[0]]) - sum(
            each.cost for each in table.scenario.sweeteners_of(other)[: played[1]]
        )
        room = sign * (truth.opponent.walk_away - head["price"]) + sweets * table.scenario.nominal_width
        assert head["further"] == pytest.approx(room)
        start = truth.original_high if table.seat == "seller" else truth.original_low
        moved += abs(truth.opponent.walk_away - start) > table.scenario.step
    assert moved >= LOGS // 20, "news and heat are to have moved some of their limits"


def test_a_sweetener_is_a_line_with_money(logs: Logs) -> None:
    found = next(each for _, _, each in logs if (each["headline"]["sums"] or {}).get("sweeteners"))
    head = found["headline"]
    page = render_to_string(
        "debrief/_sums.html", {"went": went(found, None, 500), "head": head, "debrief": found, "cur": "$"}
    )
    money = f"{abs(round(head['sums']['sweeteners'])):,}"
    assert 'data-testid="debrief-sweeteners"' in page
    assert money in page


def test_the_figure_at_the_top_is_the_sum_below_it_and_the_bar_is_whole(logs: Logs) -> None:
    """A pencil: price, walk-away, terms and sweeteners come to the headline, and where nothing is cut that is the share."""
    whole = 0
    for _, _, found in logs:
        head, told = found["headline"], went(found, None, 500)
        if not head["deal"]:
            assert told["kind"] == ("missed" if head["zone_existed"] else "right")
            assert (told["net"], told["lines"], told["bar"]) == (None, [], [])
            continue
        assert told["net"] == sum(line["money"] for line in told["lines"])
        assert {line["words"] for line in told["lines"]} >= {"price", "your walk-away"}
        assert (told["kind"] == "beyond") == (head["floor_breached"] or told["net"] < 0)
        if told["room"] and told["theirs"] is not None:
            assert told["nobodys"] is not None
            left = told["theirs"] + told["nobodys"]
            if told["kind"] == "beyond":
                assert told["net"] + left == told["room"], (
                    "what was given away beyond the walk-away is theirs"
                )
            else:
                assert abs(left - head["left_on_the_table"]) <= 1
            assert sum(part["width"] for part in told["bar"]) == pytest.approx(100, abs=0.2)
        if 0 < head["efficiency"] < 1:
            assert abs(told["net"] - head["sums"]["yours"]) <= 2
            whole += 1
    assert whole >= LOGS // 10


def test_an_expert_is_a_mark_on_the_bar_in_steps_of_the_price(logs: Logs) -> None:
    found = next(each for _, _, each in logs if each["headline"]["zone_existed"])
    room = round(found["zone"]["width"])
    told = went(found, {"efficiency": 0.4411}, 500)
    assert told["expert_at"] == 44.11
    assert told["expert"] is not None
    assert abs(told["expert"] - 0.4411 * room) <= 250
    assert told["expert"] % 500 == 0
    assert went(found, None, 500)["expert"] is None


def test_what_the_expert_got_is_its_price_against_the_walk_away_and_what_it_got_beside(logs: Logs) -> None:
    """Whoever takes the walk-away from the price that is named finds the mark, or what lies beside the price."""
    beside = 0
    for _, table, found in logs:
        head = found["headline"]
        if not head["deal"] or not 0 < head["efficiency"] < 1:
            continue
        told = went(found, {"efficiency": head["efficiency"], "sums": head["sums"]}, table.scenario.step)
        by_price = told["lines"][0]["money"] + told["lines"][1]["money"]
        assert told["expert"] is not None
        assert abs(told["expert"] - by_price - told["expert_beside"]) <= 1.5 * table.scenario.step
        beside += told["expert_beside"] != 0
    assert beside, "some of these deals have terms or sweeteners"


def test_why_the_share_does_not_follow_the_sum_is_what_cut_it(logs: Logs) -> None:
    for _, _, found in logs:
        told = went(found, None, 500)
        if told["net"] is None or not told["room"]:
            assert told["cut"] == ""
        elif told["net"] < -1:
            assert told["cut"] == "below"
        elif told["net"] > told["room"] + 1:
            assert told["cut"] == "above"


def test_the_observers_interval_is_named_and_lies_on_the_price_step(logs: Logs) -> None:
    _, table, found = logs[0]
    last = found["conduct"]["learned"][-1]
    assert all(last[end] % table.scenario.step == 0 for end in ("low", "high"))
    page = render_to_string("debrief/_knew.html", {"debrief": found, "cur": "$"})
    assert "95% likelihood, going by offers and news alone" in page


@pytest.mark.parametrize(("stated", "reads"), [(163_500.0, 1.0), (20_000.0, -1.0)])
def test_no_guess_is_endlessly_worse_than_the_observers(logs: Logs, stated: float, reads: float) -> None:
    frames, table, _ = logs[0]
    truth = next(f for f in frames if f.get("type") == "turn_graded")["data"]["truth"]["opponent"]
    belief = {"walk_away": truth["walk_away"] if reads > 0 else stated, "budget": None, "urgency": None}
    said = {"belief": {**belief, "p_alternative": None, "confidence": 0.5}}
    told: list[Any] = [
        {**f, "data": {**f["data"], **said}}
        if f.get("type") == "player_moved" and f["data"]["turn"] == 1
        else f
        for f in frames
    ]
    skill = debrief(told, table.scenario)["beliefs"]["skill"]
    assert -1 <= skill <= 1
    assert skill == pytest.approx(reads, abs=0.5)


@pytest.mark.parametrize(
    ("claim", "stands"),
    [(163_500, "true"), (163_000, "true"), (157_000, "shaded"), (170_000, "shaded"), (130_000, "false")],
)
def test_a_stated_limit_is_true_within_a_step_shaded_or_false(claim: float, stands: str) -> None:
    assert truthfulness(claim, 163_500, 500) == stands


def test_who_doubts_a_limit_that_is_off_was_not_wrong() -> None:
    doubted = {"verdict": "doubted", "stands": "shaded", "bluff": False}
    found = calls([doubted])
    assert (found["wrong"], found["doubted"], found["precision"]) == (0, 1, 1.0)
    assert calls([{**doubted, "verdict": "false_call", "stands": "true"}])["precision"] == 0
