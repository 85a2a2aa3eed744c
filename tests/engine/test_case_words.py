"""A persona answers what was asked first, tells only what it may, and asks each question back once."""

from __future__ import annotations

import pytest

from negotiation.engine.deal import Action, Negotiation, personas
from negotiation.engine.deal.case.acts import TOPICS, Talk
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.case.labels import SPOKEN_TOPICS
from negotiation.engine.language.grammar import TALKED, pools
from tests.effort import few


def said(game: Negotiation, *talk: Talk, offer: float = 175_000, text: str = "") -> str:
    return game.step(Action(text, offer=offer, talk=talk)).reply.text


def table(persona: str = "diplomat", seed: int = 5) -> Negotiation:
    return Negotiation("saas_enterprise", persona, "seller", seed, case=True)


def test_every_topic_has_a_noun_that_a_persona_can_say() -> None:
    assert set(SPOKEN_TOPICS) == set(TOPICS)


@pytest.mark.parametrize("persona", list(personas()))
def test_every_voice_has_lines_of_its_own_for_every_answer(persona: str) -> None:
    own = pools(personas()[persona].voice)
    for key, lines in TALKED["talk"].items():
        shared = set(lines)
        assert not shared & {part.text for part in own[f"talk.{key}"]}, f"{persona} borrows talk.{key}"
        assert len(own[f"talk.{key}"]) >= 2


@pytest.mark.parametrize("persona", list(personas()))
def test_the_answer_comes_before_the_move(persona: str) -> None:
    game = table(persona)
    reply = said(game, Talk("ask_open", "security"))
    answer = cases()["saas_enterprise"].seats["buyer"].answers["security"]
    assert answer[1:] in reply
    figure = reply.find("$")
    assert figure == -1 or reply.find(answer[1:]) < figure


@pytest.mark.parametrize("persona", list(personas()))
def test_no_line_holds_a_fact_that_was_not_told(persona: str) -> None:
    facts = cases()["saas_enterprise"].seats["buyer"].facts
    for seed in range(few(6, 60)):
        game = table(persona, seed)
        offer = 190_000.0
        for turn in range(10):
            topic = facts[(turn * 5 + seed) % len(facts)].topic
            act = ("ask_open", "ask_closed", "ask_problem")[turn % 3]
            reply = game.step(Action(offer=offer, talk=(Talk(act, topic), Talk("isolate"))))  # type: ignore[arg-type]
            offer -= 1_500
            told = {clause for fact in game.observe().told for clause in (fact.says,)}
            for fact in facts:
                for clause in fact.says:
                    plain = clause.lower() in reply.reply.text.lower()
                    assert not plain or any(clause in each for each in told), reply.reply.text
            if reply.done:
                break


def test_each_question_is_asked_back_once() -> None:
    game = table("veteran")
    lines = [
        said(game, Talk("ask_closed", topic), offer=190_000 - 1_000 * turn)  # type: ignore[arg-type]
        for turn, topic in enumerate(("budget", "people", "alternative", "incumbent", "timeline"))
    ]
    asked = [line[: line.index("?") + 1].rsplit(". ", 1)[-1] for line in lines if "?" in line]
    assert len(asked) == len(set(asked))


def test_an_insult_an_apology_and_a_second_question_are_heard() -> None:
    game = table()
    rude = said(game, Talk("ask_open", "security"), text="You are an idiot. Where does the data live?")
    own = {part.text for part in pools("diplomat")["react.insult"]}
    assert any(rude.startswith(line) for line in own)
    sorry = said(game, Talk("apologise"), offer=174_000)
    assert any(sorry.startswith(part.text) for part in pools("diplomat")["talk.forgiven"])
    again = said(game, Talk("ask_open", "pain"), offer=173_000)
    assert "typed twice" in again or "troubles" in again


def test_what_a_case_has_a_seat_answer_is_there_for_whoever_decides_its_move() -> None:
    game = table()
    action = Action(offer=175_000, talk=(Talk("ask_open", "security"),))
    alone = game.answering(action)
    assert "audit report passed" in alone
    assert "$" not in alone
    assert game.step(action).reply.text.startswith(alone)
