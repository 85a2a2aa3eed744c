"""The house reader of talk: what counts, what is asked about, and what must never be heard."""

from __future__ import annotations

import time

import numpy as np
import pytest

from negotiation.engine.deal import scenarios
from negotiation.engine.deal.case.acts import ACTS, Talk
from negotiation.engine.deal.case.checks import MOST_TALK, check_talk
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.listening import SURE_FROM, Listening, listen, with_marks
from negotiation.engine.deal.listening.sentences import MOST_READ, sentences_of
from tests.language.talk_gold import Said, all_cases, talk_batch, talk_batches

BATCHES = talk_batches()
EVERYTHING = [one for batch in BATCHES for one in batch.said]
AS_FIRST_READ = {"heldout_12": (0.87, 0.85, 0.95), "heldout_13": (0.88, 0.79, 0.71)}
"""What the last batches scored, below what is wanted (acts and topics .90, ids .95): they may not fall further."""
UNLEARNT = [batch for batch in BATCHES if not batch.learnt]


def heard(
    text: str,
    seat: str = "seller",
    *,
    scenario: str = "saas_enterprise",
    told: tuple[str, ...] = (),
    raised: tuple[str, ...] = (),
    last_line: str = "",
) -> Listening:
    seats = all_cases()[scenario].seats
    other = "buyer" if seat == "seller" else "seller"
    return listen(
        text, speaker=seats[seat], listener=seats[other], told=told, raised=raised, last_line=last_line
    )


def precision(said: list[Said], part: str) -> tuple[float, int]:
    """The share of what was heard that was meant, and how much was heard."""
    pairs = [({getattr(each, part) for each in one.talk}, one.heard().talk) for one in said]
    found = [getattr(each, part) in meant for meant, talk in pairs for each in talk if getattr(each, part)]
    return float(np.mean(found)), len(found)


@pytest.mark.parametrize("part", ["act", "topic", "id"])
def test_what_it_was_tuned_with_is_heard_rightly(part: str) -> None:
    share, count = precision(talk_batch("tuning").said, part)
    assert count > 100
    assert share >= 0.96


@pytest.mark.parametrize("batch", UNLEARNT, ids=lambda batch: batch.name)
def test_little_is_heard_wrongly_in_batches_that_nothing_was_learnt_from(batch: object) -> None:
    said = batch.said  # type: ignore[attr-defined]  # pytest hands the batch over as an object
    act, topic, id_ = AS_FIRST_READ.get(batch.name, (0.88, 0.88, 0.95))  # type: ignore[attr-defined]
    assert precision(said, "act")[0] >= act
    assert precision(said, "topic")[0] >= topic
    assert precision(said, "id")[0] >= id_


@pytest.mark.parametrize("flag", ["insult", "wants_out", "withdraws"])
def test_no_message_is_taken_for_an_insult_a_farewell_or_a_withdrawal_that_is_none(flag: str) -> None:
    assert [one.text for one in EVERYTHING if getattr(one.heard(), flag) and not getattr(one, flag)] == []


def test_whatever_is_heard_can_be_said_at_the_table() -> None:
    for one in EVERYTHING:
        listening = one.heard()
        if one.scenario != "cold_store":  # the check is of deals for two
            check_talk(listening.talk, all_cases()[one.scenario], one.speaker)  # type: ignore[arg-type]
        assert len(listening.talk) <= MOST_TALK
        assert all(each.confidence >= SURE_FROM for each in listening.heard)
        assert all(each.confidence < SURE_FROM for each in listening.unsure)
        assert all(each.quote in one.text for each in (*listening.heard, *listening.unsure))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("We were down for one night in August.", ("disclose", "support", "outage")),
        ("Typing twice costs you nine salaries.", ("argue", "basis", "double")),
        ("Our platform has never been down.", ("argue", "support", "never_down")),
        ("Who signs on your side?", ("ask_open", "authority", None)),
        ("What could go wrong with the rollout?", ("ask_problem", "rollout", None)),
        ("Is that the only thing holding you back?", ("isolate", None, None)),
        ("If you sign for three years, I can come down to 150.", ("trade", None, None)),
    ],
)
def test_one_thing_of_each_kind(text: str, wanted: tuple[str, str | None, str | None]) -> None:
    assert [(each.act, each.topic, each.id) for each in heard(text).talk] == [wanted]


@pytest.mark.parametrize(
    "text",
    [
        "We were not down in August.",
        "No, I'm not two signatures short.",
        "I'm not asking about the yard system.",
        "It's not about Marta's classes.",
        "We can do 148.",
        "Would 148 work with quarterly billing?",
        "Sorry, 138 is a non-starter.",
        "Ok.",
        "",
    ],
)
def test_denied_set_aside_or_about_the_price_alone_nothing_is_heard(text: str) -> None:
    assert heard(text).talk == ()


