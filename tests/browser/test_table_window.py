"""The table stays in its window: however long the talk, nothing scrolls the page away from its bar."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.driver import connected, sign_in
from tests.servers import Stack

pytestmark = pytest.mark.browser
TALKED = """
from accounts.models import User
from tests.practice import talk
print(talk(User.objects.get(email="rep@demo.local"), turns=12).pk)
"""
NEWS = """
from accounts.models import User
from tests.practice import talk
game = talk(User.objects.get(email="rep@demo.local"), turns=12, until_news=True)
print(game.pk, game.events.get(type="news").data["text"])
"""
TALLER = "document.documentElement.scrollHeight - innerHeight"


def test_after_many_turns_no_button_of_the_bar_scrolls_the_page_away(visit: Visit, server: Stack) -> None:
    game = server.tell(TALKED).strip()
    page = visit(reduced_motion="reduce")
    sign_in(page)
    page.goto(f"/deals/{game}/")
    connected(page)
    expect(page.get_by_test_id("player-line")).to_have_count(12)
    for width, height in ((1440, 900), (1280, 720), (360, 740)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(TALLER) <= 0, (width, height)
        for button in page.locator(".tablebar nav button:visible").all():
            button.click()
            page.keyboard.press("Escape")
            assert page.evaluate("scrollY") == 0, (width, height, button)
            expect(page.locator(".tablebar")).to_be_in_viewport(ratio=1)
        expect(page.get_by_test_id("briefing")).to_be_in_viewport()


def test_a_headline_stands_once_in_the_banner_and_then_in_the_transcript(visit: Visit, server: Stack) -> None:
    game, headline = server.tell(NEWS).strip().split(" ", 1)
    page = visit(reduced_motion="reduce")
    sign_in(page)
    page.goto(f"/deals/{game}/")
    connected(page)
    banner, transcript = page.get_by_test_id("event-banner"), page.get_by_test_id("transcript")
    expect(banner.get_by_text(headline)).to_be_visible()
    expect(transcript.get_by_text(headline)).to_be_hidden()
    banner.get_by_role("button", name="Dismiss").click()
    expect(banner).to_be_hidden()
    expect(transcript.get_by_text(headline)).to_be_visible()
