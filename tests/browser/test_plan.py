"""The player's plan: one key away at the table, a flag on the ruler, and beside the deal when it is over."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.driver import close_deal, fits, say, sign_in, start_deal

pytestmark = pytest.mark.browser


@pytest.mark.slow
@pytest.mark.parametrize("width", [1440, 360])
def test_a_plan_is_kept_drawn_and_held_against_the_deal(visit: Visit, width: int) -> None:
    page = visit(viewport={"width": width, "height": 800})
    sign_in(page)
    start_deal(page)
    page.locator("main").press("g")
    target = page.locator("#plan-target")
    expect(page.locator("#plan-first")).to_be_focused()
    page.locator("#plan-first").fill("178k")
    target.fill("a lot")
    target.press("Tab")
    expect(page.locator("#plan-complaint")).to_be_visible()
    target.fill("150k")
    page.locator("#plan-rule").fill("Ask twice before the first step")
    page.locator("#plan-rule").press("Tab")
    expect(page.locator("#plan-complaint")).to_be_hidden()
    page.reload()
    expect(page.locator("#ruler .target-flag")).to_be_attached()
    expect(page.locator("#ruler svg")).to_have_attribute("aria-label", re.compile(r"Your target \$150,000\."))
    say(page, "We start at 178.", "178000")
    close_deal(page)
    page.get_by_role("link", name="See what they were hiding").click()
    part = page.get_by_test_id("plan-and-deal")
    expect(part.get_by_role("row", name="First number")).to_contain_text("$178,000$178,000")
    expect(part.get_by_role("row", name="Target")).to_contain_text("$150,000")
    expect(part.get_by_role("row", name="To hold to")).to_contain_text("Ask twice before the first step")
    assert fits(page)


@pytest.mark.slow
def test_who_made_no_plan_is_shown_none(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    start_deal(page)
    say(page, "We start at 178.", "178000")
    close_deal(page)
    page.get_by_role("link", name="See what they were hiding").click()
    page.locator("html[data-ready]").wait_for(state="attached")
    expect(page.get_by_test_id("plan-and-deal")).to_be_hidden()
