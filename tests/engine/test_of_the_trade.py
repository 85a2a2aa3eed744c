"""The questions that recur in any trade: every case has an answer, they are heard, and the answer tells nothing else."""

from __future__ import annotations

import pytest

from negotiation.engine.deal import Action, Negotiation
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.case.trade import COVERS
from negotiation.engine.deal.listening import likely_subjects, of_the_trade
from negotiation.engine.deal.listening.ear import hearing
from negotiation.engine.deal.listening.either import put_side_by_side
from negotiation.engine.deal.types import SIGN, Seat
from negotiation.engine.language.types import Speech
from negotiation.opponents.guard.case import case_objections, case_words
from negotiation.reading import heard

OF_ONE_TRADE = {"say", "shares", "included", "after_me", "cost", "renewal", "hours"}
"""Questions that only some deals raise."""
FROM_THE_TABLE = {"hardest"}
"""What is answered out of what was raised."""
SEATS = [(scenario, seat) for scenario in sorted(cases()) for seat in sorted(SIGN)]
ASKED = (
    ("What made you look for a new system in the first place?", "why_now"),
    ("Tell me, how serious are you about all this?", "why_now"),
    ("And if you simply do nothing this year, what happens then on your docks?", "waiting"),
    ("What happens on your side if we can't agree by Friday?", "no_deal"),
    ("Suppose we shake hands today. What are the next steps on your side?", "steps"),
    ("When would you want to start, ideally?", "start"),
    ("What would a good result look like for you a year after we begin?", "success"),
    ("A year from now, what should be different?", "success"),
    ("In the first six weeks, what would you want me to look at?", "first"),
    ("How many people work at your place?", "company"),
    ("Who do you usually build these for?", "clients"),
    ("How have things been since we last met?", "greeting"),
    ("Apart from the price, what counts for you here?", "matters"),
    ("What would it take to get you there?", "moves"),
    ("Where could you be flexible?", "give"),
    ("Why should we choose you and not the others?", "why_us"),
    ("Why did the last tenant leave?", "left"),
    ("Where do you see this in five years?", "later"),
    ("What do your people say about it?", "people_say"),
    ("What do you do to make sure that it lasts?", "care"),
    ("Which of those points is the hardest for you?", "hardest"),
    ("What happens if the rooms are not ready on the day we agreed?", "late"),
    (
        "Are you going to raise the fee again in the second year, or will you fix it in the contract?",
        "renewal",
    ),
    ("Have you ever supplied hospitals before, and is there one that I could ring up?", "show"),
    ("You have told me little about the shares, so how many would I get?", "shares"),
    ("How do you think about working hours and working from home?", "hours"),
)
NOT_ASKED = (
    "Tell me what you don't want to say.",
    "What would you say if we came down to 140?",
    "We started here six years ago and never looked back.",
    "What is your price?",
    "Could we extend the term?",
)


@pytest.fixture(autouse=True)
def nothing_in_particular(monkeypatch: pytest.MonkeyPatch) -> None:
    """A question that has a particular is not answered as one of any trade."""
    monkeypatch.setattr(hearing, "particular_ear", lambda: None)


def reply_to(game: Negotiation, text: str) -> Speech:
    game.step(heard(Action(text), game))
    assert game.speech is not None
    return game.speech


@pytest.mark.parametrize(("scenario", "seat"), SEATS)
def test_every_seat_has_an_answer_to_every_question_of_the_trade(scenario: str, seat: Seat) -> None:
    asked = cases()[scenario].seats[seat].asked
    assert {*COVERS} - OF_ONE_TRADE - FROM_THE_TABLE <= {*asked}


@pytest.mark.parametrize(("scenario", "seat"), SEATS)
def test_what_anybody_may_be_told_tells_nothing_that_is_guarded(scenario: str, seat: Seat) -> None:
    side = cases()[scenario].seats[seat]
    game = Negotiation(scenario, "diplomat", "seller" if seat == "buyer" else "buyer", 3, case=True)
    speech = reply_to(game, "Good morning.")
    words = case_words(side, speech, (game.scenario.summary,))
    for clause in (*(each for said in side.asked.values() for each in said), *side.terms.values()):
        assert not list(case_objections(clause, words)), clause


