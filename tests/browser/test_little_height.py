"""A phone with its keyboard up, and one on its side: what was said last and what can be done stay in sight."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.driver import fits, lines, say, sign_in, start_deal
from tests.browser.test_guide import ask, sat_down, step
from tests.browser.test_review import REVIEWED, reviewed, to_a_question
from tests.servers import Stack

pytestmark = pytest.mark.browser
SHORT = ((360, 430), (740, 360))
STILL = "document.documentElement.scrollHeight <= innerHeight && scrollY === 0"
OPAQUE = """(part) => {
  const colour = getComputedStyle(part).backgroundColor;
  return colour !== "transparent" && !/, 0(\\.\\d+)?\\)$/.test(colour);
}"""
SEEN = """(line) => {
  const box = line.getBoundingClientRect(), foot = document.querySelector("#composer").getBoundingClientRect().top;
  const room = document.querySelector("#transcript").getBoundingClientRect();
  return box.bottom <= foot + 1 && box.bottom <= room.bottom + 1 && box.bottom > room.top + 12;
}"""


def phone(visit: Visit, width: int, height: int) -> Page:
    return visit(viewport={"width": width, "height": height}, has_touch=True, is_mobile=True)


@pytest.mark.parametrize(("width", "height"), SHORT)
def test_at_the_table_the_end_of_the_talk_stands_above_what_one_writes(
    visit: Visit, width: int, height: int
) -> None:
    page = phone(visit, width, height)
    sign_in(page)
    start_deal(page, persona="shark")
    say(page, "We start at 178.", "178000")
    for control in ("utterance", "offer", "send", "accept", "walk-away"):
        expect(page.get_by_test_id(control)).to_be_in_viewport(ratio=1)
    page.wait_for_function(STILL)
    assert lines(page).last.evaluate(SEEN)
    assert page.locator("#composer").evaluate(OPAQUE)
    assert fits(page)


@pytest.mark.parametrize(("width", "height"), SHORT)
def test_in_a_first_deal_the_guide_stands_above_an_opaque_field(
    visit: Visit, width: int, height: int
) -> None:
    page = phone(visit, width, height)
    sat_down(page)
    expect(page.locator(".chip").first).to_be_in_viewport(ratio=1)
    assert page.locator("#composer").evaluate(OPAQUE)
    ask(page)
    step(page, "number")
    for control in (page.get_by_test_id("offer"), page.get_by_test_id("send"), page.locator("#guide-title")):
        expect(control).to_be_in_viewport(ratio=1)
    page.wait_for_function(STILL)
    assert lines(page).last.evaluate(SEEN)
    assert fits(page)


def test_on_its_side_the_review_shows_course_move_and_question_at_once(visit: Visit, server: Stack) -> None:
    page = phone(visit, 740, 360)
    review = reviewed(page, f"/deals/{server.tell(REVIEWED).strip()}/moves/", sheet=True)
    to_a_question(page, review)
    for seen in (".review-graph svg", ".panel-talk .own q", "#quiz-title", "[data-place='1']", ".steps"):
        expect(review.locator(seen)).to_be_in_viewport(ratio=1)
    page.wait_for_function(STILL)
    assert fits(page)
    review.locator("[data-place='1']").tap()
    expect(review.locator("#answer-title")).to_be_in_viewport(ratio=1)
    expect(review.locator(".review-graph svg")).to_be_in_viewport(ratio=1)


def test_only_one_button_of_a_first_deal_on_a_phone_is_called_leave(visit: Visit) -> None:
    page = phone(visit, 360, 740)
    sat_down(page)
    expect(page.get_by_role("button", name="Leave")).to_have_text(["Leave the guide"])
    box = page.get_by_test_id("guide-leave").bounding_box()
    assert box is not None
    assert box["height"] < 48, "on one line"


def test_where_more_lies_above_the_talk_fades_and_is_not_cut(visit: Visit) -> None:
    page = visit(viewport={"width": 1280, "height": 720})
    sign_in(page)
    start_deal(page, persona="shark")
    transcript = page.get_by_test_id("transcript")
    for offer in ("178000", "177000", "176000"):
        say(page, "We can do this, with everything in it that your teams have asked for so far.", offer)
    expect(transcript).to_have_attribute("data-above", "")
    mask = "getComputedStyle(document.querySelector('#transcript')).maskImage"
    assert page.evaluate(mask).startswith("linear-gradient")
    transcript.evaluate("node => node.scrollTo({ top: 0, behavior: 'instant' })")
    expect(transcript).not_to_have_attribute("data-above", "")
    expect(transcript).to_have_attribute("data-below", "")
