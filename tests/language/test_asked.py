"""What a question is about, over the list of questions that the words for topics were written for."""

from __future__ import annotations

import tomllib
from pathlib import Path

from negotiation.engine.deal.listening.sentences import sentences_of
from negotiation.engine.deal.listening.topics import about

ASKED = tomllib.loads(Path(__file__).with_name("asked.toml").read_text(encoding="utf-8"))["topics"]
NAMED_FROM = 0.5


def test_nine_in_ten_questions_are_heard_to_be_about_what_they_are_about() -> None:
    asked = [
        (topic, f"{each}?") for topic, questions in ASKED.items() if topic != "none" for each in questions
    ]
    found = [(topic, about(sentences_of(text)[-1], [])) for topic, text in asked]
    heard = [(topic, each.topic) for topic, each in found if each.score >= NAMED_FROM]
    right = sum(topic == each for topic, each in heard)
    assert right >= 0.92 * len(heard)
    assert right >= 0.88 * len(asked)
