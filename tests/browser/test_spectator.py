"""A manager in a second browser sees both sides, live, and may pass a note."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.driver import close_deal, connected, say, sign_in, start_deal

pytestmark = pytest.mark.browser
MONEY = re.compile(r"^\$[\d,]+$")


def test_a_manager_watches_and_whispers(visit: Visit) -> None:
    rep, manager = visit(), visit(color_scheme="light")
    sign_in(rep)
    start_deal(rep, persona="shark")
    rep.get_by_test_id("belief-walk-away").fill("159,000")
    say(rep, "What would it take to decide this week?")

    sign_in(manager, "manager@demo.local")
    manager.goto("/")
    manager.locator("[data-watch-game]").last.click()
    connected(manager)
    expect(manager.get_by_test_id("truth-walk-away")).to_have_text(MONEY)
    expect(manager.get_by_test_id("truth-urgency")).to_contain_text("%")
    expect(manager.get_by_test_id("truth-bluff")).to_be_visible()
    expect(manager.get_by_test_id("belief-vs-truth")).to_contain_text("$159,000")
    expect(rep.get_by_test_id("watched")).to_contain_text("Morgan Lee")

    say(rep, "We could start at 176.", "176000")
    expect(manager.locator("#your-offer")).to_have_text("$176,000")
    expect(manager.locator("#terms")).to_contain_text("Turn 2")
    manager.get_by_test_id("whisper").fill("Ask about the deadline.")
    manager.get_by_role("button", name="Pass").click()
    expect(rep.get_by_test_id("transcript")).to_contain_text("Ask about the deadline.")

    close_deal(rep)
    expect(manager.locator("#finish")).to_contain_text("Closed at $")
    rep.get_by_role("link", name="See what they were hiding").click()
    expect(rep.get_by_text("With a coach")).to_be_visible()
    manager.locator("#finish").get_by_role("link", name="Read the debrief").click()
    expect(manager.get_by_test_id("debrief-price")).to_be_visible()


@pytest.mark.slow
def test_who_only_has_a_link_is_led_on_from_the_end_but_not_to_the_debrief(visit: Visit) -> None:
    rep, guest = visit(), visit()
    sign_in(rep)
    start_deal(rep, persona="shark")
    rep.get_by_test_id("spectate-link").click()
    rep.get_by_role("button", name="Link for a watcher").click()
    link = rep.get_by_label("Link for a watcher")
    expect(link).not_to_have_value("")
    guest.goto(link.input_value())
    connected(guest)
    expect(guest.locator("#watched-on")).to_be_hidden()
    rep.get_by_role("button", name="Close", exact=True).click()
    say(rep, "We start at 178.", "178000")
    close_deal(rep)
    ways = guest.locator("#finish").get_by_role("link")
    expect(ways).to_have_text(["Play a deal yourself"])
    ways.click()
    expect(guest.locator("form[action='/guest/']").first).to_be_visible()


@pytest.mark.slow
def test_a_rep_cannot_look_at_its_own_live_game(visit: Visit) -> None:
    rep, friend = visit(), visit()
    sign_in(rep)
    start_deal(rep)
    rep.get_by_test_id("spectate-link").click()
    rep.get_by_role("button", name="Link for a coach").click()
    address = rep.get_by_label("Link for a coach")
    expect(address).to_be_visible()
    coach_link = address.input_value()
    rep.get_by_role("button", name="Link for a watcher").click()
    expect(rep.get_by_label("Link for a watcher")).not_to_have_value(coach_link)
    watch_link = rep.get_by_label("Link for a watcher").input_value()

    friend.goto(watch_link)
    connected(friend)
    assert friend.get_by_test_id("truth-walk-away").count() == 0
    refused = rep.context.request.get(coach_link)
    assert refused.status == 403
    assert "opens for you once the game is over" in refused.text()
