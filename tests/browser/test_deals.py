"""Whole deals in a browser: by mouse, by keyboard alone, on a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.driver import (
    answered,
    close_deal,
    connected,
    fits,
    lines,
    over,
    say,
    sign_in,
    sign_in_by_hand,
    start_deal,
    start_deal_by_hand,
)

pytestmark = pytest.mark.browser


def test_by_mouse_from_the_first_page_to_the_debrief(visit: Visit) -> None:
    page = visit()
    page.goto("/")
    page.get_by_role("button", name="Play a deal now").click()
    connected(page)
    page.get_by_test_id("guide-leave").click()
    expect(page.get_by_test_id("briefing")).to_be_visible()
    page.get_by_test_id("card-reframe").click()
    say(page, "Thanks for making the time. What matters most on your side?")
    page.get_by_test_id("belief-walk-away").fill("160,000")
    say(page, "We can do 172.", "172000")
    expect(page.locator("#your-offer")).to_have_text("$172,000")
    expect(page.get_by_test_id("zopa-remaining")).to_contain_text("whole")
    if not over(page):
        say(page, "For a signature this month I can go to 165.", "165k")
    close_deal(page)
    expect(page.locator("#finish")).to_contain_text("Closed at $")
    page.get_by_role("link", name="See what they were hiding").click()
    expect(page.get_by_test_id("debrief-efficiency")).to_have_text(re.compile(r"^[\d.]+%$"))
    expect(page.get_by_test_id("debrief-price")).to_have_text(re.compile(r"^\$[\d,]+$"))
    expect(page.get_by_test_id("debrief-left-on-table")).to_have_text(re.compile(r"^\$[\d,]+$"))
    expect(page.locator("#ruler svg")).to_be_visible()
    page.get_by_test_id("tab-score").click()
    expect(page.locator("[data-figure=terms][data-drawn]")).to_be_visible(timeout=15_000)


def _choose(page: Page, legend: str, steps: int) -> None:
    """Reach a group of radio buttons with Tab, move in it with the arrows."""
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.name") == legend:
            break
    for _ in range(steps):
        page.keyboard.press("ArrowDown")


def test_by_keyboard_alone(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    page.goto("/deals/new/")
    _choose(page, "scenario", 0)
    _choose(page, "seat", 1)
    _choose(page, "persona", 2)
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("briefing")).to_be_visible()
    connected(page)
    expect(page.locator("#your-limit")).to_contain_text("$")

    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard")).to_be_visible()
    page.keyboard.press("Escape")
    before = lines(page).count()
    page.keyboard.press("/")
    page.keyboard.type("Good morning. How did you arrive at your number?")
    page.keyboard.press("Control+Enter")
    answered(page, before)
    page.keyboard.press("Escape")

    page.keyboard.press("b")
    page.keyboard.type("128000")
    page.keyboard.press("Escape")
    page.keyboard.press("c")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("card-anchor_high")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("o")
    page.keyboard.type("112k")
    page.keyboard.press("Enter")
    answered(page, before + 1)
    expect(page.locator("#your-offer")).to_have_text("$112,000")

    page.keyboard.press("Escape")
    page.keyboard.press("k")
    assert page.evaluate("document.activeElement.matches('.line')")
    page.keyboard.press("w")
    expect(page.get_by_role("dialog", name="Walk away?")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#finish")).to_contain_text("No deal")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("debrief-price")).to_have_text("No deal")


def test_on_a_phone(visit: Visit) -> None:
    page = visit(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    sign_in_by_hand(page)
    start_deal_by_hand(page, persona="veteran", scenario="acquisition_term_sheet")
    assert fits(page)
    page.get_by_role("button", name="Cards").tap()
    page.get_by_test_id("card-silence").tap()
    page.get_by_role("button", name="Close cards").tap()
    say(page, "")
    page.get_by_role("button", name="Ruth", exact=True).tap()
    page.get_by_test_id("belief-walk-away").fill("15.5M")
    page.keyboard.press("Escape")
    say(page, "We are looking for 17.2 million.", "17.2M")
    assert fits(page)
    for part in ("utterance", "offer", "send", "accept", "walk-away", "tension", "zopa-remaining", "avatar"):
        expect(page.get_by_test_id(part)).to_be_in_viewport()
    close_deal(page)
    assert fits(page)
    page.get_by_role("link", name="See what they were hiding").tap()
    expect(page.get_by_test_id("debrief-price")).to_be_visible()
    assert fits(page)


def test_another_deal_with_the_same_opponent_is_one_press_from_the_end(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    start_deal(page, persona="veteran", seat="buyer")
    page.get_by_test_id("walk-away").click()
    page.get_by_test_id("confirm").click()
    expect(page.get_by_role("link", name="See what they were hiding")).to_be_focused()
    over = page.url
    page.get_by_test_id("play-another").click()
    page.wait_for_url(lambda address: address != over)
    connected(page)
    expect(page.get_by_test_id("avatar")).to_have_attribute("data-persona", "veteran")
    expect(page.get_by_test_id("briefing")).to_contain_text("You buy for")
    expect(page.locator("#turn-clock")).to_have_text("Opening")
