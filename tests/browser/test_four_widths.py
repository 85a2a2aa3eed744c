"""Every page that people meet at the four widths of the acceptance, in both themes: axe finds nothing, nothing reaches
out of the window, and the pages that must not scroll don't."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser import test_coalition as three
from tests.browser import test_diplomacy as board
from tests.browser import test_games as small
from tests.browser.conftest import Visit
from tests.browser.driver import answered, close_deal, connected, fits, lines, say, sign_in, start_deal
from tests.browser.screens import deals
from tests.browser.test_access import serious_in_both
from tests.browser.test_guide import ask, name_a_number, sat_down, step
from tests.browser.test_review import REVIEWED
from tests.browser.test_skills import open_progress, somebody
from tests.browser.test_table_window import NEWS, TALLER, TERMS
from tests.servers import Stack

pytestmark = [pytest.mark.browser, pytest.mark.thorough]
WINDOWS = ((360, 740), (768, 1024), (1280, 800), (1440, 900))


def shuts_nobody_out(page: Page, *, still: bool = True) -> None:
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        assert fits(page), width
        if still:
            page.wait_for_function(f"{TALLER} <= 0", timeout=5_000)
        assert serious_in_both(page) == [], width


@pytest.mark.parametrize("code", [TERMS, NEWS], ids=["terms", "news"])
def test_the_table(visit: Visit, server: Stack, code: str) -> None:
    page = visit()
    sign_in(page)
    page.goto(f"/deals/{server.tell(code).split()[0]}/")
    connected(page)
    shuts_nobody_out(page)


def test_a_first_deal(visit: Visit) -> None:
    page = visit()
    sat_down(page)
    shuts_nobody_out(page)
    ask(page)
    name_a_number(page)
    step(page, "card")
    shuts_nobody_out(page)
    before = lines(page).count()
    page.get_by_role("button", name="Play Silence").click()
    answered(page, before)
    step(page, "read")
    shuts_nobody_out(page)
    page.get_by_role("button", name="That is my read").click()
    step(page, "close")
    shuts_nobody_out(page)
    page.get_by_test_id("guide-leave").click()
    expect(page.get_by_test_id("card-silence")).to_be_visible()
    shuts_nobody_out(page)


def test_the_review_with_their_side(visit: Visit, server: Stack) -> None:
    page = visit()
    sign_in(page)
    page.goto(f"/deals/{server.tell(REVIEWED).strip()}/moves/")
    expect(page.get_by_role("region", name="The position")).to_be_visible(timeout=15_000)
    page.keyboard.press("h")
    shuts_nobody_out(page)


def test_the_landing_and_the_lobby(visit: Visit) -> None:
    page = visit()
    page.goto("/")
    shuts_nobody_out(page, still=False)
    sign_in(page)
    page.goto("/")
    shuts_nobody_out(page, still=False)


def test_a_new_deal_for_two_its_briefing_and_one_for_three(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    page.goto("/deals/new/")
    shuts_nobody_out(page, still=False)
    page.get_by_test_id("three-at-the-table").click()
    expect(page.get_by_test_id("coalition-seat-seller")).to_be_visible()
    shuts_nobody_out(page, still=False)
    start_deal(page, scenario="software_licensing")
    shuts_nobody_out(page)


@pytest.mark.parametrize("case", ["deal", "wordless"])
def test_a_debrief_with_words_and_without(visit: Visit, server: Stack, case: str) -> None:
    page = visit()
    sign_in(page)
    page.goto(f"/deals/{server.tell(deals.DEBRIEFS[case]).split()[0]}/debrief/")
    expect(page.locator("html[data-ready]")).to_be_attached()
    shuts_nobody_out(page, still=False)


def test_progress(visit: Visit, server: Stack) -> None:
    page = visit()
    open_progress(page, somebody(server))
    shuts_nobody_out(page, still=False)


def test_three_at_the_table_and_their_debrief(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    three.sit_down(page)
    three.say(page, "What would it take?")
    three.propose(page, "All three", buyer_a="121,000", buyer_b="92,000")
    shuts_nobody_out(page, still=False)
    page.get_by_test_id("leave").click()
    page.get_by_test_id("confirm-yes").click()
    page.get_by_role("link", name="See what they were hiding").click()
    expect(page.locator("#triangle svg")).to_be_visible()
    shuts_nobody_out(page, still=False)


def test_small_games(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    page.goto("/games/")
    shuts_nobody_out(page, still=False)
    small.sit_down(page, "dilemma", "grim")
    small.move(page, "dilemma", 0)
    shuts_nobody_out(page, still=False)


def test_diplomacy_and_its_lesson(visit: Visit, server: Stack) -> None:
    page = visit()
    sign_in(page)
    page.goto("/diplomacy/")
    shuts_nobody_out(page, still=False)
    board.sit_down(page)
    board.write(page, "GERMANY", "I will not attack you until fall 1901.")
    page.locator('.unit[data-unit="A PAR"]').click()
    shuts_nobody_out(page, still=False)
    board.send_orders(page)
    board.go_on(page)
    page.locator("#leave-button").click()
    page.get_by_test_id("leave-yes").click()
    page.get_by_test_id("lesson").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    server.tell(deals.LESSONS)
    expect(page.get_by_test_id("chapter").first).to_be_visible()
    shuts_nobody_out(page, still=False)


def test_watching_with_both_sides_and_by_a_link(visit: Visit) -> None:
    page, manager, guest = visit(), visit(), visit()
    sign_in(page)
    start_deal(page, persona="shark")
    say(page, "We start at 178.", "178000")
    sign_in(manager, "manager@demo.local")
    for address in ("/team/", "/"):
        manager.goto(address)
        shuts_nobody_out(manager, still=False)
    manager.locator("[data-watch-game]").last.click()
    connected(manager)
    shuts_nobody_out(manager, still=False)
    page.get_by_test_id("spectate-link").click()
    page.get_by_role("button", name="Link for a watcher").click()
    link = page.get_by_label("Link for a watcher")
    expect(link).not_to_have_value("")
    guest.goto(link.input_value())
    connected(guest)
    shuts_nobody_out(guest)
    page.get_by_role("button", name="Close", exact=True).click()
    close_deal(page)
    expect(manager.locator("#watched-on")).to_be_visible()
    shuts_nobody_out(manager, still=False)
    shuts_nobody_out(guest)
