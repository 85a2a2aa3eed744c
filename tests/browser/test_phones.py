"""Small screens: everything is within reach, nothing lies behind the composer, and Tab goes as the eye does."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.driver import connected, fits, lines, say, sign_in, start_deal
from tests.browser.test_review import REVIEWED
from tests.clients import PATIENCE
from tests.servers import Stack

pytestmark = pytest.mark.browser
SHORT = ((320, 640), pytest.param(360, 640, marks=pytest.mark.thorough))
TOO_SMALL = """() => [...document.querySelectorAll("a, button, summary, input, select, textarea")].flatMap((each) => {
  // A link in a sentence is as high as its line.
  const apart = each.closest(".visually-hidden, .term, .skip, [inert]") || getComputedStyle(each).display === "inline";
  if (apart || !each.checkVisibility({ visibilityProperty: true })) return [];
  const label = each.labels?.[0]?.getBoundingClientRect(), own = each.getBoundingClientRect();
  const { width, height } = label && label.height > own.height ? label : own;
  const size = `${Math.round(width)} x ${Math.round(height)}`;
  return !width || (width > 39.5 && height > 39.5) ? [] : [`${each.tagName} ${each.id || each.textContent.trim()}: ${size}`];
})"""
CONTROLS = ("utterance", "offer", "send", "accept", "walk-away")


def edges(part: Locator) -> tuple[float, float]:
    """Top and bottom in the window."""
    box = part.bounding_box()
    assert box is not None
    return box["y"], box["y"] + box["height"]


def in_front(page: Page, part: Locator) -> bool:
    """In the window and not behind the composer, once the page has come to rest: wholly, or its end where the room between
    the two is less than it takes."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        (top, bottom), end = edges(part), edges(page.locator("#composer"))[0]
        room = end - edges(page.locator("#transcript"))[0]
        if bottom <= end and (top >= 0 or bottom - top > room):
            return True
        page.wait_for_timeout(50)
    return False


def newest(page: Page) -> Locator:
    """What was said last, or the headline that came after it."""
    return page.locator("#transcript .line:not([hidden])").last


@pytest.mark.parametrize(("width", "height"), SHORT)
def test_a_short_phone_reaches_everything(visit: Visit, width: int, height: int) -> None:
    page = visit(viewport={"width": width, "height": height}, has_touch=True, is_mobile=True)
    sign_in(page)
    start_deal(page, persona="shark")
    assert fits(page)
    assert in_front(page, newest(page))
    say(page, "We start at 178.", "178000")
    say(page, "What drives your timing?")
    assert in_front(page, newest(page))
    page.reload()
    page.wait_for_selector("html[data-ready]", state="attached")
    assert in_front(page, newest(page))
    for part in CONTROLS:
        expect(page.get_by_test_id(part)).to_be_in_viewport(ratio=1)
    for part in ("tension", "zopa-remaining", "avatar", "connection"):
        page.get_by_test_id(part).scroll_into_view_if_needed()
        expect(page.get_by_test_id(part)).to_be_in_viewport()
    page.get_by_role("button", name="Cards").tap()
    for card in ("anchor_high", "batna_reveal"):
        page.get_by_test_id(f"card-{card}").scroll_into_view_if_needed()
        expect(page.get_by_test_id(f"card-{card}")).to_be_in_viewport(ratio=1)
    assert fits(page)


@pytest.mark.slow
def test_tab_goes_as_the_eye_does(visit: Visit) -> None:
    page = visit(viewport={"width": 360, "height": 740})
    sign_in(page)
    start_deal(page, persona="shark")
    page.get_by_test_id("utterance").focus()
    seen = []
    for _ in range(8):
        seen.append(page.evaluate("(document.activeElement.id)"))
        page.keyboard.press("Tab")
    assert seen == [
        *("utterance", "offer-down", "offer", "offer-up", "send"),
        *("open-cards", "open-her", "accept"),
    ]
    places = [page.locator(f"#{ident}").bounding_box() for ident in seen]
    read = [(round(place["y"] / 24), place["x"]) for place in places if place]
    assert read == sorted(read)


@pytest.mark.parametrize(("width", "height"), [pytest.param(1440, 900, marks=pytest.mark.slow), (360, 740)])
def test_a_fresh_table_shows_the_opening_line_and_what_must_be_known(
    visit: Visit, width: int, height: int
) -> None:
    page = visit(viewport={"width": width, "height": height})
    sign_in(page)
    start_deal(page, persona="shark")
    expect(lines(page).last).to_be_in_viewport(ratio=1)
    assert in_front(page, lines(page).last)
    expect(page.get_by_test_id("briefing")).to_be_in_viewport(ratio=0.9)
    expect(page.get_by_text("What counts")).to_be_hidden()
    more = page.get_by_role("button", name="More of this deal")
    if more.is_visible():
        more.click()
    page.get_by_role("button", name="Briefing").click()
    expect(page.get_by_text("What counts")).to_be_visible()
    page.get_by_role("button", name="To the table").click()
    expect(page.get_by_text("What counts")).to_be_hidden()
    expect(page.get_by_test_id("utterance")).to_be_focused()


def small(page: Page) -> list[str]:
    """What can be pressed here and is under 40 px wide or high."""
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
    return list(page.evaluate(TOO_SMALL))


def test_whatever_can_be_pressed_on_a_phone_has_room_for_a_thumb(visit: Visit, server: Stack) -> None:
    """40 px each way: table and sheets, a first deal, the debrief and its tabs, the review, the lobby, a new deal."""
    phone = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    newcomer, page = visit(**phone), visit(**phone)
    found: dict[str, list[str]] = {}
    newcomer.goto("/")
    found["landing"] = small(newcomer)
    newcomer.get_by_role("button", name="Play a deal now").click()
    connected(newcomer)
    found["first deal"] = small(newcomer)
    sign_in(page)
    page.goto("/")
    found["lobby"] = small(page)
    page.goto("/deals/new/")
    found["new deal"] = small(page)
    start_deal(page, scenario="software_licensing")
    found["table"] = small(page)
    for sheet in ("package", "cards", "her"):
        page.locator(f"#open-{sheet}").tap()
        expect(page.locator(f"#panel-{sheet}")).to_be_in_viewport()
        found[sheet] = small(page)
        page.locator(f"#panel-{sheet} .sheet-close").tap()
    deal = f"/deals/{server.tell(REVIEWED).strip()}"
    page.goto(f"{deal}/debrief/")
    for tab in page.get_by_role("tab").all():
        tab.tap()
        found[f"debrief, {tab.inner_text()}"] = small(page)
    page.goto(f"{deal}/moves/")
    expect(page.get_by_role("region", name="The position")).to_be_visible(timeout=15_000)
    found["review"] = small(page)
    manager = visit(**phone)
    sign_in(manager, "manager@demo.local")
    manager.goto("/")
    found["lobby of a team"] = small(manager)
    manager.locator("[data-watch-game]").last.tap()
    connected(manager)
    found["watching"] = small(manager)
    assert {place: parts for place, parts in found.items() if parts} == {}
