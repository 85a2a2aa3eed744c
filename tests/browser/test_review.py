"""The move review in a real browser: it waits for the worker, asks before it tells, and leads back to the table."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.driver import close_deal, fits, lines, say, sign_in
from tests.browser.test_access import serious, serious_in_both
from tests.servers import Stack

pytestmark = pytest.mark.browser

WORK = """
from coaching.reviews.models import MoveReview
from coaching.reviews.services import REVIEW
from owed import services as owed
for each in MoveReview.objects.filter(state="waiting"):
    owed.do(REVIEW, each.pk)
"""
FAIL = """
from coaching.reviews.models import MoveReview
MoveReview.objects.filter(state="waiting").update(state="failed")
"""
GIVE_AWAY = """
from accounts.models import User
from tests.practice import give_away, review_now
game = give_away(User.objects.get(email="rep@demo.local"))
"""
REVIEWED = GIVE_AWAY + "review_now(game)\nprint(game.pk)"


def played(page: Page, server: Stack) -> None:
    """A deal in which much is given away, at its debrief."""
    sign_in(page)
    page.goto(f"/deals/{server.tell(GIVE_AWAY + 'print(game.pk)').strip()}/debrief/")


@pytest.fixture
def given_away(server: Stack) -> str:
    """The moves of such a deal, which the worker has reviewed."""
    return f"/deals/{server.tell(REVIEWED).strip()}/moves/"


def reviewed(page: Page, address: str, *, sheet: bool = False) -> Locator:
    """The review as it stands open; with ``sheet`` where the list of moves is one that is closed."""
    sign_in(page)
    page.goto(address)
    review = page.get_by_test_id("move-review")
    expect(review.get_by_role("region", name="The position")).to_be_visible(timeout=15_000)
    if not sheet:
        expect(review.get_by_role("list", name="Moves")).to_be_visible()
    return review


def to_a_question(page: Page, review: Locator) -> None:
    """Step to a move whose better one is still hidden."""
    page.keyboard.press("Home")
    for _ in range(review.locator(".review-moves button").count()):
        page.keyboard.press("n")
        if review.get_by_text("What would have been better?").is_visible():
            return
    raise AssertionError("so much given away, and no fault found")


@pytest.mark.slow
def test_what_to_keep_start_and_stop_comes_with_the_review_to_a_page_that_is_open(
    visit: Visit, server: Stack
) -> None:
    page = visit()
    played(page, server)
    advice = page.get_by_test_id("keep-start-stop")
    before = advice.inner_text()
    expect(page.get_by_test_id("story").get_by_text("The review will begin")).to_be_visible()
    server.tell(WORK)
    expect(advice).not_to_have_text(before, timeout=15_000, use_inner_text=True)
    expect(page.get_by_test_id("costliest-turn")).to_be_visible()
    expect(page.get_by_test_id("move-review").get_by_role("link").first).to_be_visible()
    arrived = advice.inner_text()
    page.reload()
    assert advice.inner_text() == arrived


def test_the_better_move_is_told_after_a_guess(visit: Visit, given_away: str) -> None:
    page = visit()
    review = reviewed(page, given_away)
    to_a_question(page, review)
    for told_after in (".review-answer", ".bars", ".answer-why"):
        expect(review.locator(told_after)).to_have_count(0)
    review.locator("[data-place='2']").focus()
    page.keyboard.press("2")
    told = review.locator("#answer-title")
    expect(told).to_be_focused()
    expect(told).to_have_text(re.compile("Right|Nearly|Not quite"))
    expect(review.locator(".review-answer .answer-why")).not_to_be_empty()
    expect(review.locator(".bars li.top")).to_contain_text("best")
    expect(page.locator("#review-live")).to_contain_text("Better:")
    page.reload()
    expect(review.locator("[data-turn]").first).to_be_attached(timeout=15_000)


@pytest.mark.slow
def test_arrows_step_through_the_moves(visit: Visit, given_away: str) -> None:
    page = visit()
    review = reviewed(page, given_away)
    review.locator(".review-moves button").first.click()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    expect(review.get_by_role("heading", name="Turn 2")).to_be_focused()
    expect(page.locator("#review-live")).to_contain_text("Turn 2")
    page.keyboard.press("ArrowLeft")
    expect(review.get_by_role("heading", name="Turn 1")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(review.get_by_role("heading", name="Turn 1")).to_be_visible()


@pytest.mark.slow
def test_n_goes_to_the_next_fault_and_around(visit: Visit, given_away: str) -> None:
    page = visit()
    review = reviewed(page, given_away)
    faults = review.locator(".move:is(.inaccuracy, .mistake, .blunder)")
    page.keyboard.press("Home")
    for _ in range(faults.count() + 1):
        page.keyboard.press("n")
        expect(review.locator(".move[aria-current]")).to_have_class(re.compile("inaccuracy|mistake|blunder"))
    page.keyboard.press("End")
    expect(review.locator(".move").last).to_have_attribute("aria-current", "true")


def test_their_side_is_shown_on_demand_and_stays_while_stepping(visit: Visit, given_away: str) -> None:
    page = visit()
    review = reviewed(page, given_away)
    side = review.get_by_role("region", name="Their side")
    expect(side).to_have_count(0)
    expect(review.locator(".their-limit")).to_have_count(0)
    page.keyboard.press("h")
    expect(side).to_contain_text("Their limit")
    expect(review.get_by_role("button", name="Their side")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("ArrowLeft")
    expect(side).to_be_visible()
    expect(review.locator(".their-limit")).to_have_count(1)
    page.keyboard.press("h")
    expect(side).to_have_count(0)


@pytest.mark.slow
def test_on_a_phone_course_move_and_question_are_in_sight_and_the_deal_is_a_sheet(
    visit: Visit, given_away: str
) -> None:
    page = visit(viewport={"width": 360, "height": 740})
    review = reviewed(page, given_away, sheet=True)
    page.keyboard.press("Home")
    while not review.locator(".quiz").is_visible():
        page.keyboard.press("n")
    for seen in (".review-graph svg", ".panel-talk .own", "#quiz-title", "[data-place='1']"):
        expect(review.locator(seen)).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollHeight") == 740
    deal = review.get_by_role("navigation", name="The deal")
    review.get_by_role("button", name="Moves").click()
    expect(deal.locator(".move[aria-current]")).to_be_focused()
    page.keyboard.press("Escape")
    expect(deal).to_be_hidden()
    expect(review.get_by_role("button", name="Moves")).to_be_focused()


@pytest.mark.slow
def test_who_asks_is_shown_without_a_guess(visit: Visit, given_away: str) -> None:
    page = visit(color_scheme="light")
    review = reviewed(page, given_away)
    to_a_question(page, review)
    review.get_by_role("button", name="Show me").click()
    expect(review.get_by_role("heading", name="The better move")).to_be_focused()


@pytest.mark.slow
def test_r_leads_back_to_the_table_as_it_stood(visit: Visit, given_away: str) -> None:
    page = visit()
    review = reviewed(page, given_away)
    review.locator(".review-moves button").nth(1).click()
    expect(review.get_by_test_id("retry-from-turn")).to_have_accessible_name("Play on from turn 2")
    page.keyboard.press("r")
    expect(page.get_by_test_id("practice")).to_contain_text("Practice: from turn 2")
    expect(page.get_by_test_id("player-line")).to_have_count(1)
    before = lines(page).count()
    say(page, "What would make this work for you?", "176000")
    assert lines(page).count() == before + 1
    close_deal(page)
    page.get_by_role("link", name="See what they were hiding").click()
    expect(page.get_by_test_id("endings")).to_contain_text("The first time")


@pytest.mark.slow
def test_a_review_that_failed_can_be_asked_for_again(visit: Visit, server: Stack) -> None:
    page = visit()
    played(page, server)
    server.tell(FAIL)
    review = page.get_by_test_id("story")
    expect(review.get_by_text("The review did not come through.")).to_be_visible(timeout=15_000)
    review.get_by_role("button", name="Try again").click()
    expect(review.get_by_text("The review will begin in a moment")).to_be_visible()


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("theme", "widths"),
    [
        ("dark", (320, 360, 768, 1440)),
        *(
            pytest.param(theme, (width,), marks=pytest.mark.thorough)
            for theme in ("dark", "light")
            for width in (320, 360, 768, 1440)
        ),
    ],
)
def test_it_fits_and_shuts_nobody_out(
    visit: Visit, given_away: str, widths: tuple[int, ...], theme: str
) -> None:
    page = visit(viewport={"width": widths[0], "height": 900}, color_scheme=theme)
    review = reviewed(page, given_away, sheet=True)
    to_a_question(page, review)
    for width in widths:
        page.set_viewport_size({"width": width, "height": 900})
        assert fits(page), width
        assert serious_in_both(page) == [], width
    review.get_by_role("button", name="Show me").click()
    expect(review.locator(".bars li.top")).to_be_visible()
    page.keyboard.press("h")
    expect(review.get_by_role("region", name="Their side")).to_be_visible()
    for width in widths:
        page.set_viewport_size({"width": width, "height": 900})
        assert serious_in_both(page) == [], width


@pytest.mark.slow
def test_two_deals_are_laid_side_by_side_and_a_note_is_kept(visit: Visit, server: Stack) -> None:
    page = visit(viewport={"width": 360, "height": 800}, color_scheme="light")
    played(page, server)
    page.get_by_test_id("tab-expert").click()
    page.get_by_test_id("expert-replay").get_by_role("link", name="Compare two deals").click()
    expect(page.get_by_role("heading", name="What do these two have in common?")).to_be_visible()
    assert fits(page)
    assert serious(page) == []
    page.get_by_label("Your note").fill("In both, whoever waited was paid for it.")
    page.get_by_role("button", name="Keep the note").click()
    expect(page.get_by_text("Your note is kept.")).to_be_visible()
    page.get_by_role("link", name="Back to the debrief").click()
    page.get_by_test_id("tab-expert").click()
    expect(page.get_by_text("whoever waited was paid")).to_be_visible()


@pytest.mark.slow
def test_the_review_prints_as_one_table_beside_its_drawing(visit: Visit, given_away: str) -> None:
    page = visit(color_scheme="dark")
    review = reviewed(page, given_away)
    page.emulate_media(media="print")
    expect(review.locator(".review-graph svg")).to_be_visible()
    expect(review.get_by_role("columnheader", name="Verdict")).to_be_visible()
    for hidden in (".review-panel", ".review-moves", ".review-keys"):
        expect(review.locator(hidden)).to_be_hidden()
    page.set_viewport_size({"width": 690, "height": 900})
    # The drawing follows the new width with the next frame.
    page.wait_for_function(
        "document.querySelector('.review-graph svg').getBoundingClientRect().right <= innerWidth"
    )
