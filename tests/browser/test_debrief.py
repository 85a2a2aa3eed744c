"""The debrief on the screen and on paper."""

from __future__ import annotations

import gzip
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.driver import close_deal, fits, say, sign_in, start_deal
from tests.browser.test_access import serious_in_both
from tests.browser.test_review import REVIEWED
from tests.servers import Stack

pytestmark = pytest.mark.browser
WIDTHS = (360, 768, 1440)


def played(page: Page) -> None:
    sign_in(page)
    start_deal(page, persona="shark")
    say(page, "We start at 178.", "178000")
    close_deal(page)
    page.get_by_role("link", name="See what they were hiding").click()


@pytest.mark.slow
def test_it_prints_every_figure_in_the_colours_of_the_day(visit: Visit) -> None:
    page = visit(color_scheme="dark")
    played(page)
    expect(page.locator("html[data-ready]")).to_be_attached()
    plots = page.locator("[data-figure]")
    assert page.locator("[data-figure][data-drawn]").count() == 0, (
        "drawings wait for who opens or prints them"
    )
    page.evaluate(
        """() => addEventListener("beforeprint", () => {
        window.printed = {theme: document.documentElement.dataset.theme,
          widths: [...document.querySelectorAll("[data-figure][data-drawn] .plot-frame > svg")].map(n => n.clientWidth),
          shut: [...document.querySelectorAll(".pane")].filter(n => n.offsetHeight === 0).length,
          open: document.querySelectorAll(".by-turn details:not([open])").length} })"""
    )
    page.emulate_media(media="print")
    page.pdf()
    assert page.evaluate("window.printed") == {
        "theme": "light",
        "widths": [680] * plots.count(),
        "shut": 0,
        "open": 0,
    }
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.locator(".by-turn details[open]").count() == 0


@pytest.mark.parametrize(
    "width", [360, *(pytest.param(width, marks=pytest.mark.thorough) for width in WIDTHS[1:])]
)
def test_the_numbers_stand_beside_their_meaning(visit: Visit, width: int) -> None:
    page = visit(viewport={"width": width, "height": 900})
    played(page)
    went = page.locator("#went")
    # A few deals have no zone at all, and some are signed beyond the walk-away; that is what is said then.
    expect(went).to_contain_text(
        re.compile(
            r"left to Viktor \$[\d,]+|Viktor \$[\d,]+.* beyond your walk-away|There was nothing to be had",
            re.IGNORECASE,
        )
    )
    expect(went).to_contain_text(re.compile(r"of \$[\d,]+ there was to share|beyond your walk-away"))
    expect(went).to_contain_text("The sum and the bar go by both limits as they were at the start")
    page.get_by_test_id("tab-score").click()
    page.locator("[data-figure=ending]").scroll_into_view_if_needed()
    expect(page.locator("[data-figure=ending][data-drawn]")).to_be_visible(timeout=15_000)
    for now in (width, *WIDTHS):
        page.set_viewport_size({"width": now, "height": 900})
        assert fits(page), now


@pytest.fixture
def given_away(server: Stack) -> str:
    return f"/deals/{server.tell(REVIEWED).strip()}/debrief/"


WITH_TERMS = """
from accounts.models import User
from tests.practice import play_out, review_now
rep = User.objects.get(email="rep@demo.local")
game = play_out(rep, seed={seed}, strategy="{strategy}", scenario="{scenario}", persona="{persona}", seat="{seat}")
review_now(game)
print(game.pk)
"""
"""Deals with a turn that decided them: their answers are the longest."""


