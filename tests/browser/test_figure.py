"""The person across the table, and the weight of the page that shows it."""

from __future__ import annotations

import gzip
import re

import pytest
from playwright.sync_api import CDPSession, Page, Response, expect

from tests.browser.conftest import Visit
from tests.browser.driver import connected, say, sign_in, start_deal

pytestmark = pytest.mark.browser
SCRIPT_BUDGET = 26 * 1024
"""Of the table alone, gzipped; its page shares chunks with the deal for two people and the review."""
LAZY = re.compile(r"avatar3d")


def test_with_webgl_the_sculpted_figure_takes_its_seat(visit: Visit) -> None:
    page = visit(webgl=True)
    sign_in(page)
    start_deal(page)
    expect(page.get_by_test_id("avatar")).to_have_attribute("data-figure", "ready", timeout=15_000)
    expect(page.get_by_test_id("avatar").locator("canvas")).to_be_visible()


def test_without_webgl_the_drawing_stays_and_the_deal_goes_on(visit: Visit) -> None:
    page = visit(webgl=False)
    sign_in(page)
    start_deal(page)
    say(page, "Shall we begin?")
    avatar = page.get_by_test_id("avatar")
    assert avatar.locator("canvas").count() == 0
    expect(avatar.locator("svg.portrait")).to_be_visible()
    expect(avatar).to_have_attribute("aria-label", re.compile("Dana Whitlock, "))


def test_with_reduced_motion_nothing_moves(visit: Visit) -> None:
    page = visit(webgl=True, reduced_motion="reduce")
    sign_in(page)
    start_deal(page)
    expect(page.get_by_test_id("avatar")).to_have_attribute("data-figure", "ready", timeout=15_000)
    page.wait_for_timeout(300)
    first = page.get_by_test_id("avatar").screenshot()
    page.wait_for_timeout(1500)
    assert page.get_by_test_id("avatar").screenshot() == first


def _weigh(page: Page) -> dict[str, int]:
    """Compressed size of each script that the page loads."""
    sizes: dict[str, int] = {}

    def note(response: Response) -> None:
        if response.request.resource_type == "script":
            sizes[response.url] = len(gzip.compress(response.body(), 9))

    page.on("response", note)
    return sizes


def worked(clock: CDPSession) -> float:
    """Seconds that the page's thread has been busy."""
    metrics = clock.send("Performance.getMetrics")["metrics"]
    return sum(float(each["value"]) for each in metrics if each["name"] == "TaskDuration")


def test_the_table_is_light_and_soon_ready(visit: Visit) -> None:
    page = visit(webgl=True)
    sign_in(page)
    start_deal(page)
    sizes = _weigh(page)
    clock = page.context.new_cdp_session(page)
    # The page's own work, not the time on the wall: other processes take theirs from that.
    clock.send("Performance.enable", {"timeDomain": "threadTicks"})
    before = worked(clock)
    page.reload()
    page.wait_for_selector("html[data-ready]", state="attached")
    ready = worked(clock) - before
    connected(page)
    expect(page.get_by_test_id("avatar")).to_have_attribute("data-figure", "ready", timeout=15_000)
    eager = sum(size for url, size in sizes.items() if not LAZY.search(url))
    assert 0 < eager < SCRIPT_BUDGET
    assert 0 < ready < 1.5
