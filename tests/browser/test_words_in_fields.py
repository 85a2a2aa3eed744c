"""What is typed goes into the fields where it leaves one meaning, and stands there to be seen before it binds."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.driver import answered, connected, lines, sign_in, start_deal

pytestmark = pytest.mark.browser


def test_a_clear_offer_with_its_terms_binds_without_a_question(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    start_deal(page, persona="shark", scenario="software_licensing")
    connected(page)
    before = lines(page).count()
    page.get_by_test_id("utterance").fill("For three years we could do 284k.")
    expect(page.get_by_test_id("offer")).to_have_value("$284,000")
    expect(page.get_by_test_id("term-term-y3")).to_be_checked()
    expect(page.get_by_test_id("send")).to_contain_text("binds $284,000")
    page.get_by_test_id("send").click()
    answered(page, before)
    expect(page.get_by_test_id("your-terms")).to_contain_text("3 years")
    expect(page.get_by_test_id("clarify")).to_be_hidden()


@pytest.mark.slow
def test_what_was_set_by_hand_is_left_alone_by_the_words(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    start_deal(page)
    page.get_by_test_id("offer").fill("171000")
    page.get_by_test_id("utterance").fill("We can do 168.")
    expect(page.locator("#echo, #understood-price").first).to_be_visible()
    page.wait_for_timeout(600)
    expect(page.get_by_test_id("offer")).to_have_value("$171,000")


@pytest.mark.slow
def test_words_taken_back_take_their_figure_with_them(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    start_deal(page)
    page.get_by_test_id("utterance").fill("We can do 168.")
    expect(page.get_by_test_id("offer")).to_have_value("$168,000")
    page.get_by_test_id("utterance").fill("")
    expect(page.get_by_test_id("offer")).to_have_value("")


@pytest.mark.slow
def test_a_question_of_the_trade_goes_into_the_field_and_an_argument_too(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    start_deal(page)
    page.get_by_role("button", name="Ask: What drives your timing?").click()
    expect(page.get_by_test_id("utterance")).to_have_value("What drives your timing?")
    expect(page.get_by_test_id("utterance")).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("f")
    expect(page.get_by_test_id("fact-sheet")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("utterance")).to_have_value(
        re.compile(r"What drives your timing\? We teach every shift")
    )


def test_words_that_named_another_figure_name_the_one_that_binds(visit: Visit) -> None:
    """Whoever means the field says one figure then, and is not marked down for two."""
    page = visit()
    sign_in(page)
    start_deal(page)
    connected(page)
    page.get_by_test_id("utterance").fill("If we sign this week, I can do $139,500.")
    page.get_by_test_id("offer").fill("140500")
    page.get_by_test_id("send").click()
    page.get_by_test_id("clarify").get_by_role("button", name="as in the offer field").click()
    said = page.get_by_test_id("transcript").get_by_text("If we sign this week")
    expect(said).to_have_text("If we sign this week, I can do $140,500.")
