"""The ways through the pages, and where on each of them a picture is taken."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser import test_coalition as three
from tests.browser import test_diplomacy as board
from tests.browser import test_games as small
from tests.browser.driver import answered, close_deal, connected, lines, over, say, sign_in, start_deal
from tests.browser.screens import deals
from tests.browser.screens.camera import KEYBOARD, LANDSCAPE, Camera
from tests.browser.test_guide import ask, name_a_number, sat_down, step
from tests.browser.test_table_window import NEWS, TERMS
from tests.servers import Stack


@dataclass(frozen=True)
class Stage:
    """A server, a camera, and fresh pages."""

    server: Stack
    camera: Camera
    visit: Callable[[], Page]

    def seat(self, code: str, email: str = "rep@demo.local") -> tuple[Page, str]:
        """Somebody who is signed in, and the address of the deal that the code makes."""
        page = self.visit()
        sign_in(page, email)
        return page, f"/deals/{self.server.tell(code).split()[0]}/"


def around(stage: Stage) -> None:
    """What lies around the table."""
    page = stage.visit()
    page.goto("/")
    stage.camera.take(page, "landing", whole=True)
    sign_in(page)
    page.goto("/")
    stage.camera.take(page, "lobby", whole=True)
    page.goto("/deals/new/")
    stage.camera.take(page, "new", whole=True)
    start_deal(page, scenario="software_licensing")
    stage.camera.take(page, "briefing")


def guide(stage: Stage) -> None:
    """A first deal, state by state, up to its debrief and its review."""
    page, take = stage.visit(), stage.camera.take
    sat_down(page)
    take(page, "guide-1-ask")
    take(page, "guide-1-ask-phone", KEYBOARD, LANDSCAPE)
    ask(page)
    step(page, "number")
    take(page, "guide-2-number")
    take(page, "guide-2-number-phone", KEYBOARD, LANDSCAPE)
    name_a_number(page)
    step(page, "card")
    take(page, "guide-3-card")
    before = lines(page).count()
    page.get_by_role("button", name="Play Silence").click()
    answered(page, before)
    step(page, "read")
    take(page, "guide-4-read")
    page.get_by_role("button", name="That is my read").click()
    step(page, "close")
    take(page, "guide-5-close")
    for _ in range(4):
        further = page.locator(".way", has_text="One more step")
        if over(page) or further.count() == 0 or page.locator(".way", has_text="Accept").count():
            break
        before = lines(page).count()
        further.click()
        take(page, "guide-6-step")
        page.get_by_test_id("send").click()
        answered(page, before)
    take(page, "guide-6-close-again")
    if not over(page):
        taken = page.locator(".way", has_text="Accept")
        (taken if taken.count() else page.get_by_role("button", name="Walk away").first).click()
        page.get_by_test_id("confirm").click()
    step(page, "end")
    take(page, "guide-7-end")
    page.get_by_role("link", name="See what they were hiding").click()
    address = page.url
    stage.server.tell(deals.REVIEW.format(game=address.split("/")[4]))
    page.goto(address)
    take(page, "guide-debrief", whole=True)


def guide_lost(stage: Stage) -> None:
    """A first deal that ends without one."""
    page = stage.visit()
    sat_down(page)
    ask(page)
    name_a_number(page)
    page.get_by_test_id("guide-leave").click()
    stage.camera.take(page, "guide-left")
    page.get_by_test_id("walk-away").click()
    page.get_by_test_id("confirm").click()
    expect(page.locator("#finish")).to_be_visible()
    stage.camera.take(page, "no-deal-end")


def table(stage: Stage) -> None:
    """A deal with terms in the middle, its sheets, its confirmations; the news; waiting; a cut line."""
    page, address = stage.seat(TERMS)
    take = stage.camera.take
    page.goto(address)
    connected(page)
    take(page, "table")
    take(page, "table-phone", KEYBOARD, LANDSCAPE)
    page.get_by_test_id("utterance").fill("We could go to 236 if you take three years of it.")
    expect(page.locator("#understood-price")).not_to_be_empty()
    take(page, "table-written")
    take(page, "table-written-phone", KEYBOARD, LANDSCAPE)
    page.get_by_test_id("offer").fill("231000")
    page.get_by_test_id("send").click()
    expect(page.get_by_test_id("clarify")).to_be_visible()
    take(page, "table-unclear")
    page.keyboard.press("Escape")
    page.get_by_test_id("accept").click()
    take(page, "table-accept")
    page.keyboard.press("Escape")
    page.locator("#tab-facts").click()
    take(page, "table-facts")
    page.set_viewport_size({"width": 360, "height": 740})
    for sheet in ("package", "cards", "her"):
        page.locator(f"#open-{sheet}").click()
        take(page, f"sheet-{sheet}", (360, 740), (768, 1024))
        page.locator(f"#panel-{sheet} .sheet-close").click()
    page.get_by_role("button", name="More of this deal").click()
    take(page, "table-menu", (360, 740), pointer=False)


def states(stage: Stage) -> None:
    """What happens at a table: news, a hint, waiting, heat, a cut line."""
    page, address = stage.seat(NEWS)
    take = stage.camera.take
    page.goto(address)
    connected(page)
    take(page, "table-news")
    take(page, "table-news-phone", KEYBOARD, LANDSCAPE)
    page.locator("#hint-button").click()
    page.get_by_test_id("confirm").click()
    expect(page.get_by_test_id("coach-note")).to_be_visible()
    take(page, "table-hint")
    hot, address = stage.seat(deals.HOT)
    hot.goto(address)
    connected(hot)
    take(hot, "table-hot")
    waiting, address = stage.seat(deals.WAITING)
    hold_answers(waiting)
    waiting.goto(address)
    connected(waiting)
    waiting.get_by_test_id("utterance").fill("We can do 174 if you sign this quarter.")
    waiting.get_by_test_id("offer").fill("174000")
    waiting.get_by_test_id("send").click()
    expect(waiting.locator(".typing")).to_be_visible()
    take(waiting, "table-waiting")
    stage.server.kill_web()
    expect(hot.get_by_test_id("connection")).not_to_have_attribute("data-state", "open")
    take(hot, "table-lost")
    stage.server.start_web()


def hold_answers(page: Page) -> None:
    """Keep from the page what the other side answers, so that a turn is waited for as long as pictures take."""

    def between(line: WebSocketRoute) -> None:
        server, held = line.connect_to_server(), False

        def on_frame(frame: str | bytes) -> None:
            nonlocal held
            told = json.loads(frame)
            if held or not isinstance(told, list):
                return None if held else line.send(frame)
            own = list(takewhile(lambda event: event["type"] != "opponent_moved", told))
            held = len(own) < len(told)
            return line.send(json.dumps(own)) if own else None

        server.on_message(on_frame)

    page.route_web_socket(re.compile(r"/ws/"), between)


def watch(stage: Stage) -> None:
    """Who looks on: a manager with both sides, a coach's and a watcher's link, the team's pages; the end; a dead link."""
    rep, manager, guest = stage.visit(), stage.visit(), stage.visit()
    take = stage.camera.take
    sign_in(rep)
    start_deal(rep, persona="shark")
    say(rep, "We start at 178.", "178000")
    sign_in(manager, "manager@demo.local")
    manager.goto("/")
    take(manager, "lobby-manager", whole=True)
    manager.goto("/team/")
    take(manager, "team", whole=True)
    manager.goto("/")
    manager.locator("[data-watch-game]").last.click()
    connected(manager)
    take(manager, "watch", whole=True)
    rep.get_by_test_id("spectate-link").click()
    rep.get_by_role("button", name="Link for a watcher").click()
    expect(rep.get_by_label("Link for a watcher")).to_have_value(re.compile("/watch/"))
    guest.goto(rep.get_by_label("Link for a watcher").input_value())
    connected(guest)
    take(guest, "watch-link", whole=True)
    rep.get_by_role("button", name="Close", exact=True).click()
    close_deal(rep)
    expect(manager.locator("#finish")).to_be_visible()
    take(manager, "watch-over")
    manager.goto("/watch/no-such-link/")
    take(manager, "watch-gone")
    packages, address = stage.seat(TERMS)
    packages.goto(address)
    connected(packages)
    packages.get_by_test_id("spectate-link").click()
    packages.get_by_role("button", name="Link for a coach").click()
    expect(packages.get_by_label("Link for a coach")).to_have_value(re.compile("/watch/"))
    manager.goto(packages.get_by_label("Link for a coach").input_value())
    connected(manager)
    take(manager, "watch-terms", whole=True)


