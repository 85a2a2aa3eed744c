"""Progress and practice in a real browser: a puzzle and a drill by mouse and by keyboard, open to all, on any width."""

from __future__ import annotations

import uuid

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.driver import fits
from tests.browser.test_access import serious, serious_in_both
from tests.servers import Stack

pytestmark = pytest.mark.browser

PASSWORD = "correct horse 9"
PLAY = """
from accounts.services import user_create
from coaching.skills.models import PracticeCard
from coaching.skills.services import drill_deal
from tests.practice import play_out, review_now
player = user_create(email="{email}", password="{password}", display_name="Pat Practice")
review_now(play_out(player, seed=100, strategy="linear"))
play_out(player, seed=102, strategy="conceder", persona="diplomat", days_ago=7)
drills = PracticeCard.objects.filter(user=player, kind="drill")
dealt = drills.exclude(skill="closing").first()  # whose positions take the longest to find
drills.exclude(pk=dealt.pk).delete()
drill_deal(card=dealt)  # as the worker would
"""


def somebody(server: Stack) -> str:
    """The address of somebody with two deals behind them, one of them reviewed, and a drill to do."""
    email = f"pat-{uuid.uuid4().hex[:6]}@example.com"
    server.tell(PLAY.format(email=email, password=PASSWORD))
    return email


@pytest.fixture(scope="module")
def player(server: Stack) -> str:
    return somebody(server)


def open_progress(page: Page, email: str) -> None:
    page.goto("/accounts/login/?next=/progress/")
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    # What follows would cut the signing in off.
    expect(page.get_by_role("heading", level=1, name="Progress")).to_be_visible()
    page.goto("/")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Progress").click()
    expect(page.get_by_role("heading", level=1, name="Progress")).to_be_visible()


@pytest.mark.slow
def test_a_drill_is_done_by_keyboard_and_says_why(visit: Visit, player: str) -> None:
    page = visit()
    open_progress(page, player)
    page.get_by_test_id("due-drill").first.focus()
    page.keyboard.press("Enter")
    for position in range(1, 4):
        expect(page.get_by_text(f", {position} of 3")).to_be_visible()
        expect(page.get_by_test_id("choice")).not_to_have_count(0)
        assert serious(page) == []
        page.keyboard.press("2")
        expect(page.get_by_test_id("verdict")).to_be_focused()
        expect(page.locator(".weighed li.chosen")).to_have_count(1)
        assert serious(page) == []
        page.get_by_test_id("next").press("Enter")
    expect(page.get_by_test_id("drill-done")).to_be_visible()
    expect(page.get_by_text("It comes back with new positions on")).to_be_visible()
    assert serious(page) == []


@pytest.mark.slow
def test_a_bluff_is_spotted_and_the_puzzle_is_put_away(visit: Visit, player: str) -> None:
    page = visit(color_scheme="light")
    open_progress(page, player)
    waiting = page.get_by_test_id("due-bluff").count()
    page.get_by_test_id("due-bluff").first.click()
    expect(page.locator("#ruler svg")).to_be_visible()
    assert serious(page) == []
    page.get_by_role("button", name="A bluff: further off").click()
    expect(page.get_by_test_id("verdict")).to_be_focused()
    expect(page.get_by_text("a careful observer put the chance of a bluff at")).to_be_visible()
    assert serious(page) == []
    page.get_by_role("link", name="Back to progress").click()
    expect(page.get_by_test_id("due-bluff")).to_have_count(waiting - 1)


@pytest.mark.slow
def test_a_band_is_laid_on_the_ruler_by_keyboard(visit: Visit, player: str) -> None:
    page = visit()
    open_progress(page, player)
    page.get_by_test_id("due-limit").first.click()
    high = page.get_by_test_id("band-high")
    before = page.locator("output[for=band-high]").inner_text()
    high.focus()
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    expect(page.locator("output[for=band-high]")).not_to_have_text(before)
    expect(page.locator("#ruler .estimate")).to_be_visible()
    for _ in range(200):
        page.keyboard.press("ArrowLeft")
    assert page.get_by_test_id("band-low").input_value() == high.input_value(), (
        "the ends never pass each other"
    )
    assert serious(page) == []
    page.get_by_test_id("lay-band").click()
    expect(page.get_by_test_id("verdict")).to_be_focused()
    expect(page.get_by_role("rowheader", name="A careful observer")).to_be_visible()
    expect(page.locator("#density svg")).to_be_visible()
    assert serious(page) == []


@pytest.mark.slow
def test_the_progress_page_is_open_to_all_and_fits_a_phone(visit: Visit, player: str) -> None:
    page = visit()
    open_progress(page, player)
    expect(page.get_by_test_id("weeks")).to_have_text("2 weeks running")
    plot = page.locator("#plot-shares")
    plot.scroll_into_view_if_needed()
    expect(plot.locator(".plot-frame > svg")).to_be_visible()
    assert serious_in_both(page) == []
    page.set_viewport_size({"width": 320, "height": 700})
    assert fits(page)
    for kind in ("drill", "bluff", "limit"):
        page.goto("/progress/")
        cards = page.get_by_test_id(f"due-{kind}")
        if cards.count():
            cards.first.click()
            expect(page.get_by_role("heading", level=1)).to_be_visible()
            assert fits(page), kind
            assert serious_in_both(page) == [], kind


@pytest.mark.slow
def test_without_scripts_a_drill_still_works(visit: Visit, server: Stack) -> None:
    player = somebody(server)  # of its own: a drill that another test has done waits for another day
    page = visit(java_script_enabled=False)
    page.goto("/accounts/login/?next=/progress/")
    page.get_by_label("Email").fill(player)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_test_id("due-drill").first.click()
    page.get_by_test_id("choice").first.click()
    expect(page.get_by_test_id("verdict")).to_be_visible()
