"""The table stays in its window: however long the talk, nothing scrolls the page away from its bar."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.driver import connected, sign_in, start_deal
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


@pytest.mark.slow
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
        more = page.get_by_role("button", name="More of this deal")
        if more.is_visible():
            more.click()
        buttons = page.locator(".tablebar nav button:visible")
        assert buttons.count() >= 4
        for at in range(buttons.count()):
            if more.is_visible() and page.locator("#bar-menu:popover-open").count() == 0:
                more.click()
            buttons.nth(at).click()
            page.keyboard.press("Escape")
            assert page.evaluate("scrollY") == 0, (width, height, at)
            expect(page.locator(".tablebar")).to_be_in_viewport(ratio=1)
        expect(page.get_by_test_id("briefing")).to_be_in_viewport()


@pytest.mark.slow
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


TERMS = """
from accounts.models import User
from accounts.selectors import team_of
from negotiation.services import game_create
from tests.practice import _answered
from tests.web.moves import act, submit
rep = User.objects.get(email="rep@demo.local")
game = game_create(
    player=rep, team=team_of(rep), scenario="software_licensing", persona="veteran", seat="seller", seed=4
)
for offer, words in (
    (None, "What goes wrong in your studios today, and who notices it first?"),
    (250_000.0, "That is what we need for all of your teams, with everything in it."),
    (242_000.0, "If you can help me with the length of it, I can move on the figure from the first day on."),
):
    submit(game, act(offer, text=words))
    _answered(game)
print(game.pk)
"""
WHOLE = """() => {
  const box = document.querySelector("#transcript").getBoundingClientRect();
  return ["player-line", "opponent-line"].every((kind) => {
    const line = [...document.querySelectorAll(`[data-testid=${kind}]`)].at(-1).getBoundingClientRect();
    return line.top >= box.top - 1 && line.bottom <= box.bottom + 1;
  });
}"""


def test_with_terms_the_last_exchange_is_whole_in_sight_and_nothing_moves_while_it_arrives(
    visit: Visit, server: Stack
) -> None:
    game = server.tell(TERMS).strip()
    page = visit(reduced_motion="reduce")
    page.add_init_script(
        "window.moved = 0; new PerformanceObserver((list) => { for (const shift of list.getEntries())"
        " window.moved += shift.value }).observe({ type: 'layout-shift', buffered: true })"
    )
    sign_in(page)
    page.goto(f"/deals/{game}/")
    connected(page)
    assert page.evaluate("window.moved") < 0.001
    for width, height in ((1440, 900), (1280, 800), (768, 1024), (360, 740)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(WHOLE, timeout=5_000)
        assert page.evaluate(TALLER) <= 0, (width, height)
    tall = "document.querySelector('#transcript').clientHeight"
    page.set_viewport_size({"width": 1440, "height": 900})
    page.wait_for_function(f"{tall} >= 380")
    expect(page.locator("#package-issues fieldset").last).to_be_visible()


def test_on_a_phone_the_bar_holds_the_one_across_and_a_menu_that_escape_closes(
    visit: Visit, server: Stack
) -> None:
    game = server.tell(TERMS).strip()
    page = visit(viewport={"width": 360, "height": 740})
    sign_in(page)
    page.goto(f"/deals/{game}/")
    connected(page)
    bar = page.locator(".tablebar").bounding_box()
    face = page.get_by_test_id("avatar").bounding_box()
    assert bar is not None
    assert face is not None
    assert face["y"] + face["height"] <= bar["y"] + bar["height"]
    more = page.get_by_role("button", name="More of this deal")
    more.click()
    expect(page.get_by_role("button", name="Invite a watcher")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Invite a watcher")).to_be_hidden()
    expect(more).to_be_focused()
    more.click()
    page.get_by_role("button", name="Briefing").click()
    expect(page.get_by_role("button", name="Invite a watcher")).to_be_hidden()
    expect(page.get_by_role("button", name="To the table")).to_be_visible()


def test_from_the_sheet_of_keys_one_goes_on_where_one_was(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    start_deal(page)
    for place in (
        page.get_by_test_id("card-silence"),
        page.locator("#tab-cards"),
        page.locator("#help-button"),
    ):
        place.focus()
        page.keyboard.press("?")
        expect(page.locator("#help-dialog")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator("#help-dialog")).to_be_hidden()
        expect(place).to_be_focused()


def test_where_the_system_chooses_the_colours_the_open_tab_of_the_hand_has_a_frame(visit: Visit) -> None:
    page = visit(forced_colors="active")
    sign_in(page)
    start_deal(page)
    page.locator("#tab-plan").click()
    frames = {
        tab: page.locator(f"#tab-{tab}").evaluate("(tab) => getComputedStyle(tab).outlineStyle")
        for tab in ("plan", "facts")
    }
    assert frames == {"plan": "solid", "facts": "none"}