def test_several_things_in_a_message_are_each_heard_with_their_words() -> None:
    listening = heard("Sorry, my figure was wrong. Who signs, and when do you need to be live?")
    assert [(each.talk.act, each.talk.topic) for each in listening.heard] == [
        ("ask_open", "authority"),
        ("ask_open", "timeline"),
        ("apologise", None),
    ]
    assert [each.quote for each in listening.heard[:2]] == ["Who signs, and", "when do you need to be live?"]


def test_an_argument_answers_only_what_was_raised() -> None:
    text = "The renewal is capped in the contract, clause nine."
    assert heard(text).talk == (Talk("argue", "legal", "cap"),)
    assert heard(text, raised=("renewal",)).talk == (Talk("answer", "legal", "cap"),)
    shown = heard(text + " I'll send you the page.", raised=("renewal",)).talk
    assert shown == (Talk("prove", "legal", "cap"),)


def test_a_question_in_the_words_of_an_objection_asks_on_about_it_once_it_was_raised() -> None:
    for text in (
        "What route planner was that, and what has it got to do with us?",
        "Why did only forty people open it, was it rubbish or was nobody trained?",
    ):
        assert heard(text, raised=("shelf",)).talk == (Talk("follow_up", "rollout", "shelf"),)
        assert all(each.id is None for each in heard(text).talk)


def test_a_question_beside_the_name_of_a_told_thing_is_about_that() -> None:
    text = "Thank you for being straight about August. What broke that night?"
    assert Talk("follow_up", "support", "outage") in heard(text, "buyer", told=("outage",)).talk
    assert all(
        each.id != "outage" for each in heard("What broke that night?", "buyer", told=("outage",)).talk
    )


def test_a_question_that_points_back_at_what_the_message_names_is_about_that() -> None:
    text = "You said forty people open the route planner. What went wrong there, was it the tool?"
    assert heard(text, raised=("shelf",)).talk == (Talk("follow_up", "rollout", "shelf"),)
    assert all(each.id is None for each in heard("What went wrong there?", raised=("shelf",)).talk)


@pytest.mark.parametrize(
    "text",
    ["What's still bothering you about it?", "Which part worries you?", "Anything else that holds you back?"],
)
def test_what_is_still_open_is_asked_in_many_words(text: str) -> None:
    assert Talk("isolate") in heard(text).talk


def test_what_was_not_told_yet_is_asked_again_by_saying_so() -> None:
    text = "You still haven't told me when we could get the keys."
    assert [each.topic for each in heard(text, "seller").talk] == ["timeline"]
    assert heard("You have not told me anything.", "seller").talk == ()


def test_a_question_after_what_the_last_line_said_is_about_that() -> None:
    line = "Hm. I have bought a route planner for everyone once, and forty people open it. $111,000."
    follow = heard("Meaning?", told=("yard",), raised=("shelf",), last_line=line)
    assert follow.talk == (Talk("follow_up", "rollout", "shelf"),)
    assert heard("You told me 118 was it. Which is it?", told=("yard",), last_line=line).talk == ()


def test_what_was_told_can_be_followed_up_doubted_and_mirrored() -> None:
    told = ("burned",)
    assert heard("Why is that?", told=told).talk == (Talk("follow_up", "relationship", "burned"),)
    assert heard("Why is that?").talk == ()
    assert heard("Can you prove that?", told=told).talk == (Talk("ask_proof", "relationship", "burned"),)
    line = "Since you ask: our telematics supplier doubled the bill at the first renewal."
    assert heard("Doubled?", told=told, last_line=line).talk == (Talk("mirror", "relationship"),)
    assert heard("It sounds like that bill hurt.", told=told).talk == (Talk("label", "relationship"),)


def test_the_clause_of_a_fact_with_two_is_told_apart() -> None:
    short = heard("I am two signatures short of my number for the quarter.").heard
    made = heard("My number for the quarter was made three weeks ago.").heard
    assert [each.talk.id for each in (*short, *made)] == ["quarter", "quarter"]
    assert [each.high for each in (*short, *made)] == [True, False]


def test_a_farewell_a_withdrawal_and_an_insult_are_told_apart() -> None:
    farewell = heard("Fine, we're walking. Thank you, it was a pleasure.")
    assert (farewell.wants_out, farewell.insult, farewell.withdraws) == (True, False, False)
    withdrawal = heard("Sorry, I withdraw that.")
    assert withdrawal.withdraws
    assert {each.act for each in withdrawal.talk} == {"withdraw", "apologise"}
    assert heard("Sign it or get lost.").insult
    assert heard("That's a tough position, I don't blame you.").insult is False


