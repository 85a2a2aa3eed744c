"""Table, first deal, review and new deal at the four widths of the acceptance, in both themes: axe finds nothing, nothing
reaches out of the window, and the pages that must not scroll don't."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.driver import connected, fits, sign_in
from tests.browser.test_access import serious_in_both
from tests.browser.test_guide import ask, name_a_number, sat_down, step
from tests.browser.test_review import REVIEWED
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


def test_the_review_with_their_side(visit: Visit, server: Stack) -> None:
    page = visit()
    sign_in(page)
    page.goto(f"/deals/{server.tell(REVIEWED).strip()}/moves/")
    expect(page.get_by_role("region", name="The position")).to_be_visible(timeout=15_000)
    page.keyboard.press("h")
    shuts_nobody_out(page)


def test_a_new_deal(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    page.goto("/deals/new/")
    shuts_nobody_out(page, still=False)
