"""The second opinion on what a question is about: what it was counted from, and that it only ever stands against."""

from __future__ import annotations

import json

from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.listening import listen
from negotiation.engine.deal.listening.cues import ways_of
from negotiation.engine.deal.listening.second_opinion import VOTES, votes
from negotiation.engine.deal.listening.sentences import sentences_of
from tests.language.fit_topics import counted

SEATS = cases()["saas_enterprise"].seats


def test_the_file_holds_what_its_script_counts() -> None:
    assert json.loads(VOTES.read_text(encoding="utf-8")) == counted()


def test_it_ranks_the_topic_of_a_plain_question_first() -> None:
    for text, topic in (
        ("Who has to sign the contract?", "authority"),
        ("When do you need it?", "timeline"),
        ("How many licences do you need?", "scope"),
    ):
        assert votes().rank(topic, sentences_of(text)[0].all_stems) == 0  # type: ignore[arg-type]


def test_words_that_nobody_used_stand_against_the_rarest_topics_alone() -> None:
    assert votes().rank("pain", {"xylophone"}) < 2


def test_a_topic_that_was_heard_by_little_is_not_heard_against_it() -> None:
    text = "Is the other suite really cheaper, or is that something people say?"
    found = listen(text, speaker=SEATS["seller"], listener=SEATS["buyer"])
    assert "people" not in {each.topic for each in found.talk}


def test_the_ways_of_a_pattern_are_those_at_its_top() -> None:
    assert ways_of(r"\ba(?:b|c)\b|[|]d\||e") == [r"\ba(?:b|c)\b", r"[|]d\|", "e"]
