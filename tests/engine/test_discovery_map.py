"""The debrief's map of discovery says what was told, what was not, and what held the other side back."""

from __future__ import annotations

from typing import Any

import pytest

from coaching.analysis.debrief import debrief
from negotiation.engine.deal.case.file import cases
from tests.web.test_events import frames, play


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    rows = play("diplomat", "buyer", 3, case=True)
    whole = debrief(frames(rows, "coach"), case=cases()["saas_enterprise"])["discovery"]
    assert isinstance(whole, dict)
    return whole


def test_what_was_told_and_what_was_not_is_all_there_was(found: dict[str, Any]) -> None:
    side = cases()["saas_enterprise"].seats["seller"]
    assert found["there"] == len(side.facts)
    assert len(found["learned"]) + len(found["missed"]) == found["there"]
    assert {each["id"] for each in found["learned"]} <= set(side.fact)
    assert all(each["stands"] in ("true", "false", "overtaken") for each in found["learned"])


def test_a_topic_that_was_asked_about_is_told_from_one_that_nobody_asked_about(found: dict[str, Any]) -> None:
    asked = {each["about"] for each in found["missed"] if each["asked"]}
    assert asked <= {"support", "what comes next"}
    assert any(not each["asked"] and each["question"] for each in found["missed"])


def test_objections_are_in_money_and_say_what_would_have_answered_them(found: dict[str, Any]) -> None:
    assert [each["held"] for each in found["objections"]] == sorted(
        (each["held"] for each in found["objections"]), reverse=True
    )
    assert all(0 <= each["left"] <= each["held"] for each in found["objections"])
    assert any(each["raised"] is not None for each in found["objections"])
    assert any(each["answer"] for each in found["objections"])


def test_only_a_need_that_terms_can_meet_has_a_figure(found: dict[str, Any]) -> None:
    assert {each["money"] for each in (*found["learned"], *found["missed"])} == {None}, "no terms, no figure"


def test_a_deal_without_a_case_has_no_map() -> None:
    assert debrief(frames(play("shark", "seller", 3, case=False), "coach"))["discovery"] is None
