"""Who asks for less motion gets none: no animation and no transition runs, and everything is there."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.driver import close_deal, say, sign_in, start_deal
from tests.browser.test_focus import ready
from tests.browser.test_guide import ask, sat_down, step
from tests.browser.test_review import REVIEWED, reviewed
from tests.servers import Stack

pytestmark = pytest.mark.browser
BEGUN = """addEventListener("DOMContentLoaded", () => { window.begun = [];
  const note = (event) => window.begun.push(`${event.type} ${event.target.className}`);
  document.addEventListener("transitionrun", note, true);
  document.addEventListener("animationstart", (event) => {
    if (getComputedStyle(event.target, event.pseudoElement).animationDuration !== "0s") note(event);
  }, true); })"""
"""An animation that takes no time is told of as well, though nothing of it is seen."""


def still(page: Page) -> bool:
    """Nothing runs, and nothing has begun to since the page came."""
    assert page.evaluate("window.begun") == []
    assert page.evaluate("document.getAnimations().length") == 0
    return True


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_at_the_table(visit: Visit, motion: str) -> None:
    page = visit(reduced_motion=motion)
    page.add_init_script(BEGUN)
    sign_in(page)
    start_deal(page, persona="shark")
    say(page, "We start at 178.", "178000")
    page.get_by_test_id("send").hover()
    page.keyboard.press("?")
    page.keyboard.press("Escape")
    close_deal(page)
    if motion == "reduce":
        assert still(page)
    else:
        assert page.evaluate("window.begun.length") > 0, "else nothing is shown by its absence"


def test_in_a_first_deal(visit: Visit) -> None:
    page = visit()
    page.add_init_script(BEGUN)
    sat_down(page)
    ask(page)
    step(page, "number")
    assert still(page)


def test_in_debrief_and_review(visit: Visit, server: Stack) -> None:
    page = visit()
    page.add_init_script(BEGUN)
    sign_in(page)
    deal = f"/deals/{server.tell(REVIEWED).strip()}"
    ready(page, f"{deal}/debrief/")
    expect(page.locator("svg.bar")).to_be_visible()
    page.get_by_test_id("tab-score").click()
    assert still(page)
    reviewed(page, f"{deal}/moves/")
    for key in ("h", "ArrowRight", "n"):
        page.keyboard.press(key)
    assert still(page)