def debriefs(stage: Stage) -> None:
    """Every case of a debrief; of the first, its tabs as well."""
    for name, code in deals.DEBRIEFS.items():
        page, address = stage.seat(code)
        page.goto(f"{address}debrief/")
        stage.camera.take(page, f"debrief-{name}", whole=True)
        if name == "deal":
            stage.camera.take(page, "debrief-phone", KEYBOARD, LANDSCAPE)
            for tab in ("score", "played", "knew", "theory", "expert", "comments"):
                page.get_by_test_id(f"tab-{tab}").click()
                stage.camera.take(page, f"debrief-tab-{tab}", (360, 740), (1440, 900), whole=True)
            page.evaluate("scrollTo(0, 0)")
            page.locator(".more summary").click()
            stage.camera.take(page, "debrief-menu", pointer=False)


def review(stage: Stage) -> None:
    """Move by move: a fault asked about, answered, with the other side shown."""
    page, address = stage.seat(deals.DEBRIEFS["deal"])
    page.goto(f"{address}moves/")
    expect(page.get_by_role("region", name="The position")).to_be_visible(timeout=15_000)
    stage.camera.take(page, "review")
    stage.camera.take(page, "review-phone", KEYBOARD, LANDSCAPE)
    page.keyboard.press("Home")
    for _ in range(4):
        if page.get_by_text("What would have been better?").is_visible():
            break
        page.keyboard.press("n")
    stage.camera.take(page, "review-question")
    page.keyboard.press("1")
    expect(page.locator("#answer-title")).to_be_visible()
    stage.camera.take(page, "review-answered")
    page.keyboard.press("h")
    stage.camera.take(page, "review-her-side")
    page.set_viewport_size({"width": 360, "height": 740})
    page.locator("#list-open").click()
    stage.camera.take(page, "review-moves", (360, 740))


