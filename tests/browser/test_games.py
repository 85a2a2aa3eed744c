"""Small games in a real browser: each one whole, by keyboard and by mouse, on any width, open to all."""

from __future__ import annotations

from itertools import product

import pytest
from playwright.sync_api import Page, expect

from negotiation.smallgames.catalogue import CATALOGUE
from tests.browser.conftest import Visit
from tests.browser.driver import connected, fits, sign_in
from tests.browser.test_access import serious, serious_in_both

pytestmark = pytest.mark.browser

OPPONENTS = {
    "dilemma": "grim",
    "auction": "adaptive",
    "pie": "concede",
    "items": "hardball",
    "poker": "loose_aggressive",
}
"""Somebody to be known in each game."""
WIDTHS = (320, 768, 1440)


def sit_down(page: Page, game: str, opponent: str = "somebody") -> None:
    page.goto("/games/")
    page.get_by_test_id(f"game-{game}").click()
    page.get_by_test_id(f"opponent-{opponent}").click()
    expect(page.locator("#match")).to_be_visible()


def phase(page: Page) -> str:
    return page.locator("#match").get_attribute("data-phase") or ""


def moved_on(page: Page, before: str | None) -> None:
    page.wait_for_function("before => document.getElementById('match').dataset.after !== before", arg=before)


def move(page: Page, game: str, number: int) -> None:
    """One move by mouse; which one goes round with the number."""
    before = page.locator("#match").get_attribute("data-after")
    if game == "items":
        for kind in ("books", "hats", "balls"):
            counts = page.locator(f".count-choice:has(input[name={kind}])")
            counts.nth(number % counts.count()).click()
        page.get_by_test_id("ask").click()
    else:
        moves = page.get_by_test_id("move")
        moves.nth(number % moves.count()).click()
    moved_on(page, before)


def play_on(page: Page, game: str) -> None:
    number = 0
    while phase(page) == "play":
        move(page, game, number)
        number += 1


@pytest.mark.parametrize(("game", "across"), list(product(sorted(CATALOGUE), ("strategy", "trained model"))))
@pytest.mark.thorough
def test_a_game_against_somebody_known_is_played_to_its_result(visit: Visit, game: str, across: str) -> None:
    page = visit()
    sign_in(page)
    sit_down(page, game, OPPONENTS[game] if across == "strategy" else "apprentice")
    expect(page.get_by_test_id("known")).to_be_visible()
    page.locator("#match").evaluate("node => { window.before = performance.now(); }")
    move(page, game, 0)
    assert page.evaluate("window.before !== undefined"), "a move does not load a new page"
    expect(page.get_by_test_id("weighed")).to_contain_text("weighed")
    expect(page.locator(".weigh .chosen")).to_have_count(1)
    assert serious(page) == []
    play_on(page, game)
    expect(page.get_by_test_id("result")).to_be_visible()
    expect(page.locator("#match h1")).to_be_focused()
    expect(page.get_by_test_id("mark-best")).to_be_visible()
    assert serious(page) == []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert fits(page), width


@pytest.mark.parametrize(
    "game",
    [name if name == "poker" else pytest.param(name, marks=pytest.mark.slow) for name in sorted(CATALOGUE)],
)
def test_somebody_is_guessed_with_the_odds_drawn_as_they_sharpen(visit: Visit, game: str) -> None:
    page = visit(viewport={"width": 320, "height": 800})
    sign_in(page)
    sit_down(page, game)
    assert fits(page)
    assert serious_in_both(page) == []
    expect(page.get_by_test_id("name-them")).to_be_disabled()
    while page.get_by_test_id("name-them").is_disabled():
        move(page, game, 1)
    expect(page.locator(".odds")).to_have_count(0)
    page.get_by_test_id("ask-odds").click()
    suspects = page.locator(".suspect").count()
    assert suspects >= 7
    expect(page.locator(".odds")).to_have_count(suspects)
    columns = page.locator(".odds").first.locator("rect").count()
    assert columns >= 2
    assert fits(page)
    assert serious_in_both(page) == []
    play_on(page, game)
    expect(page.get_by_role("heading", level=1, name="Who was it?")).to_be_visible()
    assert page.locator(".odds").first.locator("rect").count() > columns
    page.locator("input[name=suspect]").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("result")).to_be_visible()
    expect(page.locator(".suspect.is-it")).to_have_count(1)
    expect(page.locator("#match h1")).to_be_focused()
    assert fits(page)
    assert serious_in_both(page) == []


