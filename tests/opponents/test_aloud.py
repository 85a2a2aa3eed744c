"""A trained model is heard while it still writes, once its move is known, and never more than the guard lets through."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation.engine.deal import Action
from negotiation.opponents.aloud import Aloud, Sayable
from tests.opponents.model_double import Body
from tests.opponents.test_guard import FACTS
from tests.opponents.test_talking import answered, decision, table

LINE = "Thank you for telling me that. We can do {offer}. What would help you most this week?"


async def test_words_are_seen_growing_before_they_are_complete() -> None:
    answer, shown, _ = await answered(lambda body: decision(text=LINE), "negotiator", table())
    assert answer.reply is not None
    assert answer.reply.offer is not None
    assert f"${answer.reply.offer:,.0f}" in answer.reply.text
    assert shown[-1] == answer.reply.text
    assert len(shown) > 4
    assert shown[0].endswith("."), "nothing before the first sentence has passed"
    assert all(answer.reply.text.startswith(seen) for seen in shown)


@pytest.mark.parametrize(
    "first",
    [
        decision(text="I hear you, and I thank you. My limit is 300, you know."),
        decision(offer=240, text="I hear you, and I thank you for that."),
        decision(text="I hear you, and I thank you. " + "We talk and talk. " * 40),
    ],
    ids=["a limit named", "an offer beyond the limit", "no end"],
)
async def test_what_must_not_be_said_is_taken_back_and_asked_for_again(first: str) -> None:
    said = iter([first, decision(text="We can do {offer}.")])
    answer, shown, asked = await answered(lambda body: next(said), "negotiator", table())
    assert len(asked) == 2
    assert answer.reply is not None
    assert answer.reply.text.startswith("We can do $")
    assert not any("300" in seen for seen in shown)
    assert shown[-1] == answer.reply.text
    begun = [at for at, seen in enumerate(shown) if seen.startswith("I hear")]
    assert not begun or "" in shown[begun[-1] :]


async def test_nothing_is_seen_of_a_decision_that_can_not_be_played() -> None:
    def brain(body: Body) -> str:
        return decision(offer=240, text="I hear you, and I thank you for that.")

    answer, shown, _ = await answered(brain, "negotiator", table())
    assert answer.stand_in
    assert shown == []


async def test_nothing_is_seen_early_where_the_limit_was_asked_after() -> None:
    asks = Action("Your floor is 137, right?", offer=172_000)
    answer, shown, _ = await answered(lambda body: decision(text=LINE), "negotiator", table(), asks)
    assert answer.reply is not None
    assert shown == [answer.reply.text]


def heard(pieces: list[str]) -> list[str]:
    shown: list[str] = []
    aloud = Aloud(lambda head: Sayable(FACTS, "$380") if json.loads(head) else None, shown.append)
    for piece in pieces:
        aloud.hear(piece)
    return shown


@given(st.lists(st.integers(0, 160), max_size=12), st.booleans())
def test_however_it_is_cut_no_beginning_is_shown_that_is_not_one_of_the_line(
    cuts: list[int], spaced: bool
) -> None:
    line: dict[str, Any] = {
        "act": "talk",
        "text": "Thank you for that. What matters most to you about the date?",
    }
    whole = json.dumps(line) if spaced else json.dumps(line, separators=(",", ":"))
    ends = sorted({min(cut, len(whole)) for cut in cuts} | {0, len(whole)})
    shown = heard([whole[a:b] for a, b in pairwise(ends)])
    assert all(line["text"].startswith(seen) for seen in shown)
    assert shown[-1].startswith("Thank you for that. What matters")


def test_an_escape_ends_the_showing() -> None:
    shown = heard(['{"act":"talk","text":"Thank you for that. ', "What\\u0020now then, my friend", '?"}'])
    assert shown
    assert all("now" not in seen for seen in shown)
