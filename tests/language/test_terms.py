"""Which options a text names, against the scenarios' own issues."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation.engine.deal import scenarios
from negotiation.engine.language import OptionNames, Reading, named_terms, understand


def names_of(scenario: str) -> tuple[OptionNames, ...]:
    return scenarios()[scenario].option_names


MULTI = [each.id for each in scenarios().values() if each.issues]


@pytest.mark.parametrize(
    ("scenario", "text", "named"),
    [
        ("software_licensing", "Let's say three years.", {"term": "y3"}),
        (
            "software_licensing",
            "We can do 3 years with quarterly billing.",
            {"term": "y3", "billing": "quarterly"},
        ),
        (
            "software_licensing",
            "A 3-year term and 24/7 support.",
            {"term": "y3", "support": "round_the_clock"},
        ),
        (
            "software_licensing",
            "THREE-YEAR TERM, ROUND THE CLOCK",
            {"term": "y3", "support": "round_the_clock"},
        ),
        (
            "software_licensing",
            "24x7 support, two years, 240k.",
            {"term": "y2", "support": "round_the_clock"},
        ),
        ("software_licensing", "Twenty-four months at 231,500.", {"term": "y2"}),
        ("software_licensing", "Invoice us every three months.", {"billing": "quarterly"}),
        ("software_licensing", "We'd pay a year up front.", {"billing": "yearly"}),
        ("software_licensing", "Not three years.", {}),
        ("software_licensing", "We can't go to three years.", {}),
        ("software_licensing", "Not three years, two years.", {"term": "y2"}),
        ("software_licensing", "Three years is too long for us.", {}),
        ("software_licensing", "Three years doesn't work.", {}),
        ("software_licensing", "Two years instead of three years.", {"term": "y2"}),
        ("software_licensing", "One year rather than three years.", {"term": "y1"}),
        ("software_licensing", "Two years or three years, as you like.", {}),
        ("software_licensing", "Would three years help?", {}),
        ("software_licensing", "Would three years help? I can do two years.", {"term": "y2"}),
        (
            "software_licensing",
            "No round-the-clock support, but a named engineer.",
            {"support": "named_engineer"},
        ),
        ("procurement_hardware", "Net 30, 8 weeks.", {"payment": "net_30", "delivery": "w8"}),
        ("software_licensing", "We have traded for 13 years.", {}),
        ("software_licensing", "The biannual yearbook.", {}),
        ("software_licensing", "We offer 240,000.", {}),
        ("procurement_hardware", "Eight weeks, net sixty.", {"delivery": "w8", "payment": "net_60"}),
        ("procurement_hardware", "12 weeks and payment in 90 days", {"delivery": "w12", "payment": "net_90"}),
        ("procurement_hardware", "3 years, spares on site", {"warranty": "spares_3"}),
        ("procurement_hardware", "3 years, sent to the depot", {"warranty": "depot_3"}),
        ("commercial_lease", "Ten years with a break after 5", {"term": "y10_break"}),
        ("commercial_lease", "With ten years and that break, 588,000.", {"term": "y10_break"}),
        ("commercial_lease", "540 for 10 years with the break", {"term": "y10_break"}),
        ("commercial_lease", "Ten years firm, no rent-free months.", {"term": "y10", "rent_free": "none"}),
        ("commercial_lease", "Six months rent-free and turnkey.", {"rent_free": "m6", "fit_out": "turnkey"}),
    ],
)
def test_a_text_names_the_options_that_it_proposes(scenario: str, text: str, named: dict[str, str]) -> None:
    assert named_terms(text, names_of(scenario)) == named


@pytest.mark.parametrize("scenario", MULTI)
def test_every_option_is_heard_by_its_label_and_by_each_of_its_other_names(scenario: str) -> None:
    names = names_of(scenario)
    for option in names:
        for name in option.names:
            assert named_terms(f"We propose {name}.", names) == {option.issue: option.option}, name
            assert named_terms(f"How about {name}?", names) == {}, name


@pytest.mark.parametrize("scenario", MULTI)
@given(text=st.text(max_size=300))
def test_any_text_is_read_without_harm(scenario: str, text: str) -> None:
    names = names_of(scenario)
    known = {(each.issue, each.option) for each in names}
    assert set(named_terms(text, names).items()) <= known


def test_where_only_the_price_is_open_no_text_names_a_term() -> None:
    assert named_terms("Three years, net 60.", names_of("saas_enterprise")) == {}


@pytest.mark.parametrize("scenario", MULTI)
def test_the_name_of_an_option_is_never_read_as_a_price(scenario: str) -> None:
    """Alone it proposes no figure; beside a figure it leaves the figure as it is."""
    made = scenarios()[scenario]
    price = made.round(made.nominal_middle)

    def read(text: str) -> Reading:
        return understand(
            text, money=made.money, seat="seller", standing_offer=price * 0.9, own_offer=price * 1.1
        )

    for option in made.option_names:
        for name in option.names:
            assert read(f"We can do {name}.").figure is None, name
            for text in (f"We can do ${price:,.0f} with {name}.", f"With {name}, we offer ${price:,.0f}."):
                assert read(text).offer == price, text