@pytest.mark.parametrize(
    ("seed", "strategy", "scenario", "persona", "seat"),
    [
        (4, "conceder", "software_licensing", "diplomat", "seller"),
        pytest.param(3, "linear", "commercial_lease", "shark", "buyer", marks=pytest.mark.thorough),
        pytest.param(5, "conceder", "procurement_hardware", "shark", "buyer", marks=pytest.mark.thorough),
    ],
)
def test_with_terms_both_answers_are_whole_on_the_first_screen_too(
    visit: Visit, server: Stack, seed: int, strategy: str, scenario: str, persona: str, seat: str
) -> None:
    code = WITH_TERMS.format(seed=seed, strategy=strategy, scenario=scenario, persona=persona, seat=seat)
    page = visit()
    sign_in(page)
    page.goto(f"/deals/{server.tell(code).split()[0]}/debrief/")
    expect(page.get_by_test_id("retry-from-turn")).to_be_in_viewport(ratio=1)
    for answer in ("#went", "#decided"):
        expect(page.locator(answer)).to_be_in_viewport(ratio=1)
    ways = page.locator(".do-next .button").all()
    boxes = [box for box in (each.bounding_box() for each in ways) if box is not None]
    assert len(boxes) == 4
    assert len({round(box["y"]) for box in boxes}) == 1, "in one row"
    assert page.evaluate("document.documentElement.scrollHeight") <= 2400
    assert page.get_by_test_id("discovery-map").locator(".worth-bar rect").count() >= 3


def test_the_first_screen_answers_how_it_went_and_where_it_was_decided(visit: Visit, given_away: str) -> None:
    page = visit()
    sign_in(page)
    page.goto(given_away)
    for ident in ("#went", "#decided"):
        box = page.locator(ident).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 900, ident
    for tab in page.get_by_role("tab").all():
        tab.click()
        expect(page.locator(".pane:visible [data-figure]:not([data-drawn])")).to_have_count(0)
        assert page.evaluate("document.documentElement.scrollHeight") <= 2400, tab.inner_text()
    page.evaluate("scrollTo(0, 0)")
    page.set_viewport_size({"width": 360, "height": 740})
    expect(page.get_by_test_id("retry-from-turn")).to_be_in_viewport(ratio=1)
    expect(page.get_by_test_id("costliest-turn")).to_be_in_viewport()


@pytest.mark.slow
def test_every_tab_is_one_press_and_an_address_opens_its_tab(visit: Visit, given_away: str) -> None:
    page = visit()
    sign_in(page)
    page.goto(given_away)
    for tab in ("offers", "score", "played", "knew", "theory", "expert", "comments"):
        page.get_by_test_id(f"tab-{tab}").click()
        expect(page.locator(f"#pane-{tab}")).to_be_visible()
        assert page.locator(".pane:visible").count() == 1
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#pane-expert")).to_be_visible()
    page.goto(f"{given_away}#comments")
    expect(page.get_by_test_id("comment-text")).to_be_visible()


@pytest.mark.slow
def test_without_scripts_all_of_it_is_there(visit: Visit, given_away: str) -> None:
    page = visit()
    sign_in(page)
    plain = visit(java_script_enabled=False, storage_state=page.context.storage_state())
    plain.goto(given_away)
    assert plain.locator(".pane:visible").count() == plain.locator(".pane").count()


@pytest.mark.slow
def test_the_same_deal_and_the_other_seat_are_one_press_away(visit: Visit, given_away: str) -> None:
    page = visit()
    sign_in(page)
    page.goto(given_away)
    page.get_by_test_id("same-deal-again").click()
    expect(page.get_by_test_id("practice")).to_contain_text("from turn 1")
    page.goto(given_away)
    page.get_by_test_id("swap-seats").click()
    expect(page.get_by_test_id("practice")).to_contain_text("seats swapped")


@pytest.mark.slow
def test_it_weighs_little_until_a_drawing_is_asked_for(visit: Visit, given_away: str) -> None:
    """At most 400 kB as it is sent, compressed: scripts, styles and the page itself."""
    page = visit()
    sign_in(page)
    bodies: list[bytes] = []
    page.on("response", lambda answer: bodies.append(answer.body()) if answer.status == 200 else None)
    page.goto(given_away)
    expect(page.locator("html[data-ready]")).to_be_attached()
    page.wait_for_load_state("networkidle")
    assert sum(len(gzip.compress(body)) for body in bodies) <= 400_000


@pytest.mark.thorough
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_it_shuts_nobody_out_at_four_widths(visit: Visit, given_away: str, theme: str) -> None:
    page = visit(color_scheme=theme)
    sign_in(page)
    page.goto(given_away)
    for width in (360, 768, 1280, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        for tab in ("offers", "score", "played", "knew", "theory", "expert", "comments"):
            page.get_by_test_id(f"tab-{tab}").click()
            assert fits(page), (width, tab)
        assert serious_in_both(page) == [], width
