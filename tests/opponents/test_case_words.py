"""Nothing of a case is told that was not decided to be told: in house words, in a model's brief, past the guard."""

from __future__ import annotations

from typing import get_args

import pytest

from negotiation.engine.deal import Action, Negotiation, personas
from negotiation.engine.deal.case.acts import Talk
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.listening import listen
from negotiation.engine.deal.types import OTHER_SEAT, Seat
from negotiation.engine.language import MoneyContext, Speech
from negotiation.engine.language.types import Answer, AnswerKind, TalkMemory
from negotiation.opponents import brief
from negotiation.opponents.brief import tasks
from negotiation.opponents.guard import Facts, check
from negotiation.opponents.guard.case import CaseWords, case_words, sayable, words_at
from tests.effort import few
from tests.opponents.untold import fishing, runs, untold

SEATS: tuple[Seat, ...] = ("seller", "buyer")


def test_there_are_sixty_prompts_and_none_twice() -> None:
    assert len(set(fishing())) == len(fishing()) == 60


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("persona", sorted(personas()))
@pytest.mark.parametrize("scenario", sorted(cases()))
def test_fishing_brings_up_nothing_untold(scenario: str, persona: str, seat: Seat) -> None:
    for seed in range(few(1, 6)):
        game, lines, left = (
            Negotiation(scenario, persona, seat, seed, case=True),
            set(),
            iter(fishing()[seed::3]),
        )
        while not game.done and (prompt := next(left, None)) is not None:
            sides = game.case.seats  # type: ignore[union-attr]
            talk = listen(prompt, speaker=sides[seat], listener=sides[OTHER_SEAT[seat]]).talk
            reply = game.step(Action(text=prompt, talk=talk)).reply
            speech = game.speech
            assert speech is not None
            brief = " ".join(tasks(speech))
            hidden = untold(game, speech)
            assert not runs(reply.text) & hidden, reply.text
            assert not runs(brief) & hidden, brief
            assert reply.text not in lines
            lines.add(reply.text)


FACTS = Facts(
    money=Negotiation("saas_enterprise", "shark", "seller", 1).scenario.money, seat="buyer", offer=120_000.0
)
SIDE = cases()["saas_enterprise"].seats["buyer"]
ROOMS = next(each.says[1] for each in SIDE.facts if each.id == "rooms")


def speech_with(answers: tuple[Answer, ...], objection: str = "", talked: TalkMemory | None = None) -> Speech:
    return Speech(
        voice="shark",
        act="hold",
        seat="buyer",
        turn=3,
        money=MoneyContext(100_000, 200_000),
        offer=120_000.0,
        previous_offer=120_000.0,
        answers=answers,
        objection=objection,
        talked=talked or TalkMemory(),
    )


def words_after(*told: str) -> CaseWords:
    return case_words(
        SIDE, speech_with(tuple(Answer("told", each) for each in told)), ("The dispatch deal.",)
    )


def facts(words: CaseWords) -> Facts:
    return Facts(money=FACTS.money, seat="buyer", offer=120_000.0, public=frozenset((120_000.0,)), case=words)


def test_a_told_clause_passes_with_its_figures_and_an_untold_one_does_not() -> None:
    thirty_one = next(each.says[0] for each in SIDE.facts if each.id == "thanksgiving")
    line = f"Since you ask: {thirty_one}. I stay at $120,000."
    assert check(line, facts(words_after(thirty_one))) == ()
    assert "case" in {each.check for each in check(line, facts(words_after()))}


def test_the_other_cell_a_claim_and_other_words_for_an_untold_fact_are_refused() -> None:
    told = facts(words_after(ROOMS))
    assert check(f"Between us, {ROOMS}. $120,000 it stays.", told) == ()
    for line in (
        "Nobody upstairs asked me for a date. $120,000 it stays.",
        "Cobalt sent us a proposal, it is signed. $120,000 it stays.",
        "The board has already refused your last figure. $120,000 it stays.",
        "Priya keeps something for this. $120,000 it stays.",
    ):
        assert "case" in {each.check for each in check(line, told)}, line


def test_plain_lines_pass_whatever_is_untold() -> None:
    for line in ("I hear you. I stay at $120,000.", "Let's talk about what matters. $120,000 is where I am."):
        assert check(line, facts(words_after())) == ()


def test_the_brief_says_what_to_tell_what_to_repeat_what_to_keep_and_what_is_missing() -> None:
    talked = TalkMemory(repeats=("I sign",), keeps=("the money",), missing=("the price will jump",))
    told = (Answer("told", "we dispatch at night", "support"),)
    lines = list(tasks(speech_with(told, "seats would lie idle", talked)))
    for line in (
        "Tell them now, in your own words and nothing beyond it: we dispatch at night.",
        "Give this as the reason why you do not go further: seats would lie idle.",
        "Told; may repeat, word for word: I sign.",
        "Still missing: the price will jump.",
        "Keep to yourself: the money.",
        "Know nothing else of your business: asked anything more, say that you cannot say.",
    ):
        assert line in lines


def test_a_lie_stands_in_the_request_for_words_as_any_told_fact() -> None:
    """The request does not hold whether a told cell is true."""
    lies = 0
    for seed in range(60):
        game = Negotiation("saas_enterprise", "shark", "seller", seed, case=True)
        for _ in range(3):
            game.step(Action(offer=200_000, talk=(Talk("ask_closed", "timeline", "rooms"),)))
        speech, told = game.speech, game.observe().told
        if speech is None or not told or not any(each.lied and each.told for each in game.truth.facts):
            continue
        lies += 1
        assert told[0].says in sayable(speech)
        assert set(vars_of(speech)) == {"repeats", "keeps", "missing", "touched", "recalls", "just_told"}
    assert lies > 0


def vars_of(speech: Speech) -> list[str]:
    assert speech.talked is not None
    return list(speech.talked.__dataclass_fields__)


def test_a_model_that_decides_may_not_tell_its_own_untold_facts_either() -> None:
    game = Negotiation("saas_enterprise", "shark", "seller", 1, case=True)
    action = Action(text="What drives your timing?", offer=200_000, talk=(Talk("ask_closed", "timeline"),))
    seen, tried = game.across(action), game.fork()
    tried.step(action)
    words = words_at(game, tried.speech, seen)
    assert words is not None
    assert ROOMS in words.untold
    assert "case" in {each.check for each in check(f"Well, {ROOMS}.", facts(words))}


def test_a_model_can_be_told_of_every_kind_of_answer() -> None:
    assert set(brief._CASE) == set(get_args(AnswerKind))