@pytest.mark.parametrize(("text", "question"), ASKED)
def test_questions_of_the_trade_are_heard(text: str, question: str) -> None:
    assert question in of_the_trade(text, {}).found


@pytest.mark.parametrize("text", NOT_ASKED)
def test_what_only_sounds_like_one_is_none(text: str) -> None:
    assert of_the_trade(text, {}).found == ()


def test_it_is_answered_with_the_case_and_the_second_time_as_said() -> None:
    game = Negotiation("acquisition_term_sheet", "veteran", "buyer", 21, case=True)
    side = cases()["acquisition_term_sheet"].seats["seller"]
    first = reply_to(game, "I would like to hear it from you: why are you selling now?")
    assert [(each.kind, each.fact) for each in first.answers] == [("openly", side.asked["why_now"][0])]
    second = reply_to(game, "But why are you selling now?")
    assert [each.kind for each in second.answers] == ["again"]


def test_a_fact_that_was_told_is_said_whatever_else_is_answered() -> None:
    for seed in range(12):
        game = Negotiation("saas_enterprise", "diplomat", "seller", seed, case=True)
        text = "What made you look for it, what hurts most today, how would you start, and what happens next?"
        speech = reply_to(game, text)
        for told in game.observe().told:
            assert any(told.says in each.fact for each in speech.answers), (seed, told.id)


def test_of_two_terms_both_are_explained_and_of_price_or_name_what_was_raised() -> None:
    game = Negotiation("procurement_hardware", "shark", "seller", 4102, case=True)
    speech = reply_to(game, "What is more important to you, the delivery date or the payment terms?")
    terms = cases()["procurement_hardware"].seats["buyer"].terms
    assert [(each.kind, each.fact, each.point) for each in speech.answers] == [
        ("both", terms["delivery"], terms["payment"])
    ]
    game = Negotiation("saas_enterprise", "auditor", "seller", 4101, case=True)
    reply_to(game, "Good morning, thank you for having me.")
    game.step(Action("Here is a first number.", offer=190_000))
    raised = game.observe().sheet
    assert raised is not None
    assert raised.raised
    (answer,) = reply_to(game, "So what stands in the way, the price or the vendor's name?").answers
    worry = cases()["saas_enterprise"].seats["buyer"].objection[raised.raised[0]]
    assert answer.kind in ("either", "neither")
    assert answer.fact == worry.says


def test_paying_less_is_the_figure_and_not_the_day_of_payment() -> None:
    titles = {"payment": "Payment", "delivery": "Delivery"}
    choice = put_side_by_side("What matters more to you, early delivery or paying less for each?", titles)
    assert choice is not None
    assert [each.name for each in choice.known] == ["delivery", "figure"]


def test_what_counts_for_it_stands_before_a_fact_that_was_told_beside_the_choice() -> None:
    game = Negotiation("hiring_package", "diplomat", "buyer", 9107, case=True)
    speech = reply_to(game, "Is it the salary or the freedom that matters more to you?")
    (matters,) = cases()["hiring_package"].seats["seller"].asked["matters"]
    assert (speech.answers[0].kind, speech.answers[0].fact) == ("openly", matters)


def test_who_pays_for_a_term_is_answered() -> None:
    game = Negotiation("commercial_lease", "veteran", "buyer", 4103, case=True)
    reply_to(game, "Good morning, and thank you for the tour of the house.")
    speech = reply_to(game, "I asked about the fit-out. Who pays for it and who does the work?")
    terms = cases()["commercial_lease"].seats["seller"].terms
    assert [each.fact for each in speech.answers if each.kind == "openly"] == [terms["fit_out"]]


def test_beside_a_greeting_that_was_understood_nothing_is_guessed() -> None:
    game = Negotiation("saas_enterprise", "shark", "seller", 3, case=True)
    speech = reply_to(game, "Good morning, how was your week?")
    assert [each.kind for each in speech.answers] == ["greeted"]


def test_a_question_that_is_not_understood_is_asked_back_with_two_subjects() -> None:
    text = "How many other people have you actually shown this place to, honestly?"
    assert len(likely_subjects(text)) == 2
    assert likely_subjects("What is the colour of the seventh zebra in there?") == ()
