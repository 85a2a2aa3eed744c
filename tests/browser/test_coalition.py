"""A deal for three in the browser: played by keyboard and mouse to its debrief, on wide and narrow windows."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.driver import connected, fits, sign_in
from tests.browser.test_access import serious_in_both

pytestmark = pytest.mark.browser


def sit_down(page: Page, seat: str = "seller") -> None:
    page.goto("/deals/new/")
    page.get_by_test_id("three-at-the-table").click()
    page.get_by_test_id(f"coalition-seat-{seat}").click()
    page.get_by_test_id("start-coalition").click()
    expect(page.locator("html[data-ready]")).to_be_attached()


def lines(page: Page) -> int:
    return page.get_by_test_id("opponent-line").count()


def say(page: Page, text: str) -> None:
    """One turn of words, up to both answers or the end."""
    before = lines(page)
    page.get_by_test_id("words").fill(text)
    page.get_by_test_id("send-turn").click()
    page.wait_for_function(
        "before => document.querySelectorAll('[data-testid=opponent-line]').length > before", arg=before
    )


def propose(page: Page, coalition: str, **pays: str) -> None:
    page.locator(".pill", has_text=coalition).click()
    for seat, pay in pays.items():
        page.get_by_test_id(f"pay-{seat}").fill(pay)


def play_on(page: Page) -> None:
    """Talk, and take the best that leaves something, until it is over."""
    for number in range(13):
        if page.get_by_test_id("coalition-end").is_visible():
            return
        good = page.locator(".offer-card", has=page.locator(".gain:not(.none)")).get_by_test_id("support")
        if number > 5 and good.count():
            before = lines(page)
            good.first.click()
            confirm = page.get_by_test_id("confirm-yes")
            if confirm.is_visible():
                confirm.click()
            page.wait_for_function(
                """before => document.querySelectorAll('[data-testid=opponent-line]').length > before
                || !document.getElementById('end').hidden""",
                arg=before,
            )
        else:
            say(page, f"What would it take, number {number}?")
    expect(page.get_by_test_id("coalition-end")).to_be_visible()


def test_a_whole_deal_from_the_picker_to_its_debrief(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    sit_down(page, "buyer_b")
    assert serious_in_both(page) == []
    propose(page, "All three", buyer_a="115k", buyer_b="92,000")
    expect(page.get_by_test_id("turn-gain")).to_have_text(re.compile(r"This leaves you \$[\d,]+\."))
    say(page, "There is more in it for all of us if we share.")
    expect(page.locator(".offer-card", has_text="You proposed it")).to_be_visible()
    expect(page.locator("#triangle .by-buyer_b.standing")).to_be_attached()
    page.reload()
    expect(page.get_by_test_id("own-line")).to_contain_text("There is more in it for all of us")
    play_on(page)
    assert serious_in_both(page) == []
    page.get_by_role("link", name="See what they were hiding").click()
    expect(page.get_by_test_id("coalition-shapley")).to_have_text(re.compile(r"\$[\d,]+"))
    expect(page.locator("#triangle .tri-core")).to_be_attached()
    page.get_by_text("The numbers").first.click()
    assert serious_in_both(page) == []
    page.set_viewport_size({"width": 360, "height": 740})
    seats = page.get_by_role("region", name="Gains by seat")
    assert seats.evaluate("each => each.scrollWidth <= each.clientWidth"), "who got what is whole on a phone"
    page.goto("/")
    expect(page.get_by_text("Three at the table")).to_be_visible()
    assert serious_in_both(page) == []


@pytest.mark.parametrize(("width", "height"), [(768, 1024), (1280, 800), (1440, 900)])
def test_the_table_stays_in_its_window_with_the_talk_in_sight(visit: Visit, width: int, height: int) -> None:
    page = visit(viewport={"width": width, "height": height})
    sign_in(page)
    sit_down(page)
    say(page, "What would it take?")
    propose(page, "All three", buyer_a="121,000", buyer_b="92,000")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    for part in (page.get_by_test_id("opponent-line").last, page.get_by_test_id("send-turn")):
        expect(part).to_be_in_viewport(ratio=0.9)
    expect(page.get_by_test_id("support").first).to_be_in_viewport()


def test_on_a_phone_the_talk_comes_before_what_it_is_about(visit: Visit) -> None:
    page = visit(viewport={"width": 360, "height": 740})
    sign_in(page)
    sit_down(page)
    say(page, "What would it take?")
    expect(page.get_by_test_id("opponent-line").last).to_be_in_viewport(ratio=0.9)
    expect(page.get_by_role("heading", name="On the table")).to_be_in_viewport()


@pytest.mark.slow
def test_a_loss_is_asked_about_and_the_depot_balances_itself(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    sit_down(page, "buyer_a")
    propose(page, "You and Sana take the depot", buyer_a="149,000")
    expect(page.get_by_test_id("pay-buyer_b")).to_have_value("$1,000")
    expect(page.get_by_test_id("turn-gain")).to_contain_text("This costs you")
    page.get_by_test_id("send-turn").click()
    expect(page.get_by_role("dialog")).to_contain_text("worse off")
    page.get_by_test_id("confirm-no").click()
    expect(page.get_by_test_id("own-line")).to_have_count(0)
    page.get_by_test_id("pay-buyer_a").fill("a lot")
    page.get_by_test_id("send-turn").click()
    expect(page.get_by_role("alert")).to_have_text("Say what each buyer pays.")
    expect(page.get_by_test_id("pay-buyer_a")).to_be_focused()


@pytest.mark.slow
def test_it_is_played_by_keyboard_alone(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    sit_down(page)
    page.get_by_role("radio", name="Nothing, just talk").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="All three share the store")).to_be_checked()
    page.get_by_label("Northfield pays").focus()
    page.keyboard.type("130k")
    page.keyboard.press("Tab")
    page.keyboard.type("110k")
    page.get_by_role("radio", name="Everybody").focus()
    page.keyboard.press("Tab")
    page.keyboard.type("Good evening.")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_test_id("own-line")).to_contain_text("Northfield pays $130,000, Sana pays $110,000")
    expect(page.locator("#live")).not_to_be_empty()
    page.get_by_test_id("leave").focus()
    page.keyboard.press("Enter")
    page.get_by_test_id("confirm-yes").press("Enter")
    expect(page.locator("#end-title")).to_be_focused()


@pytest.mark.slow
def test_a_cut_line_shows_and_heals_and_a_turn_that_fell_into_it_is_taken_once(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    sit_down(page)
    connected(page)
    page.context.set_offline(True)
    expect(page.locator("#line-banner")).to_be_visible()
    expect(page.get_by_test_id("connection")).to_have_text("Reconnecting")
    page.get_by_test_id("words").fill("Good evening.")
    page.get_by_test_id("send-turn").click()
    expect(page.locator("#turn")).to_have_attribute("aria-busy", "true")
    expect(page.get_by_test_id("own-line")).to_have_count(0)
    page.context.set_offline(False)
    connected(page)
    expect(page.locator("#line-banner")).to_be_hidden()
    expect(page.get_by_test_id("own-line")).to_have_count(1)
    expect(page.get_by_test_id("opponent-line")).not_to_have_count(0)
    page.reload()
    expect(page.get_by_test_id("own-line")).to_have_count(1)


@pytest.mark.slow
def test_a_coach_watches_with_all_cards_open_and_the_player_is_told(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    sit_down(page)
    say(page, "What would you need?")
    page.get_by_test_id("spectate-link").click()
    page.get_by_role("button", name="Link for a coach").click()
    expect(page.locator("#link-url")).to_have_value(re.compile("/coalition-watch/"))
    url = page.locator("#link-url").input_value()
    page.get_by_role("button", name="Close", exact=True).click()
    coach = visit()
    coach.goto(url)
    connected(coach)
    expect(coach.get_by_test_id("truth-stakes")).to_contain_text("Shapley value")
    expect(coach.locator("#triangle .tri-core")).to_be_attached()
    expect(page.get_by_test_id("watched")).to_contain_text("played with help")
    assert serious_in_both(coach) == []
    assert fits(coach)
    before = coach.get_by_test_id("opponent-line").count()
    say(page, "And if all three of us shared?")
    expect(coach.get_by_test_id("opponent-line").nth(before)).to_be_visible()
    page.get_by_test_id("spectate-link").click()
    page.get_by_role("button", name="Withdraw my links").click()
    expect(coach.locator("#line-banner")).to_contain_text("withdrawn")


@pytest.mark.slow
def test_without_scripts_the_form_still_works(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    sit_down(page)
    plain = visit(java_script_enabled=False)
    plain.context.add_cookies(page.context.cookies())  # type: ignore[arg-type]  # what one gives the other takes
    plain.goto(page.url)
    plain.get_by_role("radio", name="All three share the store").check()
    plain.get_by_label("Northfield pays").fill("130000")
    plain.get_by_label("Sana pays").fill("110000")
    plain.get_by_label("What you say").fill("Let us share.")
    plain.get_by_role("button", name="Say it").click()
    expect(plain.locator(".plain-said")).to_contain_text("Northfield pays $130,000, Sana pays $110,000")
    assert fits(plain)
    expect(page.get_by_test_id("own-line")).to_contain_text("Let us share.")


@pytest.mark.slow
@pytest.mark.parametrize(
    "width", [320, *(pytest.param(width, marks=pytest.mark.thorough) for width in (768, 1440))]
)
def test_nothing_reaches_out_of_the_window(visit: Visit, width: int) -> None:
    page = visit(viewport={"width": width, "height": 800})
    sign_in(page)
    sit_down(page, "buyer_a")
    say(page, "Where do we begin?")
    page.get_by_text("Your brief, and what everybody knows").click()
    assert fits(page)
    page.get_by_test_id("leave").click()
    page.get_by_test_id("confirm-yes").click()
    page.get_by_role("link", name="See what they were hiding").click()
    expect(page.locator("#triangle svg")).to_be_visible()
    page.get_by_text("The numbers").first.click()
    assert fits(page)
