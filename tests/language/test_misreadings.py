"""Words that were once heard as what they are not, each as the table reads it now.

They were found by reading deals that people had typed; every row is one of them, or one of its kind.
"""

from __future__ import annotations

import pytest

from negotiation.engine.language import CONFIDENCE_TO_BIND, Reading, understand
from tests.language.gold import MONEY


def read(text: str, *, standing: float = 168_000, own: float = 132_000) -> Reading:
    """As a buyer of the subscription says it."""
    return understand(
        text, money=MONEY["saas_enterprise"], seat="buyer", standing_offer=standing, own_offer=own
    )


@pytest.mark.parametrize(
    ("act", "text"),
    [
        ("accept", "Otherwise it's a deal breaker for our security team."),
        ("accept", "That would be a dealbreaker."),
        ("accept", "It sounds good on paper, but no."),
        ("accept", "That is a fair point, and I take it seriously."),
        ("accept", "I take it that you can't move."),
        ("accept", "We'll take your offer to the board."),
        ("injection", "It sounds like you are now under a lot of pressure."),
        ("injection", "You are now a step closer."),
        ("insult", "I don't want to insult you."),
        ("apologise", "Sorry, 138 is a non-starter."),
        ("withdraw", "$165,000 is off the table."),
        ("withdraw", "Don't withdraw your offer yet."),
        ("farewell", "I'd hate to walk away from this."),
        ("farewell", "Meet me at 150 and we're done."),
        ("farewell", "If I leave now, we both lose."),
        ("threat", "Can you sign that, or does it go to the trustees?"),
        ("insult", "Is this still alive, or am I wasting my time here?"),
        ("reject", "No conditions on it, 150."),
        ("empathy", "Can anyone on your side say yes to that today?"),
    ],
)
def test_not_heard_as_what_it_is_not(act: str, text: str) -> None:
    assert act not in read(text).acts


@pytest.mark.parametrize(
    ("tactic", "text"),
    [
        ("reframe", "Give me a day."),
        ("batna_reveal", "I can be flexible elsewhere."),
        ("batna_reveal", "Which other vendor are you looking at?"),
    ],
)
def test_no_card_is_heard_where_none_was_played(tactic: str, text: str) -> None:
    assert tactic not in read(text).tactics


@pytest.mark.parametrize(
    ("topic", "text"),
    [
        ("alternative", "I can be flexible elsewhere."),
        ("limit", "We have some flexibility on term."),
        ("budget", "Congrats on the funding!"),
        ("limit", "How many seats do you really need?"),
    ],
)
def test_not_about_what_it_is_not_about(topic: str, text: str) -> None:
    assert topic not in read(text).topics


@pytest.mark.parametrize(
    ("act", "text"),
    [
        ("apologise", "I apologise for that."),
        ("apologise", "Sorry about the tone earlier."),
        ("reject", "That is ridiculous."),
        ("empathy", "You seem frustrated."),
        ("question", "You're not answering my question."),
        ("reject", "That offer is a joke."),
        ("accept", "Okay, deal."),
        ("accept", "Sounds good."),
        ("accept", "Works for me."),
        ("accept", "Yes."),
        ("insult", "Sign it or get lost."),
        ("withdraw", "Sorry, I withdraw that."),
        ("withdraw", "I'd like to take my last offer off the table."),
        ("farewell", "Fine, we're walking. Thank you, it was a pleasure."),
        ("farewell", "Goodbye, and good luck."),
    ],
)
def test_acts_that_went_unheard(act: str, text: str) -> None:
    assert act in read(text).acts


@pytest.mark.parametrize(
    ("text", "kind", "figure"),
    [
        ("the best I can get approved is 152", "limit", 152_000),
        ("134 is what's been approved", "limit", 134_000),
        ("143k provided legal doesn't redline the liability cap", "offer", 143_000),
    ],
)
def test_approvals_and_conditions_are_told_apart(text: str, kind: str, figure: float) -> None:
    reading = read(text)
    assert (reading.kind, reading.figure) == (kind, figure)


def test_what_the_other_side_could_do_is_no_limit_of_ones_own() -> None:
    for text in ("I believe you can go beyond 173.", "You can go up to 165, I'm sure."):
        reading = read(text)
        assert (reading.kind, reading.offer) == ("none", None)


def test_saying_where_both_stand_offers_nothing() -> None:
    text = "We're at six ten. You're at five forty. Somebody has to blink."
    reading = understand(
        text, money=MONEY["commercial_lease"], seat="seller", standing_offer=540_000, own_offer=610_000
    )
    assert (reading.kind, reading.offer) == ("quote", None)


def test_a_step_that_waits_for_the_other_side_is_asked_about() -> None:
    for text in ("If you did three years, I could get to 150.", "I could get to 150 if you paid up front."):
        reading = read(text)
        assert reading.offer == 150_000
        assert reading.confidence < CONFIDENCE_TO_BIND


def test_taking_ones_own_figure_back_offers_it_no_more() -> None:
    assert read("I withdraw my 132.").offer is None
    assert read("I withdraw my 132. Take 140.").offer == 140_000


@pytest.mark.parametrize(
    "text",
    [
        "I've come up 26,000 and you've come down eight. 148,500 is the most I may sign; yes, or do we part?",
        "I have already come up 5,000 while you came down 500.",
        "I came up 5,000 last turn.",
    ],
)
def test_a_step_that_was_taken_is_no_new_one(text: str) -> None:
    found = read(text)
    assert found.offer is None
    assert found.kind != "offer"


@pytest.mark.parametrize(
    "text",
    [
        "8m lol. thats less than 3x revenue",
        "8m, are you kidding",
        "My people go home at six.",
        "Somebody has to be home at four.",
    ],
)
def test_laughter_at_a_figure_and_a_time_of_day_are_no_offers(text: str) -> None:
    reading = understand(text, money=MONEY["acquisition_term_sheet"], seat="seller", standing_offer=8_050_000)
    assert reading.offer is None


@pytest.mark.parametrize(
    "text",
    [
        "You want 241 and I am supposed to smile?",
        "First 190, now 180 and always your last word.",
        "You can't go above 150, yet you creep along at 115.",
        "The 160 was never my price, it was seats!",
        "You can sign up to 200 yourself, so drop the excuse.",
        "Your $165,000 has hardly moved.",
        "So you open at 163. You thought I'd hand you seventy thousand for rudeness?",
    ],
)
def test_a_figure_thrown_back_is_no_offer(text: str) -> None:
    heard = read(text, standing=241_500)
    assert heard.kind != "offer" or heard.confidence < CONFIDENCE_TO_BIND


def test_a_rounder_figure_names_the_offer_that_it_shortens() -> None:
    assert read("You keep saying 241.", standing=241_500).kind == "quote"
    assert read("We can do 150.", standing=168_000).offer == 150_000
