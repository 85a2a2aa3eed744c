"""Clicks and seconds on three ways that people go: from the landing page to a first move, from a deal's end to the next,
by its debrief and without.

A real Chromium before a real server; words are typed at once, so what is counted is the product's own part.

    python -m bench.clicks

Writes ``bench/results/clicks.json``: every round, with the medians.
"""

from __future__ import annotations

import time
from statistics import median
from typing import Any

from playwright.sync_api import Browser, Page, expect

from bench.browsing import browsing
from bench.experiment import Given, experiment, option
from tests.browser.driver import answered, close_deal, connected, lines, say, sign_in, start_deal


class Hand:
    """A pointer that counts, and the time since it set out."""

    def __init__(self) -> None:
        self.clicks = 0
        self.began = time.perf_counter()

    def press(self, target: Any) -> None:
        """One click."""
        self.clicks += 1
        target.click()

    def move(self, page: Page, words: str) -> dict[str, float]:
        """Say something and send it; what it took until the answer stood there."""
        before = lines(page).count()
        page.get_by_test_id("utterance").fill(words)
        self.press(page.get_by_test_id("send"))
        sent = time.perf_counter() - self.began
        answered(page, before)
        return {
            "clicks": self.clicks,
            "seconds_to_sent": round(sent, 2),
            "seconds_to_answer": round(time.perf_counter() - self.began, 2),
        }


def first_move(browser: Browser, url: str) -> dict[str, float]:
    """From the landing page, as a guest."""
    page = browser.new_page(base_url=url, viewport={"width": 1440, "height": 900})
    hand = Hand()
    page.goto("/")
    hand.press(page.get_by_role("button", name="Play a deal now"))
    connected(page)
    found = hand.move(page, "What matters most to you here?")
    page.close()
    return found


def next_move(browser: Browser, url: str) -> dict[str, float]:
    """From the moment that a deal is over, by its debrief, to a move in the same deal again."""
    page = browser.new_page(base_url=url, viewport={"width": 1440, "height": 900})
    sign_in(page)
    start_deal(page)
    say(page, "We can do 172.", "172000")
    close_deal(page)
    hand = Hand()
    hand.press(page.get_by_role("link", name="See what they were hiding"))
    hand.press(page.get_by_test_id("same-deal-again"))
    expect(page.get_by_test_id("utterance")).to_be_visible()
    connected(page)
    found = hand.move(page, "What matters most to you here?")
    page.close()
    return found


def another_move(browser: Browser, url: str) -> dict[str, float]:
    """From the moment that a deal is over to a move in another one against the same opponent."""
    page = browser.new_page(base_url=url, viewport={"width": 1440, "height": 900})
    sign_in(page)
    start_deal(page)
    say(page, "We can do 172.", "172000")
    close_deal(page)
    before = page.url
    hand = Hand()
    hand.press(page.get_by_test_id("play-another"))
    page.wait_for_url(lambda address: address != before)
    connected(page)
    found = hand.move(page, "What matters most to you here?")
    page.close()
    return found


@experiment("clicks.json", option("--rounds", type=int, default=5), rehearsal=True)
def main(given: Given) -> dict[str, Any]:
    """All ways, some rounds of each."""
    rounds = 1 if given.rehearse else given.rounds
    with browsing() as (browser, stack):
        ways = {
            way.__name__: [way(browser, stack.url) for _ in range(rounds)]
            for way in (first_move, next_move, another_move)
        }
    return {
        "ways": ways,
        "median": {
            name: {key: median(each[key] for each in found) for key in found[0]}
            for name, found in ways.items()
        },
    }


if __name__ == "__main__":
    main()