@pytest.mark.slow
def test_on_a_phone_the_figures_of_all_rounds_are_whole(visit: Visit) -> None:
    page = visit(viewport={"width": 360, "height": 740})
    sign_in(page)
    sit_down(page, "dilemma", "grim")
    move(page, "dilemma", 0)
    ledger = page.locator(".ledger .scroll-x")
    assert ledger.evaluate("each => each.scrollWidth <= each.clientWidth")


@pytest.mark.slow
def test_a_match_is_played_by_number_keys_and_heard_once_a_round(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    sit_down(page, "dilemma", "tft")
    assert page.locator("[aria-live=polite]").count() == 1
    for number, key in enumerate("11111112", 1):
        expect(page.get_by_test_id("round")).to_contain_text(f"Round {number} of 8")
        page.keyboard.press(key)
        if number < 8:
            expect(page.locator("#live")).to_contain_text(
                f"Round {number}. You: Cooperated. They: Cooperated."
            )
            expect(page.get_by_test_id("move").first).to_be_focused()
    expect(page.get_by_test_id("result")).to_contain_text(
        "No answer to “Tit for tat” would have earned more."
    )
    expect(page.get_by_test_id("mark-paid")).to_have_text("3.25")
    expect(page.get_by_test_id("mark-balanced")).to_have_text("1.5")


@pytest.mark.slow
def test_a_reload_goes_on_and_a_lost_line_loses_nothing(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    sit_down(page, "auction", "tft_bid")
    move(page, "auction", 0)
    page.reload()
    expect(page.get_by_test_id("round")).to_contain_text("Round 2 of 6")
    page.context.set_offline(True)
    page.get_by_test_id("move").first.click()
    expect(page.locator("#line-banner")).to_be_visible()
    page.context.set_offline(False)
    connected(page)
    expect(page.get_by_test_id("round")).to_contain_text("Round 3 of 6")
    expect(page.get_by_test_id("ledger").locator("tbody tr")).to_have_count(2)


@pytest.mark.slow
def test_another_window_follows_and_a_move_in_one_that_was_behind_is_refused(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    sit_down(page, "pie", "hard")
    connected(page)
    other = visit()
    other.context.add_cookies(page.context.cookies())  # type: ignore[arg-type]  # what one gives the other takes
    other.goto(page.url)
    connected(other)
    move(page, "pie", 0)
    expect(other.get_by_test_id("round")).to_contain_text("Round 2 of 4")
    other.context.set_offline(True)
    expect(other.locator("#line-banner")).to_be_visible()
    move(page, "pie", 0)
    other.get_by_test_id("move").first.click()
    other.context.set_offline(False)
    expect(other.locator("#lost")).to_contain_text("had moved on")
    expect(other.get_by_test_id("round")).to_contain_text("Round 3 of 4")


@pytest.mark.slow
def test_a_guest_plays_and_the_progress_page_and_the_lobby_lead_there(visit: Visit) -> None:
    page = visit()
    page.goto("/")
    page.locator("form[action='/guest/'] button").first.click()
    page.wait_for_url("**/deals/*/")
    page.goto("/")
    page.get_by_role("link", name="Small games").click()
    sit_down(page, "pie", "fair")
    play_on(page, "pie")
    page.goto("/progress/")
    expect(page.get_by_test_id("small-games")).to_contain_text("1 played")
    assert serious(page) == []
    page.set_viewport_size({"width": 320, "height": 800})
    assert fits(page)
    page.get_by_test_id("small-games").get_by_role("link", name="Pie split").click()
    expect(page.get_by_test_id("best")).to_be_visible()
    assert fits(page)
    assert serious(page) == []


@pytest.mark.slow
def test_without_scripts_a_match_is_played_all_the_same(visit: Visit) -> None:
    page = visit(java_script_enabled=False)
    page.goto("/accounts/login/")
    page.get_by_label("Email").fill("rep@demo.local")
    page.get_by_label("Password").fill("parlay-demo")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("link", name="New deal")).to_be_visible()  # else what follows cuts it off
    sit_down(page, "pie", "fair")
    for _ in range(4):
        page.get_by_test_id("move").nth(4).click()
    expect(page.get_by_test_id("mark-paid")).to_have_text("5")
