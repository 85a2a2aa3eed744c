"""Two people in two browsers negotiate one deal: from the invitation to an acceptance, and what each looks back at."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.driver import connected, fits, sign_in
from tests.browser.test_access import serious_in_both

pytestmark = pytest.mark.browser


def invite(page: Page, seat: str = "seller", scenario: str = "saas_enterprise") -> str:
    """Open a deal against a colleague; the link for the other seat."""
    page.goto("/deals/new/")
    page.get_by_test_id("against-a-colleague").click()
    page.get_by_test_id(f"scenario-{scenario}").click()
    page.get_by_test_id(f"seat-{seat}").click()
    page.get_by_test_id("start-deal").click()
    expect(page.get_by_test_id("pair-waiting")).to_be_visible()
    link = page.get_by_test_id("invitation").input_value()
    assert "/pairs/join/" in link
    return link


def at_table(page: Page) -> None:
    expect(page.get_by_test_id("whose-turn")).to_have_text(re.compile("move, until"))
    connected(page)


def both_seated(visit: Visit, **options: object) -> tuple[Page, Page]:
    """Host and guest at one table; who is to move comes first."""
    host, guest = visit(**options), visit(**options)
    sign_in(host)
    link = invite(host)
    guest.goto(link)
    guest.get_by_test_id("take-seat").click()
    for page in (host, guest):
        at_table(page)
    on_turn = "Your move" in host.get_by_test_id("whose-turn").inner_text()
    return (host, guest) if on_turn else (guest, host)


def move(page: Page, words: str, offer: str = "") -> None:
    """Say something, with an offer in the field or with the one that the words were understood to make."""
    page.get_by_test_id("utterance").fill(words)
    if offer:
        page.get_by_test_id("offer").fill(offer)
    page.get_by_test_id("send").click()
    expect(page.get_by_test_id("player-line").filter(has_text=words)).to_be_visible()


def test_a_whole_deal_between_two_people_to_its_acceptance(visit: Visit) -> None:
    first, second = both_seated(visit)
    assert serious_in_both(first) == []
    expect(second.get_by_test_id("send")).to_have_attribute("aria-disabled", "true")
    second.get_by_test_id("utterance").fill("Kept while you think.")
    second.keyboard.press("Control+Enter")
    expect(second.locator("#composer-error")).to_be_visible()
    expect(second.get_by_test_id("utterance")).to_have_value("Kept while you think.")

    first.get_by_test_id("utterance").fill("We could agree on $165,000 for the year.")
    expect(first.get_by_test_id("offer")).to_have_value(re.compile("165,000"))
    first.get_by_test_id("send").click()
    heard = second.get_by_test_id("opponent-line").last
    expect(heard).to_contain_text("We could agree on $165,000 for the year.")
    expect(heard).to_contain_text("$165,000")
    expect(second.get_by_test_id("whose-turn")).to_contain_text("Your move")
    expect(second.get_by_test_id("utterance")).to_have_value("Kept while you think.")

    move(second, "What drives that number? 140,000 is where we are.", "140000")
    expect(first.get_by_test_id("opponent-line").last).to_contain_text("What drives that number?")
    first.reload()
    at_table(first)
    expect(first.get_by_test_id("opponent-line")).to_have_count(1)
    move(first, "Our costs do. 150,000, and we sign today.", "150000")
    expect(second.get_by_test_id("accept")).to_be_enabled()
    second.get_by_test_id("accept").click()
    second.get_by_test_id("confirm").click()
    for page in (first, second):
        expect(page.locator("#finish")).to_contain_text("Closed at $150,000")
        page.get_by_test_id("to-debrief").click()
        expect(page.get_by_test_id("pair-price")).to_have_text("$150,000")
        expect(page.get_by_test_id("unrated")).to_be_visible()
        expect(page.get_by_test_id("open-cards")).not_to_contain_text("Share of what there was")
        assert serious_in_both(page) == []
    first.get_by_test_id("open-my-cards").click()
    second.get_by_test_id("open-my-cards").click()
    expect(second.get_by_test_id("open-cards")).to_contain_text("Share of what there was")
    first.reload()
    expect(first.get_by_test_id("open-cards")).to_contain_text("Share of what there was")


@pytest.mark.parametrize(
    "width", [pytest.param(each, marks=pytest.mark.thorough) for each in (360, 768, 1440)]
)
def test_every_page_of_it_fits(visit: Visit, width: int) -> None:
    size = {"width": width, "height": 800}
    host, guest = visit(viewport=size), visit(viewport=size)
    sign_in(host)
    host.goto("/pairs/new/")
    assert fits(host)
    link = invite(host)
    assert fits(host)
    guest.goto(link)
    assert fits(guest)
    guest.get_by_test_id("take-seat").click()
    for page in (host, guest):
        at_table(page)
        assert fits(page)
    mover = host if "Your move" in host.get_by_test_id("whose-turn").inner_text() else guest
    mover.get_by_test_id("walk-away").click()
    mover.get_by_test_id("confirm").click()
    for page in (host, guest):
        expect(page.locator("#finish")).to_contain_text("walked away")
        assert fits(page)
        page.get_by_test_id("to-debrief").click()
        assert fits(page)


@pytest.mark.slow
def test_nobody_comes_and_the_table_is_cleared(visit: Visit) -> None:
    host, late = visit(), visit()
    sign_in(host)
    first = invite(host)
    host.get_by_test_id("new-invitation").click()
    expect(host.get_by_test_id("invitation")).not_to_have_value(first)
    late.goto(first)
    expect(late.locator("h1")).to_have_text("This link has closed")
    link = host.get_by_test_id("invitation").input_value()
    host.get_by_test_id("withdraw").click()
    expect(host).to_have_url(re.compile("/$"))
    late.goto(link)
    expect(late.locator("h1")).to_have_text("This link has closed")


@pytest.mark.slow
def test_a_watcher_sees_the_talk_and_not_the_sheet(visit: Visit) -> None:
    first, second = both_seated(visit)
    first.get_by_test_id("spectate-link").click()
    first.get_by_role("button", name="Link for a watcher").click()
    expect(first.locator("#link-url")).to_have_value(re.compile("/pair-watch/"))
    link = first.locator("#link-url").input_value()
    first.keyboard.press("Escape")
    eyes = visit()
    eyes.goto(link)
    connected(eyes)
    move(first, "Shall we begin at 170,000?", "170000")
    expect(eyes.get_by_test_id("transcript")).to_contain_text("Shall we begin at 170,000?")
    limit = first.locator("#your-limit").inner_text()
    assert limit not in eyes.locator("main").inner_text()
    assert second.locator("#your-limit").inner_text() not in eyes.locator("main").inner_text()
