"""The protocol, frame by frame, without a socket."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("openenv", reason="openenv is installed in .venv-train only")

from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation.openenv.session import Conversation


def said(conversation: Conversation, kind: str, data: Any = None) -> dict[str, Any]:
    answer = conversation.answer(json.dumps({"type": kind, "data": data}))
    assert answer is not None
    frame: dict[str, Any] = json.loads(answer)
    return frame


def code(frame: dict[str, Any]) -> str | None:
    return frame["data"]["code"] if frame["type"] == "error" else None


@pytest.fixture
def conversation() -> Conversation:
    conversation = Conversation()
    assert said(conversation, "reset", {"seed": 7, "persona": "shark"})["type"] == "observation"
    return conversation


def test_reset_without_a_word_sets_up_a_deal_and_says_what_it_is_about() -> None:
    frame = said(Conversation(), "reset")
    assert frame["data"]["reward"] is None
    assert frame["data"]["done"] is False
    assert frame["data"]["metadata"]["deal"]["title"]
    assert frame["data"]["observation"]["own"]["walk_away"] > 0


def test_a_step_before_any_reset_is_refused() -> None:
    assert code(said(Conversation(), "step", {"offer": 1.0})) == "no_episode"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"scenario": "lemonade"}, "unknown_scenario"),
        ({"persona": "santa"}, "unknown_persona"),
        ({"seat": 3}, "unknown_seat"),
        ({"seed": "7"}, "bad_seed"),
        ({"difficulty": 2}, "bad_difficulty"),
        ({"scenaro": "saas_enterprise"}, "unknown_parameter"),
        ({"self": 1}, "unknown_parameter"),
        ({"parameters": {}}, "unknown_parameter"),
        ({"episode_id": ""}, "bad_episode_id"),
        ({"episode_id": "\ud800"}, "bad_episode_id"),
        ({"episode_id": "x" * 256}, "bad_episode_id"),
    ],
)
def test_a_deal_that_cannot_be_set_up_is_refused_and_the_running_one_stands(
    conversation: Conversation, data: dict[str, Any], expected: str
) -> None:
    before = said(conversation, "state")
    assert code(said(conversation, "reset", data)) == expected
    assert said(conversation, "state") == before
    assert said(conversation, "step", {"offer": 200_000})["type"] == "observation"


@pytest.mark.parametrize(
    ("data", "expected", "field"),
    [
        ({"accept": True, "walk_away": True}, "contradiction", None),
        ({}, "empty_action", "text"),
        ({"offer": -5}, "offer_not_positive", "offer"),
        ({"offer": 1e15}, "offer_implausible", "offer"),
        ({"text": "x" * 2001}, "text_too_long", "text"),
        ({"text": "\ud800"}, "text_binary", "text"),
        ({"text": "Hm.", "event_estimate": 0.1}, "estimate_not_asked", "event_estimate"),
        ({"offer": 180_000, "terms": {"\ud800": "x"}}, "unknown_issue", "terms"),
        ({"ofer": 180_000}, "VALIDATION_ERROR", "ofer"),
        ({"offer": "180000"}, "VALIDATION_ERROR", "offer"),
    ],
)
def test_a_refused_action_has_a_code_and_keeps_the_episode_as_it_was(
    conversation: Conversation, data: dict[str, Any], expected: str, field: str | None
) -> None:
    before = said(conversation, "state")
    refused = said(conversation, "step", data)
    assert code(refused) == expected
    assert refused["data"]["field"] == field
    assert refused["data"]["message"]
    assert said(conversation, "state") == before
    untouched = Conversation()
    said(untouched, "reset", {"seed": 7, "persona": "shark"})
    move = {"text": "Two hundred it is.", "offer": 200_000}
    assert said(conversation, "step", move) == said(untouched, "step", move)


@pytest.mark.parametrize("figure", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_figures_that_are_none_are_refused(conversation: Conversation, figure: str) -> None:
    answer = conversation.answer(f'{{"type": "step", "data": {{"offer": {figure}}}}}')
    assert answer is not None
    assert code(json.loads(answer)) == "offer_not_finite"


def test_after_the_end_a_step_is_refused_until_the_next_reset(conversation: Conversation) -> None:
    last = said(conversation, "step", {"walk_away": True})
    assert last["data"]["done"] is True
    assert last["data"]["observation"]["ending"]["reason"] == "player_walked"
    assert code(said(conversation, "step", {"offer": 200_000})) == "game_over"
    assert said(conversation, "reset", {"seed": 8})["data"]["done"] is False


@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        ("{", "INVALID_JSON"),
        ("[" * 100_000, "INVALID_JSON"),
        ("[]", "VALIDATION_ERROR"),
        ("null", "VALIDATION_ERROR"),
        ("{}", "UNKNOWN_TYPE"),
        ('{"type": ["reset"]}', "UNKNOWN_TYPE"),
        ('{"type": "mcp", "data": {}}', "UNKNOWN_TYPE"),
        ('{"type": "step"}', "VALIDATION_ERROR"),
        ('{"type": "step", "data": []}', "VALIDATION_ERROR"),
        ('{"type": "reset", "data": 7}', "VALIDATION_ERROR"),
    ],
)
def test_a_frame_that_makes_no_sense_is_answered_and_the_episode_goes_on(
    conversation: Conversation, frame: str, expected: str
) -> None:
    answer = conversation.answer(frame)
    assert answer is not None
    assert code(json.loads(answer)) == expected
    assert said(conversation, "step", {"offer": 200_000})["type"] == "observation"


def test_what_was_sent_is_never_sent_back_with_a_refusal(conversation: Conversation) -> None:
    assert "needle" not in json.dumps(said(conversation, "step", {"offer": "needle", "card": "needle"}))


def test_the_state_says_where_the_episode_stands_and_carries_the_name_it_was_given() -> None:
    conversation = Conversation()
    said(
        conversation, "reset", {"seed": 7, "episode_id": "run 3, game 9", "seat": "buyer", "difficulty": 0.8}
    )
    said(conversation, "step", {"offer": 90_000})
    state = said(conversation, "state")["data"]
    assert state == {
        "episode_id": "run 3, game 9",
        "step_count": 1,
        "scenario": "saas_enterprise",
        "persona": "diplomat",
        "seat": "buyer",
        "difficulty": 0.8,
        "turn": 2,
        "horizon": 20,
        "done": False,
    }


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
FIELDS = (
    "text",
    "offer",
    "card",
    "belief",
    "claim",
    "challenge",
    "event_estimate",
    "accept",
    "terms",
    "alternatives",
)
step_data = st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=6), anything, max_size=5)
reset_data = st.dictionaries(
    st.sampled_from(("seed", "scenario", "persona", "seat", "difficulty", "horizon", "episode_id")),
    anything,
    max_size=4,
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.just("step"), step_data) | st.tuples(st.just("reset"), reset_data), max_size=6))
def test_whatever_is_sent_is_answered_in_json_and_the_conversation_goes_on(
    frames: list[tuple[str, dict[str, Any]]],
) -> None:
    conversation = Conversation()
    said(conversation, "reset", {"seed": 1})
    for kind, data in frames:
        answer = conversation.answer(json.dumps({"type": kind, "data": data}))
        assert answer is not None
        answer.encode()
        assert json.loads(answer)["type"] in ("observation", "error")
    assert said(conversation, "reset", {"seed": 1})["type"] == "observation"
