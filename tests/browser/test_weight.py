"""What the two pages that people wait for bring along, all in, and that nothing on them jumps while it comes."""

from __future__ import annotations

import gzip

import pytest
from playwright.sync_api import Page, Response, expect

from tests.browser.conftest import Visit
from tests.browser.driver import close_deal, connected, say, sign_in, start_deal

pytestmark = pytest.mark.browser
TABLE, DEBRIEF = 200 * 1024, 120 * 1024
"""In bytes, compressed: page, styles, scripts and pictures together; the debrief after every tab was opened."""
STILL = 0.01
"""A layout shift that nobody sees; 0.1 is what browsers call good."""

_SHIFTS = """window.shifted = 0;
const add = (each) => { if (!each.hadRecentInput) window.shifted += each.value };
new PerformanceObserver((list) => list.getEntries().forEach(add))
  .observe({ type: 'layout-shift', buffered: true });"""


def weigh(page: Page) -> dict[str, int]:
    """Compressed size of everything that the page loads, by address."""
    sizes: dict[str, int] = {}

    def note(response: Response) -> None:
        if response.ok and response.request.resource_type != "websocket":
            sizes[response.url] = len(gzip.compress(response.body(), 9))

    page.on("response", note)
    return sizes


def test_table_and_debrief_are_light_and_nothing_jumps(visit: Visit) -> None:
    page = visit(reduced_motion="no-preference")
    sign_in(page)
    start_deal(page, scenario="software_licensing")
    say(page, "What matters most to you here?")
    page.context.add_init_script(_SHIFTS)
    sizes = weigh(page)
    page.reload()
    connected(page)
    page.wait_for_load_state("networkidle")
    table = sum(sizes.values())
    assert 0 < table < TABLE, sizes
    assert page.evaluate("window.shifted") < STILL
    close_deal(page)
    sizes.clear()
    page.get_by_role("link", name="See what they were hiding").click()
    expect(page.locator("html[data-ready]")).to_be_attached()
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.shifted") < STILL
    for tab in page.get_by_role("tab").all():
        tab.click()
    page.wait_for_load_state("networkidle")
    drawn = page.locator("[data-figure][data-drawn] .plot-frame > svg")
    expect(drawn).to_have_count(page.locator("[data-figure]").count())
    debrief = sum(sizes.values())
    assert 0 < debrief < DEBRIEF, sizes
