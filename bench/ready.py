"""How soon a page can be used: a table that is joined in the middle of its deal, a debrief, and where a first deal begins.

    python -m bench.ready [--rounds 9] [--rehearse] [--output bench/results/ready.json]

A real Chromium before a real server on the same machine, at 1440 and at 360 px, each time as somebody whose browser has
kept nothing. Told are seconds from asking for the page until it can be used: at a table until its line is open and takes
words, in a debrief until a tab that was pressed shows what is behind it. The driver's own part is in them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

from playwright.sync_api import Browser, Page, expect

from bench.browsing import browsing
from bench.experiment import Given, experiment, option
from tests.browser.driver import close_deal, connected, say, sign_in, start_deal

SIZES = {1440: 900, 360: 740}


def takes_words(page: Page) -> None:
    """The line is open, and the field takes what is typed."""
    connected(page)
    page.get_by_test_id("utterance").fill("What matters most to you here?")


def shows_a_tab(page: Page) -> None:
    """A tab that is pressed shows its pane."""
    page.get_by_test_id("tab-score").click()
    expect(page.locator("#pane-score")).to_be_visible()


def begins(page: Page) -> None:
    """The button under which a first deal begins can be pressed."""
    page.get_by_role("button", name="Play a deal now").click(trial=True)


def seconds(
    browser: Browser, url: str, path: str, wide: int, usable: Callable[[Page], None], *, known: bool
) -> float:
    """From asking for a page until it is usable."""
    page = browser.new_page(base_url=url, viewport={"width": wide, "height": SIZES[wide]})
    if known:
        sign_in(page)
    began = time.perf_counter()
    page.goto(path, wait_until="commit")
    usable(page)
    took = time.perf_counter() - began
    page.close()
    return round(took, 3)


def played(browser: Browser, url: str) -> dict[str, str]:
    """A table in the middle of its deal, and the debrief of another: their paths."""
    page = browser.new_page(base_url=url, viewport={"width": 1440, "height": 900})
    sign_in(page)
    start_deal(page, scenario="software_licensing")
    say(page, "We can do 250.", "250000")
    table = page.url
    start_deal(page)
    say(page, "We can do 172.", "172000")
    close_deal(page)
    page.get_by_role("link", name="See what they were hiding").click()
    expect(page.get_by_test_id("tab-score")).to_be_visible()
    paths = {"table": table, "debrief": page.url}
    page.close()
    return paths


@experiment("ready.json", option("--rounds", type=int, default=9), rehearsal=True)
def main(given: Given) -> dict[str, Any]:
    """Every page at both sizes, some rounds of each, in turns."""
    rounds = 1 if given.rehearse else given.rounds
    with browsing() as (browser, stack):
        paths = played(browser, stack.url)
        pages = {
            "table": (paths["table"], takes_words, True),
            "debrief": (paths["debrief"], shows_a_tab, True),
            "landing": ("/", begins, False),
        }
        found: dict[str, list[float]] = {f"{name}, {wide}": [] for name in pages for wide in SIZES}
        for _ in range(rounds):
            for name, (path, usable, known) in pages.items():
                for wide in SIZES:
                    took = seconds(browser, stack.url, path, wide, usable, known=known)
                    found[f"{name}, {wide}"].append(took)
    return {"rounds": found, "median": {name: median(each) for name, each in found.items()}}


if __name__ == "__main__":
    main()