def coalition(stage: Stage) -> None:
    """Three at the table, from choosing a seat to the debrief; who looks on."""
    page, coach = stage.visit(), stage.visit()
    take = stage.camera.take
    sign_in(page)
    page.goto("/deals/new/")
    page.get_by_test_id("three-at-the-table").click()
    take(page, "three-new", whole=True)
    three.sit_down(page)
    take(page, "three-start")
    three.say(page, "What would it take?")
    take(page, "three-table", whole=True)
    take(page, "three-table-phone", KEYBOARD, LANDSCAPE)
    three.propose(page, "All three", buyer_a="121,000", buyer_b="92,000")
    take(page, "three-offer", whole=True)
    page.get_by_test_id("spectate-link").click()
    page.get_by_role("button", name="Link for a coach").click()
    expect(page.locator("#link-url")).to_have_value(re.compile("/coalition-watch/"))
    coach.goto(page.locator("#link-url").input_value())
    connected(coach)
    page.get_by_role("button", name="Close", exact=True).click()
    three.say(page, "We all gain if we share.")
    expect(coach.get_by_test_id("opponent-line").last).to_be_visible()
    take(coach, "three-watch", whole=True)
    page.get_by_role("radio", name="Nothing, just talk").check(force=True)
    three.play_on(page)
    take(page, "three-end")
    page.get_by_role("link", name="See what they were hiding").click()
    take(page, "three-debrief", whole=True)


def games(stage: Stage) -> None:
    """The small games: the shelf, one's own page, each in the middle and weighed; somebody guessed."""
    page = stage.visit()
    take = stage.camera.take
    sign_in(page)
    page.goto("/games/")
    take(page, "games", whole=True)
    page.get_by_test_id("game-pie").click()
    take(page, "games-one", whole=True)
    for game, opponent in small.OPPONENTS.items():
        small.sit_down(page, game, opponent)
        small.move(page, game, 0)
        take(page, f"game-{game}", whole=True)
    small.play_on(page, "poker")
    take(page, "game-result", whole=True)
    small.sit_down(page, "pie")
    take(page, "game-guess")
    small.play_on(page, "pie")
    take(page, "game-who", whole=True)
    page.locator("input[name=suspect]").first.check()
    page.get_by_test_id("name-them").click()
    expect(page.get_by_test_id("result")).to_be_visible()
    take(page, "game-named", whole=True)


def diplomacy(stage: Stage) -> None:
    """The board: its games, orders and words, what came of them, who looks on, what the words were worth."""
    page, watcher = stage.visit(), stage.visit()
    take = stage.camera.take
    sign_in(page)
    page.goto("/diplomacy/")
    take(page, "board-games", whole=True)
    board.sit_down(page)
    take(page, "board", whole=True)
    board.write(page, "GERMANY", "I will not attack you until fall 1901.")
    page.get_by_test_id("press-text").fill("I propose a non-aggression pact until fall 1902.")
    board.move(page, "A PAR", "BUR")
    page.locator('.unit[data-unit="A MAR"]').click()
    take(page, "board-order", whole=True)
    page.locator("#link-button").click()
    watcher.goto(page.get_by_label("For a watcher").input_value())
    connected(watcher)
    take(watcher, "board-watch", whole=True)
    page.get_by_role("button", name="Done").click()
    board.send_orders(page)
    board.go_on(page)
    board.move(page, "A BUR", "MUN")
    board.send_orders(page)
    take(page, "board-replay", whole=True)
    for tab in ("ledger", "results", "forks"):
        board.tab(page, tab)
        take(page, f"board-{tab}", whole=True)
    page.locator("#leave-button").click()
    page.get_by_test_id("leave-yes").click()
    expect(page.get_by_test_id("board-end")).to_be_visible()
    take(page, "board-end", whole=True)
    page.get_by_test_id("lesson").click()
    take(page, "board-lesson-waiting")
    stage.server.manage("shell", "-c", deals.LESSONS)
    expect(page.get_by_test_id("chapter")).to_have_count(2)
    take(page, "board-lesson", whole=True)


WAYS: Final[dict[str, Callable[[Stage], None]]] = {
    way.__name__: way
    for way in (
        around,
        guide,
        guide_lost,
        table,
        states,
        watch,
        debriefs,
        review,
        coalition,
        games,
        diplomacy,
    )
}
