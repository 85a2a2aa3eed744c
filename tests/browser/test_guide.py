"""A first deal, guided: one control at a time, by mouse, by keys and on a phone, and left at any moment."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.driver import answered, fits, lines, over
from tests.browser.test_access import serious_in_both

pytestmark = pytest.mark.browser
HIDDEN_AT_FIRST = ("offer", "accept", "walk-away", "card-silence", "belief-walk-away", "tension")


def sat_down(page: Page) -> None:
    page.goto("/")
    page.locator("form[action='/guest/'] button").first.click()
    expect(page.locator("html[data-ready]")).to_be_attached()
    step(page, "ask")


def step(page: Page, name: str) -> None:
    expect(page.locator("html")).to_have_attribute("data-guide", name)


def ask(page: Page) -> None:
    before = lines(page).count()
    page.locator(".chip").first.click()
    page.get_by_test_id("send").click()
    answered(page, before)


def name_a_number(page: Page) -> None:
    before = lines(page).count()
    page.get_by_test_id("utterance").fill("172, with onboarding for everybody before the winter.")
    page.get_by_test_id("offer").fill("172000")
    page.get_by_test_id("send").click()
    answered(page, before)


def stays_on_the_screen(page: Page) -> None:
    assert fits(page)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    # Of the questions the first is whole; a row of them scrolls on a phone.
    for control in page.locator(
        "#guide-do button:not(.chip + .chip):visible, .composer:visible #send, .composer:visible #utterance"
    ).all():
        expect(control).to_be_in_viewport(ratio=0.9)


@pytest.mark.parametrize(
    ("width", "height", "theme"),
    [pytest.param(1440, 900, "dark", marks=pytest.mark.thorough), (360, 740, "light")],
)
def test_five_controls_are_met_one_by_one_and_it_ends_in_a_debrief(
    visit: Visit, width: int, height: int, theme: str
) -> None:
    page = visit(viewport={"width": width, "height": height}, color_scheme=theme)
    sat_down(page)
    for name in HIDDEN_AT_FIRST:
        expect(page.get_by_test_id(name)).to_be_hidden()
    stays_on_the_screen(page)
    assert serious_in_both(page) == []
    ask(page)
    step(page, "number")
    expect(page.get_by_test_id("offer")).to_be_visible()
    expect(page.locator("#ruler svg")).to_be_visible()
    stays_on_the_screen(page)
    name_a_number(page)
    step(page, "card")
    stays_on_the_screen(page)
    assert serious_in_both(page) == []
    before = lines(page).count()
    page.get_by_role("button", name="Play Silence").click()
    answered(page, before)
    step(page, "read")
    stays_on_the_screen(page)
    assert serious_in_both(page) == []
    page.reload()
    step(page, "read")
    page.get_by_role("button", name="That is my read").click()
    step(page, "close")
    stays_on_the_screen(page)
    assert serious_in_both(page) == []
    page.reload()
    step(page, "close")
    for _ in range(3):
        further = page.locator(".way", has_text="One more step")
        if over(page) or further.count() == 0:
            break
        before = lines(page).count()
        further.click()
        stays_on_the_screen(page)
        page.get_by_test_id("send").click()
        answered(page, before)
    if not over(page):
        page.get_by_role("button", name="Walk away").first.click()
        page.get_by_test_id("confirm").click()
    step(page, "end")
    assert serious_in_both(page) == []
    page.get_by_role("link", name="See what they were hiding").click()
    expect(page.get_by_test_id("debrief-price")).to_be_visible()


@pytest.mark.slow
def test_it_is_left_at_any_step_and_the_same_deal_goes_on_at_the_whole_table(visit: Visit) -> None:
    page = visit()
    sat_down(page)
    ask(page)
    name_a_number(page)
    step(page, "card")
    said = lines(page).count()
    page.get_by_test_id("guide-leave").click()
    expect(page.locator("html[data-guide]")).to_have_count(0)
    assert lines(page).count() == said
    expect(page.get_by_test_id("utterance")).to_be_focused()
    for name in ("offer", "accept", "walk-away", "card-silence", "belief-walk-away", "tension"):
        expect(page.get_by_test_id(name)).to_be_visible()
    page.reload()
    expect(page.get_by_test_id("card-silence")).to_be_visible()
    assert page.locator("html[data-guide]").count() == 0


@pytest.mark.slow
def test_by_keys_alone_up_to_the_read(visit: Visit) -> None:
    page = visit()
    sat_down(page)
    before = lines(page).count()
    page.locator(".chip").first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("utterance")).to_be_focused()
    page.keyboard.press("Control+Enter")
    answered(page, before)
    step(page, "number")
    page.keyboard.type("We ask 172.")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.get_by_test_id("offer").press_sequentially("172000")
    before = lines(page).count()
    page.keyboard.press("Enter")
    answered(page, before)
    step(page, "card")
    expect(page.locator("#guide-title")).to_be_focused()
    before = lines(page).count()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    answered(page, before)
    step(page, "read")
    expect(page.locator("#guide-live")).to_contain_text("Where does")
    page.keyboard.press("Tab")
    says = page.locator(".band-says").inner_text()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".band-says")).not_to_have_text(says, use_inner_text=True)


@pytest.mark.slow
def test_a_number_at_once_is_a_move_that_the_guide_answers(visit: Visit) -> None:
    page = visit()
    sat_down(page)
    before = lines(page).count()
    page.get_by_test_id("utterance").fill("Our price is $171,000.")
    expect(page.locator("#understood-price")).to_have_text("$171,000")
    page.get_by_test_id("send").click()
    answered(page, before)
    step(page, "card")
