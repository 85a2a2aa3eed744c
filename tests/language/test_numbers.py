"""Numbers as people say them, their units, and the step that a relative move makes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from negotiation.engine.language import CONFIDENCE_TO_BIND, MoneyContext, understand
from negotiation.engine.language.numerals import numeral_at
from negotiation.engine.language.quantities import quantities
from negotiation.engine.language.tokens import tokenise
from tests.language.gold import MONEY

SAAS = MONEY["saas_enterprise"]
ACQUISITION = MONEY["acquisition_term_sheet"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("one forty-eight", 148),
        ("a hundred and fifty-five thousand", 155_000),
        ("buck fifty", 150),
        ("a buck forty", 140),
        ("half a million", 500_000),
        ("10 and a half million", 10_500_000),
        ("twelve and a half", 12.5),
        ("148k", 148_000),
        ("148.5K", 148_500),
        ("1.2M", 1_200_000),
        ("1,250,000", 1_250_000),
        ("1.250.000", 1_250_000),
        ("150 000", 150_000),
        ("150'000", 150_000),
        ("12,4", 12.4),
        ("one fifty", 150),
        ("two oh five", 205),
        ("two-oh-five", 205),
        ("three quarters of a million", 750_000),
        ("a million and a half", 1_500_000),
        ("one point two five million", 1_250_000),
        ("2 hundred 25 thousand", 225_000),
        ("12½", 12.5),
        ("１５０ｋ", 150_000),
        ("١٥٠", 150),
    ],
)
def test_numerals(text: str, value: float) -> None:
    tokens = tokenise(text)
    found = numeral_at(tokens, 0)
    assert found is not None
    assert found.value == value
    assert found.stop == len(tokens)


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("24/7 support", ["label"]),
        ("net 30", ["label"]),
        ("a 3-year term", ["time"]),
        ("3 competing offers", ["count"]),
        ("in Q4", ["label"]),
        ("by the 14th", ["label"]),
        ("in 2 weeks", ["time"]),
        ("on 2026-01-15", ["label"]),
        ("at 10:30", ["label"]),
        ("a 401(k)", ["label"]),
        ("50/50", ["label"]),
        ("5%", ["percent"]),
        ("12 per cent", ["percent"]),
        ("$12 a month", ["rate"]),
        ("180 a seat", ["rate"]),
        ("180 a week from now", ["bare"]),
        ("$935 per tablet", ["rate"]),
        ("935 each", ["rate"]),
        ("150 per our discussion", ["bare"]),
        ("we both give 5 each", ["bare"]),
        ("900 tablets at $1,050 each", ["money"]),
        ("two empty floors", ["count"]),
        ("from year 2", ["label"]),
        ("a deposit of 300k", ["money"]),
        ("150k a year", ["money"]),
        ("10k seats", ["count"]),
        ("25 paid vacation days", ["time"]),
        ("€150k", ["money"]),
        ("150 works", ["bare"]),
        ("thanks a million", ["label"]),
        ("one of us", ["label"]),
    ],
)
def test_units(text: str, units: list[str]) -> None:
    assert [quantity.unit for quantity in quantities(tokenise(text))] == units


@pytest.mark.parametrize(
    ("text", "seat", "offer"),
    [
        ("Let's split the difference.", "seller", 150_000),
        ("Meet me in the middle?", "buyer", 150_000),
        ("I'll come down 5k.", "seller", 155_000),
        ("Come down 5k and I sign.", "buyer", 155_000),
        ("I'll come up 5k.", "buyer", 145_000),
        ("Come up 5 and it's yours.", "seller", 145_000),
        ("3% off and we're done.", "buyer", 155_200),
        ("Knock 10k off.", "buyer", 150_000),
        ("I'll add another 2k.", "buyer", 142_000),
    ],
)
def test_relative_moves_start_from_the_right_number(text: str, seat: str, offer: float) -> None:
    own, standing = (160_000.0, 140_000.0) if seat == "seller" else (140_000.0, 160_000.0)
    reading = understand(text, money=SAAS, seat=seat, standing_offer=standing, own_offer=own)  # type: ignore[arg-type]
    assert (reading.kind, reading.offer) == ("offer", offer)


def test_a_relative_move_from_nowhere_binds_nothing() -> None:
    assert understand("Split the difference?", money=SAAS, seat="buyer").offer is None
    assert understand("3% off and we're done", money=SAAS, seat="buyer").offer is None


@pytest.mark.parametrize(
    "text",
    [
        "I was thinking the mid one-fifties.",
        "How about 150ish?",
        "Somewhere between 145 and 150.",
        "Around 150 maybe.",
        "€150k.",
        "What about 1,500?",
        "I can do 140. Or 145. Or 150.",
        "I wish I could do 150.",
        "$1.",
    ],
)
def test_what_is_doubtful_asks(text: str) -> None:
    reading = understand(text, money=SAAS, seat="seller")
    assert reading.offer is None or reading.confidence < CONFIDENCE_TO_BIND


def test_the_prior_scales_bare_numbers() -> None:
    assert understand("How about 148?", money=SAAS, seat="seller").offer == 148_000
    assert understand("How about 14?", money=ACQUISITION, seat="seller").offer == 14_000_000
    assert understand("How about $14.5?", money=ACQUISITION, seat="seller").offer == 14_500_000
    assert understand("How about $1?", money=ACQUISITION, seat="buyer").offer == 1


def test_the_span_is_where_the_figure_stands() -> None:
    text = "We’d say — all in — $148,500 and done."
    reading = understand(text, money=SAAS, seat="seller")
    assert reading.span is not None
    assert text[slice(*reading.span)] == "$148,500"


LEASE = MoneyContext(250_000, 1_100_000, per="year")


@pytest.mark.parametrize(
    ("text", "money", "figure"),
    [
        ("I'd pay $45,000 a month.", LEASE, 540_000),
        ("I'd pay $45,000 a month.", replace(LEASE, per=""), None),
        ("I'd pay $45 per kilo.", MoneyContext(20, 80, per="kilo"), 45),
        ("I'd pay $935 per tablet.", MoneyContext(400_000, 1_800_000), None),
        ("I'd pay $935 per tablet for 900 tablets.", MoneyContext(400_000, 1_800_000), 841_500),
        ("I'd take 6 months free, or 3.", LEASE, None),
    ],
)
def test_a_price_of_one_is_no_price_of_all(text: str, money: MoneyContext, figure: float | None) -> None:
    assert understand(text, money=money, seat="buyer").figure == figure


@pytest.mark.parametrize(
    "text",
    [
        "I'd pay $45,000 a month.",
        "We offer $640 each for 900 desks.",
        "We'd pay 400k now and the rest in spring.",
        "We'll take it at 900k total contract value.",
        "We'd pay 900k over 2 years.",
        "We want 500 delivered by week 8.",
        "We'd pay $300k per floor.",
    ],
)
def test_a_figure_that_may_measure_something_else_is_asked_about(text: str) -> None:
    reading = understand(text, money=LEASE, seat="buyer")
    assert reading.offer is not None
    assert reading.confidence < CONFIDENCE_TO_BIND
