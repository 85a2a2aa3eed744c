"""Nothing serious for axe on any page, in both themes; words for what the drawings show."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.driver import close_deal, connected, say, sign_in, start_deal

pytestmark = pytest.mark.browser
THEMES = ("dark", "light")


def serious(page: Page) -> list[str]:
    """The violations that shut somebody out, with the elements they were found on."""
    page.evaluate("Promise.allSettled(document.getAnimations().map(animation => animation.finished))")
    found = Axe().run(page).response["violations"]
    return [
        f"{violation['id']}: {node['target']} {node.get('failureSummary', '')}"
        for violation in found
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("theme", THEMES)
def test_pages_around_the_table(visit: Visit, theme: str) -> None:
    page = visit(color_scheme=theme)
    for address in ("/", "/accounts/login/", "/accounts/signup/", "/watch/no-such-link/", "/nowhere/"):
        page.goto(address)
        assert serious(page) == [], address
    sign_in(page)
    for address in ("/", "/deals/new/", "/accounts/logout/"):
        page.goto(address)
        assert serious(page) == [], address


@pytest.mark.parametrize("theme", THEMES)
def test_the_table_the_watch_page_and_the_debrief(visit: Visit, theme: str) -> None:
    page, manager = visit(color_scheme=theme), visit(color_scheme=theme)
    sign_in(page)
    start_deal(page, persona="shark")
    assert serious(page) == []
    page.get_by_test_id("belief-walk-away").fill("158000")
    say(page, "We start at 178.", "178000")
    assert serious(page) == []
    page.get_by_test_id("walk-away").click()
    assert serious(page) == []
    page.keyboard.press("Escape")
    sign_in(manager, "manager@demo.local")
    assert serious(manager) == []
    manager.locator("[data-watch-game]").last.click()
    connected(manager)
    assert serious(manager) == []
    close_deal(page)
    page.get_by_role("link", name="See what they were hiding").click()
    expect(page.locator("[data-figure=offers][data-drawn]")).to_be_visible(timeout=15_000)
    page.locator("summary:visible", has_text="The numbers").first.click()
    assert serious(page) == []


def test_one_polite_region_hears_each_message_once_and_whole(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    start_deal(page)
    assert page.locator("[aria-live=polite]").count() == 1
    page.evaluate(
        """() => { window.heard = []; new MutationObserver(() =>
        window.heard.push(document.getElementById("live").textContent)).observe(
        document.getElementById("live"), {childList: true, characterData: true, subtree: true}) }"""
    )
    say(page, "How soon do you need this running?")
    words = page.get_by_test_id("opponent-line").last.locator(".words")
    page.wait_for_timeout(700)
    heard = page.evaluate("window.heard")
    assert sum(words.inner_text() in message for message in heard) == 1


def test_the_theme_is_remembered_and_does_not_flash(visit: Visit) -> None:
    page = visit(color_scheme="dark")
    page.goto("/")
    page.get_by_role("button", name="Switch between night and day").click()
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    page.add_init_script(
        "document.addEventListener('DOMContentLoaded', () => { window.first = document.documentElement.dataset.theme })"
    )
    page.goto("/accounts/login/")
    assert page.evaluate("window.first") == "light"
