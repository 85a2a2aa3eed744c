"""The person across the table, and the weight of the page that shows it."""

from __future__ import annotations

import gzip

import pytest
from playwright.sync_api import CDPSession, Page, Response, expect

from tests.browser.conftest import Visit
from tests.browser.driver import connected, say, sign_in, start_deal

pytestmark = pytest.mark.browser
SCRIPT_BUDGET = 32 * 1024
"""Of the table with its figure, gzipped; its page shares chunks with the deal for two people and the review."""
RUDE = "You are an idiot and that number is an insult."

_WATCH = """() => {
  const avatar = document.getElementById('avatar');
  const x = (name) => Number(/translate\\(([-.\\d]+)px/.exec(avatar.querySelector(name).style.transform)?.[1] ?? 0);
  const seen = window.seen = { expressions: [], gazes: [], features: [], ears: [], wall: [], mouth: [], changes: 0 };
  new MutationObserver(() => {
    seen.expressions.push(avatar.dataset.expression);
    seen.gazes.push(avatar.dataset.gaze);
    seen.features.push(x('.features'));
    seen.ears.push(x('.ears'));
    seen.wall.push(x('.wall'));
    seen.mouth.push(Number(/, ([-.\\d]+)\\)$/.exec(avatar.querySelector('.gap').style.transform)?.[1] ?? 0));
    seen.changes += 1;
  }).observe(avatar, { attributes: true, subtree: true, attributeFilter: ['style', 'data-expression', 'data-gaze'] });
}"""
_BROW = "document.querySelector('#avatar .brow.left').style.transform"


@pytest.mark.slow
def test_the_figure_turns_in_depth_speaks_and_shows_the_tension(visit: Visit) -> None:
    page = visit(reduced_motion="no-preference")
    sign_in(page)
    start_deal(page, persona="shark")
    avatar = page.get_by_test_id("avatar")
    expect(avatar.locator("svg.portrait")).to_be_visible()
    assert avatar.locator("canvas").count() == 0
    calm = page.evaluate(_BROW)
    page.evaluate(_WATCH)
    say(page, "We can do 172.", "172000")
    expect(avatar).to_have_attribute("data-expression", "calm", timeout=15_000)
    seen = page.evaluate("window.seen")
    assert {"talk", "you"} <= set(seen["gazes"])
    furthest = max(range(len(seen["features"])), key=lambda i: seen["features"][i])
    assert seen["features"][furthest] > 1, "the face turns to the talk, which lies to the right"
    assert seen["ears"][furthest] < 0, "what lies behind goes the other way"
    assert seen["wall"][furthest] < 0
    assert max(seen["mouth"]) > 0.3, "it spoke"
    say(page, RUDE)
    expect(avatar).to_have_attribute("data-expression", "flinch")
    expect(avatar).to_have_attribute("data-expression", "calm", timeout=15_000)
    assert page.evaluate(_BROW) != calm, "the heat is left in the brows"
    assert float(avatar.evaluate("each => getComputedStyle(each, '::after').opacity")) > 0
    assert avatar.evaluate("each => each.dataset.band") != "calm"

    page.evaluate(
        "() => { Object.defineProperty(document, 'hidden', { get: () => true });"
        "document.dispatchEvent(new Event('visibilitychange')) }"
    )
    page.wait_for_timeout(100)
    before = page.evaluate("window.seen.changes")
    page.wait_for_timeout(700)
    assert page.evaluate("window.seen.changes") == before, "nothing is drawn where nobody looks"
    assert avatar.evaluate("each => getComputedStyle(each.querySelector('.body')).animationName") == "none"


@pytest.mark.slow
def test_with_reduced_motion_the_face_changes_and_nothing_moves(visit: Visit) -> None:
    page = visit(reduced_motion="reduce", forced_colors="active")
    sign_in(page)
    start_deal(page, persona="shark")
    avatar = page.get_by_test_id("avatar")
    calm = page.evaluate(_BROW)
    say(page, RUDE)
    expect(avatar).to_have_attribute("data-expression", "flinch")
    assert page.evaluate(_BROW) != calm
    page.wait_for_timeout(200)
    first = avatar.screenshot()
    page.wait_for_timeout(900)
    assert avatar.screenshot() == first


def _weigh(page: Page) -> dict[str, int]:
    """Compressed size of each script that the page loads."""
    sizes: dict[str, int] = {}

    def note(response: Response) -> None:
        if response.request.resource_type == "script":
            sizes[response.url] = len(gzip.compress(response.body(), 9))

    page.on("response", note)
    return sizes


def worked(clock: CDPSession) -> float:
    """Seconds that the page's thread has been busy."""
    metrics = clock.send("Performance.getMetrics")["metrics"]
    return sum(float(each["value"]) for each in metrics if each["name"] == "TaskDuration")


def test_the_table_is_light_and_soon_ready(visit: Visit) -> None:
    page = visit(reduced_motion="no-preference")
    sign_in(page)
    start_deal(page)
    sizes = _weigh(page)
    clock = page.context.new_cdp_session(page)
    # The page's own work, not the time on the wall: other processes take theirs from that.
    clock.send("Performance.enable", {"timeDomain": "threadTicks"})
    before = worked(clock)
    page.reload()
    page.wait_for_selector("html[data-ready]", state="attached")
    ready = worked(clock) - before
    connected(page)
    assert 0 < sum(sizes.values()) < SCRIPT_BUDGET
    assert 0 < ready < 1.5
    asleep = worked(clock)
    page.wait_for_timeout(1000)
    assert worked(clock) - asleep < 0.35, "breath and blinks leave the thread to the person who types"
