"""Acts and topics have plain words, and the questions of the trade are heard as what they ask."""

from __future__ import annotations

import pytest

from negotiation.engine.deal.case.acts import ACTS, QUESTIONS, TOPICS
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.case.labels import ACT_WORDS, OPENING_QUESTIONS, TOPIC_WORDS
from negotiation.engine.deal.listening import listen
from negotiation.engine.deal.types import OTHER_SEAT, SIGN, Seat


def test_every_act_and_every_topic_has_its_words() -> None:
    assert set(ACT_WORDS) == set(ACTS)
    assert set(TOPIC_WORDS) == set(TOPICS)


@pytest.mark.parametrize("asked", list(SIGN))
@pytest.mark.parametrize("scenario", list(cases()))
def test_each_question_is_heard_as_a_question_on_its_topic(scenario: str, asked: Seat) -> None:
    case = cases()[scenario]
    for topic, question in OPENING_QUESTIONS[asked].items():
        heard = listen(question, speaker=case.seats[OTHER_SEAT[asked]], listener=case.seats[asked])
        assert [(each.talk.act in QUESTIONS, each.talk.topic) for each in heard.heard] == [(True, topic)], (
            question
        )


@pytest.mark.parametrize("seat", list(SIGN))
@pytest.mark.parametrize("scenario", list(cases()))
def test_each_line_of_the_fact_sheet_is_heard_as_itself(scenario: str, seat: Seat) -> None:
    case = cases()[scenario]
    own, theirs = case.seats[seat], case.seats[OTHER_SEAT[seat]]
    for argument in own.arguments:
        said = f"{argument.says[0].upper()}{argument.says[1:]}."
        heard = listen(said, speaker=own, listener=theirs)
        assert argument.id in {each.talk.id for each in heard.heard}, said
