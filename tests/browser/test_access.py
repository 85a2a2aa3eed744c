"""Nothing for axe on any page, of whatever weight, in both themes; words for what the drawings show."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.driver import close_deal, connected, say, sign_in, start_deal

pytestmark = pytest.mark.browser
THEMES = ("dark", pytest.param("light", marks=pytest.mark.thorough))
"""The whole way in each, of the pages that everybody meets. Every way goes in the dark, and looks at the contrast in both
wherever it stops."""


SETTLED = """document.getAnimations().filter(each => each.effect.getComputedTiming().endTime !== Infinity)
  .forEach(each => each.finish())"""
"""Colours as they stand when what moves has come to its end; what moves for ever goes on."""


def serious(page: Page, *rules: str) -> list[str]:
    """Whatever axe finds wrong, of any weight, with the elements it was found on."""
    page.evaluate(SETTLED)
    return [
        f"{violation['id']}: {node['target']} {node.get('failureSummary', '')}"
        for violation in violations(page, *rules)
        for node in violation["nodes"]
    ]


def serious_in_both(page: Page) -> list[str]:
    """As ``serious``, and then the contrast in the other theme: of axe's rules only those look at colours."""
    found = serious(page)
    now = page.evaluate("document.documentElement.dataset.theme")
    for theme in ("dark" if now == "light" else "light", now):
        page.emulate_media(color_scheme=theme)
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        if theme != now:
            found += serious(page, "color-contrast", "link-in-text-block")
    return found


def violations(page: Page, *rules: str) -> list[dict[str, Any]]:
    """All that axe finds wrong, by these rules or all. What is right is not handed over: that would take long."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    options = {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
    found: list[dict[str, Any]] = page.evaluate(
        "options => axe.run(document, options).then(all => all.violations)", options
    )
    return found


@pytest.mark.parametrize("theme", THEMES)
def test_pages_around_the_table(visit: Visit, theme: str) -> None:
    page = visit(color_scheme=theme)
    for address in ("/", "/accounts/login/", "/accounts/signup/", "/watch/no-such-link/", "/nowhere/"):
        page.goto(address)
        assert serious_in_both(page) == [], address
    sign_in(page)
    for address in ("/", "/deals/new/", "/accounts/logout/"):
        page.goto(address)
        assert serious_in_both(page) == [], address


@pytest.mark.parametrize("theme", THEMES)
def test_the_table_the_watch_page_and_the_debrief(visit: Visit, theme: str) -> None:
    page, manager = visit(color_scheme=theme), visit(color_scheme=theme)
    sign_in(page)
    start_deal(page, persona="shark")
    assert serious_in_both(page) == []
    page.get_by_test_id("belief-walk-away").fill("158000")
    say(page, "We start at 178.", "178000")
    assert serious_in_both(page) == []
    page.get_by_test_id("walk-away").click()
    assert serious_in_both(page) == []
    page.keyboard.press("Escape")
    sign_in(manager, "manager@demo.local")
    manager.goto("/")
    assert serious_in_both(manager) == []
    manager.locator("[data-watch-game]").last.click()
    connected(manager)
    assert serious_in_both(manager) == []
    close_deal(page)
    page.get_by_role("link", name="See what they were hiding").click()
    page.locator("summary:visible", has_text="The numbers").first.click()
    assert serious_in_both(page) == []
    page.get_by_test_id("tab-score").click()
    expect(page.locator("[data-figure=terms][data-drawn]")).to_be_visible(timeout=15_000)
    page.locator("summary:visible", has_text="The numbers").first.click()
    assert serious_in_both(page) == []


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
