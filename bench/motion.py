"""What the living portrait costs: frames a second and the page's own work, at rest and while she answers; and what jumps.

A real Chromium without a graphics card before a real server. The page is asked for animation frames as fast as it gives
them; its work is counted over other seconds, in which nobody asks, so that the counting is not counted.

    python -m bench.motion

Writes ``bench/results/motion.json``: every round, with the medians.
"""

from __future__ import annotations

from itertools import pairwise
from statistics import median
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page

from bench.browsing import browsing
from bench.experiment import Given, experiment, option
from tests.browser.driver import connected, lines, post, say, sign_in
from tests.browser.test_review import REVIEWED

SECONDS = 4
WIDTHS = {"desk": (1440, 900), "phone": (360, 740)}
_FRAMES = """seconds => new Promise(done => {
  const times = [];
  const note = now => { times.push(now);
    if (now - times[0] < seconds * 1000) requestAnimationFrame(note); else done(times) };
  requestAnimationFrame(note) })"""
_SHIFTS = """window.shifted = 0;
const add = each => { if (!each.hadRecentInput) window.shifted += each.value };
new PerformanceObserver(list => list.getEntries().forEach(add)).observe({ type: 'layout-shift', buffered: true });"""


def frames(page: Page) -> dict[str, float]:
    """Frames a second, and the longest of a hundred waits for one, in ms."""
    times: list[float] = page.evaluate(_FRAMES, SECONDS)
    waits = sorted(later - now for now, later in pairwise(times))
    return {
        "frames_a_second": round(1000 * len(waits) / sum(waits), 1),
        "wait_p99_ms": round(waits[int(0.99 * (len(waits) - 1))], 1),
    }


def work(page: Page, session: CDPSession) -> dict[str, float]:
    """Of each second of the page's main thread, in ms: all of it, and of that scripts, styles and layout."""

    def now() -> dict[str, float]:
        told = session.send("Performance.getMetrics")["metrics"]
        return {each["name"]: each["value"] for each in told}

    before = now()
    page.wait_for_timeout(1000 * SECONDS)
    after = now()
    lasted = after["Timestamp"] - before["Timestamp"]
    parts = {
        "task": "TaskDuration",
        "script": "ScriptDuration",
        "style": "RecalcStyleDuration",
        "layout": "LayoutDuration",
    }
    return {
        f"{name}_ms_a_second": round(1000 * (after[key] - before[key]) / lasted, 2)
        for name, key in parts.items()
    }


def answering(page: Page, measure: Any) -> dict[str, float]:
    """The same from the moment that something was sent: she listens, answers, and her words come one by one."""
    before = lines(page).count()
    page.get_by_test_id("utterance").fill("What goes wrong today, and why does the date matter?")
    page.get_by_test_id("send").click()
    found: dict[str, float] = measure()
    assert lines(page).count() > before, "she has answered meanwhile"
    return found


def sitting(browser: Browser, url: str, size: tuple[int, int], reviewed: str) -> dict[str, Any]:
    """One deal at one width: the portrait at rest and answering, and what jumped as its table came, and the debrief and the
    review of a reviewed one."""
    page = browser.new_page(
        base_url=url, viewport={"width": size[0], "height": size[1]}, reduced_motion="no-preference"
    )
    page.add_init_script(_SHIFTS)
    sign_in(page)
    deal = {"scenario": "software_licensing", "persona": "diplomat", "seat": "seller", "difficulty": "0.5"}
    page.goto(post(page, "/deals/new/", **deal))
    connected(page)
    say(page, "What matters most to you here?")
    page.reload()
    connected(page)
    page.wait_for_load_state("networkidle")
    shifts = {"table": page.evaluate("window.shifted")}
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    found = {
        "at_rest": {**frames(page), **work(page, session)},
        "answering": {
            **answering(page, lambda: frames(page)),
            **answering(page, lambda: work(page, session)),
        },
    }
    for name, address in (("debrief", "debrief"), ("review", "moves")):
        page.goto(f"/deals/{reviewed}/{address}/")
        page.locator("html[data-ready]").wait_for()
        page.wait_for_load_state("networkidle")
        shifts[name] = page.evaluate("window.shifted")
    page.close()
    return {**found, "layout_shift": {name: round(value, 4) for name, value in shifts.items()}}


@experiment("motion.json", option("--rounds", type=int, default=5), rehearsal=True)
def main(given: Given) -> dict[str, Any]:
    """Every round at each width, and the medians."""
    rounds = 1 if given.rehearse else given.rounds
    with browsing() as (browser, stack):
        reviewed = stack.tell(REVIEWED).strip()
        found = {
            name: [sitting(browser, stack.url, size, reviewed) for _ in range(rounds)]
            for name, size in WIDTHS.items()
        }
    return {"rounds": found, "median": {name: middle(each) for name, each in found.items()}}


def middle(rounds: list[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """The median of each figure; of a shift the worst round."""
    return {
        part: {
            key: (max if part == "layout_shift" else median)(each[part][key] for each in rounds)
            for key in rounds[0][part]
        }
        for part in rounds[0]
    }


if __name__ == "__main__":
    main()
