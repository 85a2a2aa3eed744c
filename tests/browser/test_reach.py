"""How far things are at the table, counted: what acts is one press away, what informs one key."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.driver import answered, connected, lines, sign_in
from tests.browser.test_table_window import TERMS
from tests.servers import Stack

pytestmark = pytest.mark.browser
WINDOWS = ((1440, 900), (1280, 800), (360, 740))
PRESSES = """() => { window.presses = 0;
  for (const kind of ["pointerdown", "keydown"])
    addEventListener(kind, (event) => { if (event.isTrusted) window.presses += 1; }, true); }"""


def presses(page: Page) -> int:
    """How often a button or a key went down since the last time this was asked."""
    return int(page.evaluate("() => { const count = window.presses; window.presses = 0; return count; }"))


@pytest.fixture
def seated(visit: Visit, server: Stack) -> Page:
    page = visit()
    sign_in(page)
    page.goto(f"/deals/{server.tell(TERMS).strip()}/")
    connected(page)
    page.evaluate(PRESSES)
    return page


def test_send_accept_and_leave_are_one_press_away(seated: Page) -> None:
    for width, height in WINDOWS:
        seated.set_viewport_size({"width": width, "height": height})
        for control, asked in (("accept", "Accept"), ("walk-away", "Walk away")):
            expect(seated.get_by_test_id(control)).to_be_in_viewport(ratio=1)
            presses(seated)
            seated.get_by_test_id(control).click()
            expect(seated.locator("#confirm-dialog")).to_contain_text(asked)
            assert presses(seated) == 1, (control, width)
            seated.keyboard.press("Escape")
        before = lines(seated).count()
        seated.get_by_test_id("utterance").fill("What else would help you?")
        expect(seated.get_by_test_id("send")).to_be_in_viewport(ratio=1)
        presses(seated)
        seated.get_by_test_id("send").click()
        answered(seated, before)
        assert presses(seated) == 1, width


def test_facts_cards_and_read_are_one_key_away(seated: Page) -> None:
    for width, height in WINDOWS:
        seated.set_viewport_size({"width": width, "height": height})
        for key, shown in (("f", "#pane-facts"), ("c", "#pane-cards"), ("b", "#belief-walk-away")):
            presses(seated)
            seated.keyboard.press(key)
            expect(seated.locator(shown)).to_be_in_viewport()
            assert presses(seated) == 1, (key, width)
            seated.keyboard.press("Escape")