def test_any_text_is_safe_and_long_ones_are_cut() -> None:
    rng = np.random.default_rng(20)
    letters = list("abcdefghij ?.,!'\"-–\u200b\u202e\n\t0123456789$€é漢😀<>&{}[]")
    for _ in range(200):
        text = "".join(rng.choice(letters, size=int(rng.integers(0, 400))))
        assert {each.act for each in heard(text).talk} <= set(ACTS)
    end = "Who signs?"
    assert heard("x " * (MOST_READ // 2) + end).talk == ()


def test_a_question_that_says_what_hurts_is_about_that_and_one_that_asks_what_could_go_wrong_is_not() -> None:
    assert heard("What bothers you about your current system?").talk[0].topic == "pain"
    assert heard("What could go wrong with the training?").talk[0].topic == "rollout"


def test_an_argument_that_ends_in_what_one_gets_is_no_trade() -> None:
    text = "Our key users take every first call, so you get four people and not four hundred."
    assert [each.act for each in heard(text, "buyer").talk] == ["argue"]
    assert heard("If we get 150, you get the reference.").talk == (Talk("trade"),)


def test_time_grows_with_the_text_and_no_faster() -> None:
    sentence = "If you take three years, who signs, what hurts and when do the trucks leave Savannah? "
    taken = []
    for times in (2, 20):
        heard("warm up")
        started = time.perf_counter()
        for number in range(5):
            heard(f"{number} " + sentence * times)
        taken.append(time.perf_counter() - started)
    assert taken[1] < 40 * taken[0]
    assert taken[1] / 5 < 0.5


def test_it_hangs_on_nothing_but_the_words_and_what_was_said_before() -> None:
    """The same words are heard alike, whatever was heard in between."""
    first = [one.heard() for one in EVERYTHING[:80]]
    assert [one.heard() for one in reversed(EVERYTHING[:80])] == first[::-1]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Before I answer: how many would sit here, when must you be out, and who decides?", 3),
        ("What did the freeze cost you in the end, and is the solver the part that keeps failing?", 2),
        ("165? Did you pluck that out of the air?", 2),
        ("If we cancelled after a year, what would it cost us?", 1),
        ("The last people who rented it, why did they go?", 1),
        ("When something breaks, how many days does a repair take?", 1),
    ],
)
def test_a_message_falls_into_as_many_questions_as_it_asks(text: str, asked: int) -> None:
    assert sum(each.asks for each in sentences_of(text)) == asked


@pytest.mark.parametrize(
    "text",
    [
        "What matters most to us is that people really use it.",
        "What I'm looking for is somebody who stays.",
        "When something breaks I want it gone from the ward.",
        "Is it true that Denver gets snow in May? Never been myself.",
        "The last time we rolled something out half of them ignored it.",
    ],
)
def test_what_only_begins_like_a_question_asks_nothing(text: str) -> None:
    assert [each.act for each in heard(text).talk if each.act != "small_talk"] == []


def test_whether_an_argument_helps_is_no_question_of_its_own() -> None:
    text = "The renewal is capped in the contract, clause nine. Does that settle it for you?"
    assert heard(text, raised=("renewal",)).talk == (Talk("answer", "legal", "cap"),)
    supposed = "What if I send you clause nine, where the renewal is capped in the contract?"
    assert {each.id for each in heard(supposed, raised=("renewal",)).talk} == {"cap"}


def test_a_question_in_the_plain_words_of_the_last_line_asks_on_about_it() -> None:
    said = "Above that figure I would have to raise two people who already work here."
    text = "whats so special about those two"
    found = heard(text, scenario="hiring_package", raised=("bands",), last_line=said)
    assert found.talk == (Talk("follow_up", "basis", "bands"),)


def test_a_question_behind_a_comma_needs_no_mark() -> None:
    case = cases()["procurement_hardware"]
    said = "915, 8 weeks, spares on site, can you sign that or does it go to trustees"
    heard = listen(said, speaker=case.seats["seller"], listener=case.seats["buyer"])
    assert [(each.act, each.topic) for each in heard.talk] == [("ask_closed", "authority")]


def test_what_stands_before_such_a_question_is_not_what_it_asks_about() -> None:
    scenario = scenarios()["procurement_hardware"]
    assert scenario.terms_asked(with_marks("915, 8 weeks, spares on site, can you sign that")) == {}
    assert set(scenario.terms_asked(with_marks("would 8 weeks help?"))) == {"delivery"}
