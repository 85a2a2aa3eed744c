"""The debrief on the screen and on paper."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.driver import close_deal, fits, say, sign_in, start_deal

pytestmark = pytest.mark.browser
WIDTHS = (360, 768, 1440)


def played(page: Page) -> None:
    sign_in(page)
    start_deal(page, persona="shark")
    say(page, "We start at 178.", "178000")
    close_deal(page)
    page.get_by_role("link", name="See what they were hiding").click()


def test_it_prints_every_figure_in_the_colours_of_the_day(visit: Visit) -> None:
    page = visit(color_scheme="dark")
    played(page)
    plots = page.locator("[data-figure]")
    expect(page.locator("[data-figure][data-drawn]")).to_have_count(plots.count(), timeout=15_000)
    page.evaluate(
        """() => addEventListener("beforeprint", () => {
        window.printed = {theme: document.documentElement.dataset.theme,
          drawn: document.querySelectorAll("[data-figure] .main-svg").length > 0,
          widths: [...document.querySelectorAll("[data-figure] .svg-container")].map(n => n.offsetWidth),
          open: document.querySelectorAll(".by-turn details:not([open])").length} })"""
    )
    page.pdf()
    assert page.evaluate("window.printed") == {
        "theme": "light",
        "drawn": True,
        "widths": [680] * plots.count(),
        "open": 0,
    }
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.locator(".by-turn details[open]").count() == 0


@pytest.mark.parametrize(
    "width", [360, *(pytest.param(width, marks=pytest.mark.thorough) for width in WIDTHS[1:])]
)
def test_the_numbers_stand_beside_their_meaning(visit: Visit, width: int) -> None:
    page = visit(viewport={"width": width, "height": 900})
    played(page)
    left = page.locator(".scores > div", has=page.get_by_test_id("debrief-left-on-table"))
    # A few deals have no zone at all; that is what is said then.
    meaning = r"At the start they would have paid up to \$[\d,]+|There was nothing to be had"
    expect(left).to_contain_text(re.compile(meaning))
    page.locator("[data-figure=ending]").scroll_into_view_if_needed()
    expect(page.locator("[data-figure=ending][data-drawn]")).to_be_visible(timeout=15_000)
    for now in (width, *WIDTHS):
        page.set_viewport_size({"width": now, "height": 900})
        assert fits(page), now
