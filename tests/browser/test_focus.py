"""Where the keyboard is: on arrival at a page, after Escape, and in menus. Never nowhere."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.driver import sign_in, start_deal
from tests.browser.test_guide import sat_down
from tests.browser.test_review import REVIEWED
from tests.servers import Stack

pytestmark = pytest.mark.browser


def ready(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator("html[data-ready]")).to_be_attached()


def test_on_arrival_one_is_at_what_the_page_is_about(visit: Visit, server: Stack) -> None:
    newcomer, page = visit(), visit()
    sat_down(newcomer)
    expect(newcomer.locator("#guide-title")).to_be_focused()
    sign_in(page)
    start_deal(page)
    expect(page.get_by_test_id("transcript")).to_be_focused()
    deal = f"/deals/{server.tell(REVIEWED).strip()}"
    ready(page, f"{deal}/debrief/")
    expect(page.locator("#went-h")).to_be_focused()
    ready(page, f"{deal}/debrief/#comments")
    expect(page.locator("#went-h")).not_to_be_focused()
    page.goto(f"{deal}/moves/")
    expect(page.locator("#review-turn")).to_be_focused(timeout=15_000)
    page.goto(f"{deal}/moves/#turn-2")
    expect(page.locator("#review-turn")).to_be_focused(timeout=15_000)
    page.keyboard.press("h")
    expect(page.locator("#review-turn")).to_be_focused()


def test_escape_leads_from_a_field_to_the_talk_and_from_a_question_to_where_one_was(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    start_deal(page)
    transcript = page.get_by_test_id("transcript")
    for field in ("utterance", "offer", "belief-walk-away"):
        page.get_by_test_id(field).focus()
        page.keyboard.press("Escape")
        expect(transcript).to_be_focused()
    page.keyboard.press("w")
    expect(page.locator("#confirm-dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(transcript).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator(".talk :focus")).to_have_count(1)


@pytest.mark.parametrize(("menu", "width"), [(".more", 768), (".nav-menu", 360)])
def test_a_menu_closes_on_escape_wherever_the_focus_is_and_on_a_press_beside_it(
    visit: Visit, server: Stack, menu: str, width: int
) -> None:
    page = visit(viewport={"width": width, "height": 900})
    sign_in(page)
    ready(page, f"/deals/{server.tell(REVIEWED).strip()}/debrief/")
    opened = page.locator(f"{menu}[open]")
    page.locator(f"{menu} > summary").click()
    expect(opened).to_have_count(1)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Escape")
    expect(opened).to_have_count(0)
    expect(page.locator(f"{menu} > summary")).to_be_focused()
    page.keyboard.press("Enter")
    expect(opened).to_have_count(1)
    page.locator("#went-h").click()
    expect(opened).to_have_count(0)
