"""The Diplomacy table in a real browser: a whole year with press, by mouse and by keyboard; watchers, guests, what-ifs."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.driver import connected, fits, sign_in
from tests.browser.test_access import serious, serious_in_both
from tests.servers import Stack

pytestmark = pytest.mark.browser
WIDTHS = (320, 768, 1440)


def sit_down(page: Page, power: str = "FRANCE", **choices: str) -> None:
    page.goto("/diplomacy/")
    page.get_by_test_id(f"power-{power}").check(force=True)
    if any(name.startswith("seat-") for name in choices):
        page.get_by_text("Who plays the others").click()
    for name, value in choices.items():
        page.locator(f"#{name}").select_option(value)
    page.get_by_test_id("start-board").click()
    page.wait_for_selector("html[data-ready]", state="attached")
    connected(page)


def write(page: Page, to: str, text: str) -> None:
    page.get_by_test_id("press-target").select_option(to)
    page.get_by_test_id("press-text").fill(text)
    page.get_by_test_id("press-send").click()
    expect(page.get_by_test_id("press-text")).to_have_value("")


def move(page: Page, unit: str, to: str) -> None:
    """Two clicks on the map."""
    page.locator(f'.unit[data-unit="{unit}"]').click()
    page.locator(f'#lit [data-p="{to}"]').click()


def send_orders(page: Page) -> None:
    """Send what is there, and go on to the phase that comes after."""
    before = page.get_by_test_id("replay").get_attribute("max") or "0"
    page.get_by_test_id("submit-orders").click()
    page.wait_for_function("max => document.getElementById('replay').max !== max", arg=before)


def go_on(page: Page) -> None:
    page.locator("#replay-now").click()


def tab(page: Page, name: str) -> None:
    page.locator(f"#tab-{name}").click()


@pytest.mark.slow
def test_france_is_played_through_1901_a_promise_is_seen_broken_and_a_phase_is_forked(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    page.goto("/")
    page.get_by_role("link", name="Diplomacy").click()
    sit_down(page)
    expect(page.get_by_test_id("phase")).to_have_text("Spring 1901")

    page.get_by_test_id("press-target").select_option("GERMANY")
    page.get_by_test_id("press-text").fill("I will not attack you until fall 1902.")
    expect(page.get_by_test_id("understood")).to_contain_text("You promise: No attack on Germany")
    page.get_by_test_id("understood").get_by_label("Until").select_option(label="Fall 1901")
    page.get_by_test_id("press-send").click()
    said = page.get_by_test_id("press")
    expect(said).to_contain_text("You: No attack on Germany, until Fall 1901")
    expect(said.locator("li.pw-GERMANY").last).to_contain_text("to you")

    page.locator('.unit[data-unit="A PAR"]').click()
    expect(page.get_by_test_id("commanded")).to_contain_text("Army Paris")
    lit = page.locator("#lit [data-p]")
    assert {one.get_attribute("data-p") for one in lit.all()} == {"BRE", "BUR", "GAS", "PIC"}
    page.locator('#lit [data-p="BUR"]').click()
    move(page, "A MAR", "SPA")
    move(page, "F BRE", "MAO")
    expect(page.locator("#arrows .arrow.mine")).to_have_count(3)
    expect(page.get_by_test_id("order-A-PAR")).to_contain_text("to Burgundy")
    page.locator("#undo").click()
    expect(page.get_by_test_id("order-F-BRE")).to_contain_text("holds")
    move(page, "F BRE", "MAO")
    send_orders(page)

    expect(page.get_by_test_id("replay-word")).to_have_text("Spring 1901: what happened")
    assert page.locator("#arrows .arrow.done").count() > 10
    go_on(page)
    expect(page.get_by_test_id("phase")).to_have_text("Fall 1901")
    move(page, "A BUR", "MUN")
    send_orders(page)
    mine = page.get_by_test_id("ledger").locator("li", has_text="you to Germany")
    expect(mine).to_have_attribute("data-verdict", "BROKEN")
    expect(mine).to_be_visible()

    while "Spring 1902" not in (page.get_by_test_id("phase").text_content() or ""):
        go_on(page)
        send_orders(page)
    tab(page, "forks")
    page.get_by_test_id("replay").fill("1")
    expect(page.get_by_test_id("replay-word")).to_have_text("Fall 1901: what happened")
    page.get_by_test_id("fork").click()
    fan = page.get_by_test_id("fan")
    expect(fan).to_be_visible(timeout=60_000)
    expect(fan).to_contain_text("From Fall 1901")
    expect(fan).to_contain_text("France holds 3 now")
    here = page.url
    page.get_by_test_id("take-up").click()
    expect(page.get_by_test_id("phase")).to_have_text("Fall 1901")
    assert page.url != here
    expect(page.get_by_test_id("order-A-BUR")).to_be_visible()


@pytest.mark.slow
def test_a_unit_is_ordered_by_keyboard_alone_supports_with_two_steps_included(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    sit_down(page)
    row = page.get_by_test_id("order-A-PAR")
    row.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#order-menu")).to_be_visible()
    expect(page.locator(".menu-targets .chip").first).to_be_focused()
    page.get_by_role("button", name="Support", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".menu-targets .chip").first).to_be_focused()
    page.locator(".menu-targets").get_by_role("button", name="Marseilles").focus()
    page.keyboard.press("Enter")
    page.locator(".menu-targets").get_by_role("button", name="Burgundy").focus()
    page.keyboard.press("Enter")
    expect(row).to_contain_text("supports Army Marseilles to Burgundy")
    expect(row).to_be_focused()
    expect(page.locator("#live")).to_have_text("Army Paris supports Army Marseilles to Burgundy.")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(page.locator("#order-menu")).to_have_count(0)
    page.locator("#tab-press").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#pane-ledger")).to_be_visible()


@pytest.mark.slow
def test_a_reload_and_a_cut_line_lose_nothing(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    sit_down(page)
    move(page, "A PAR", "BUR")
    page.reload()
    page.wait_for_selector("html[data-ready]", state="attached")
    expect(page.get_by_test_id("order-A-PAR")).to_contain_text("to Burgundy")
    connected(page)
    page.context.set_offline(True)
    expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "lost")
    page.get_by_test_id("press-target").select_option("ITALY")
    page.get_by_test_id("press-text").fill("I will not attack you until fall 1901.")
    page.get_by_test_id("press-send").click()
    page.context.set_offline(False)
    connected(page)
    mine = page.get_by_test_id("press").locator("li.own")
    expect(mine).to_have_count(1)
    page.reload()
    expect(mine).to_have_count(1)


@pytest.mark.thorough
def test_every_page_of_the_board_is_open_to_all_on_any_width(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    page.goto("/diplomacy/")
    assert serious_in_both(page) == []
    sit_down(page)
    write(page, "GERMANY", "I propose a non-aggression pact until fall 1902.")
    page.locator('.unit[data-unit="A PAR"]').click()
    assert serious_in_both(page) == []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert fits(page), width
    page.set_viewport_size({"width": 1440, "height": 900})
    page.locator('#lit [data-p="BUR"]').click()
    send_orders(page)
    for name in ("ledger", "results", "forks"):
        tab(page, name)
        assert serious_in_both(page) == [], name


@pytest.mark.slow
def test_on_a_phone_the_bar_says_which_phase_it_is_and_who_one_is(visit: Visit) -> None:
    page = visit(viewport={"width": 360, "height": 740})
    sign_in(page)
    sit_down(page)
    for words in (page.get_by_test_id("phase"), page.locator(".board-bar .power-word")):
        box = words.bounding_box()
        assert box is not None
        assert box["width"] > 30
    assert fits(page)


@pytest.mark.slow
def test_on_a_phone_no_button_lies_over_the_map(visit: Visit) -> None:
    page = visit(viewport={"width": 360, "height": 740})
    sign_in(page)
    sit_down(page)
    chart, buttons = page.locator("#chart").bounding_box(), page.locator(".chart-zoom").bounding_box()
    assert chart is not None
    assert buttons is not None
    assert buttons["y"] >= chart["y"] + chart["height"]
    assert chart["height"] > 250


@pytest.mark.slow
def test_a_watcher_sees_tags_and_plans_and_a_player_does_not(visit: Visit) -> None:
    page, watcher = visit(), visit()
    sign_in(page)
    sit_down(page)
    page.locator("#bluff").check()
    write(page, "GERMANY", "I will not attack you until fall 1902.")
    page.locator("#link-button").click()
    url = page.get_by_label("For a watcher").input_value()
    watcher.goto(url)
    connected(watcher)
    expect(watcher.get_by_test_id("press").locator("li.pw-FRANCE").last).to_contain_text("Not meant")
    assert watcher.locator("#arrows .arrow.plan").count() > 5
    assert page.get_by_test_id("press").locator("li.pw-GERMANY .meant").count() == 0
    assert serious(watcher) == []
    page.get_by_role("button", name="Done").click()
    send_orders(page)
    expect(watcher.get_by_test_id("phase")).to_have_text("Fall 1901")
    page.goto(url)
    expect(page.get_by_text("a game that you are playing right now")).to_be_visible()


@pytest.mark.slow
def test_a_friend_takes_a_seat_by_link_and_both_are_awaited(visit: Visit) -> None:
    page, friend = visit(), visit()
    sign_in(page)
    sit_down(page, **{"seat-GERMANY": "invite", "seconds": "300"})
    link = page.get_by_label("Germany", exact=True).input_value()
    page.get_by_role("button", name="Done").click()
    sign_in(friend, "manager@demo.local")
    friend.goto(link)
    friend.get_by_test_id("take-seat").click()
    connected(friend)
    expect(page.get_by_test_id("awaited")).to_contain_text("Germany")
    expect(page.get_by_test_id("clock")).to_have_text(re.compile(r"^[45]:\d\d$"))
    write(page, "GERMANY", "Shall we leave Burgundy empty?")
    expect(friend.get_by_test_id("press")).to_contain_text("Shall we leave Burgundy empty?")
    page.get_by_test_id("submit-orders").click()
    expect(page.get_by_test_id("awaited")).to_have_text("Waiting for Germany.")
    page.get_by_role("button", name="Take them back").click()
    expect(page.get_by_test_id("submit-orders")).to_be_visible()
    page.get_by_test_id("submit-orders").click()
    send_orders(friend)
    expect(page.get_by_test_id("replay-word")).to_have_text("Spring 1901: what happened")


@pytest.mark.slow
def test_after_the_game_the_lesson_says_what_the_words_were_worth(visit: Visit, server: Stack) -> None:
    page = visit()
    sign_in(page)
    sit_down(page)
    write(page, "GERMANY", "I will not attack you until fall 1901.")
    move(page, "A PAR", "BUR")
    send_orders(page)
    go_on(page)
    move(page, "A BUR", "MUN")
    send_orders(page)
    page.locator("#leave-button").click()
    page.get_by_test_id("leave-yes").click()
    expect(page.get_by_test_id("board-end")).to_contain_text("Everything is open now")
    page.get_by_test_id("lesson").click()
    expect(page.get_by_test_id("lesson-waiting")).to_be_visible()
    server.manage(
        "shell", "-c",
        "from negotiation.diplomacy import models as m; from negotiation.diplomacy.lessons.services import LESSON;"
        "from owed import services as owed;"
        "[owed.do(LESSON, row.pk) for row in m.AllianceLesson.objects.filter(state='waiting')]",
    )  # fmt: skip
    expect(page.get_by_test_id("chapter")).to_have_count(2, timeout=10_000)
    expect(page.get_by_test_id("words-worth")).to_contain_text("against the same orders in silence")
    expect(page.get_by_test_id("breach-worth")).to_contain_text("against keeping it")
    assert serious(page) == []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert fits(page), width


def open_at(page: Page, server: Stack, power: str, position: dict[str, object]) -> None:
    """A game of the rep's that begins with a position."""
    game = server.manage(
        "shell", "-v0", "-c",
        "import json; from accounts.models import User; from negotiation.diplomacy.services import game_create;"
        f"position = json.loads('''{json.dumps(position)}''');"
        "rep = User.objects.get(email='rep@demo.local');"
        f"old, _ = game_create(host=rep, power='{power}');"
        f"print(game_create(host=rep, power='{power}', taken_up=(old, position))[0].pk)",
    ).split()[-1]  # fmt: skip
    page.goto(f"/diplomacy/{game}/")
    connected(page)


def order_words(page: Page, unit: str) -> Locator:
    return page.get_by_test_id(f"order-{unit.replace(' ', '-')}")


@pytest.mark.slow
def test_an_army_is_carried_over_the_sea_by_two_orders(visit: Visit, server: Stack) -> None:
    page = visit()
    sign_in(page)
    units = {"FRANCE": ["A PIC", "F ENG"], "GERMANY": ["A MUN"]}
    centers = {"FRANCE": ["PAR", "BRE"], "GERMANY": ["MUN"]}
    open_at(page, server, "FRANCE", {"phase": "S1902M", "units": units, "centers": centers})
    page.locator('.unit[data-unit="F ENG"]').click()
    page.get_by_role("button", name="Convoy", exact=True).click()
    page.locator('.unit[data-unit="A PIC"]').click()
    page.locator('#lit [data-p="LON"]').click()
    expect(order_words(page, "F ENG")).to_contain_text("carries Army Picardy to London")
    move(page, "A PIC", "LON")
    expect(order_words(page, "A PIC")).to_contain_text("to London, by convoy")
    move(page, "A PIC", "BEL")
    expect(order_words(page, "A PIC")).to_have_text("Army Picardyto Belgium")
    page.locator("#undo").click()
    send_orders(page)
    tab(page, "results")
    expect(page.get_by_test_id("results")).to_contain_text("Army Picardy to London, by convoy")
    go_on(page)
    expect(page.locator('.unit[data-unit="A LON"]')).to_be_visible()


@pytest.mark.slow
def test_a_unit_driven_out_retreats_to_where_it_may(visit: Visit, server: Stack) -> None:
    page = visit()
    sign_in(page)
    position: dict[str, object] = {
        "phase": "S1902R",
        "units": {"FRANCE": ["F BRE"], "GERMANY": ["A BUR"]},
        "centers": {"FRANCE": ["PAR", "BRE", "MAR"], "GERMANY": ["MUN"]},
        "retreats": {"FRANCE": {"A BUR": ["PAR", "GAS"]}},
    }
    open_at(page, server, "FRANCE", position)
    expect(page.get_by_test_id("phase")).to_have_text("Spring 1902, retreats")
    expect(order_words(page, "A BUR")).to_contain_text("disbands")
    page.locator(".unit.routed").click()
    assert {one.get_attribute("data-p") for one in page.locator("#lit [data-p]").all()} == {"PAR", "GAS"}
    page.locator('#lit [data-p="GAS"]').click()
    send_orders(page)
    go_on(page)
    expect(page.locator('.unit[data-unit="A GAS"]')).to_be_visible()


@pytest.mark.slow
def test_winter_builds_on_a_coast_and_asks_for_the_disbands_that_are_due(visit: Visit, server: Stack) -> None:
    page = visit()
    sign_in(page)
    centers = {"RUSSIA": ["STP", "MOS", "WAR"], "GERMANY": ["MUN", "BER"]}
    units = {"RUSSIA": ["A UKR", "A MOS"], "GERMANY": ["A MUN", "A KIE", "A BOH"]}
    open_at(page, server, "RUSSIA", {"phase": "W1902A", "units": units, "centers": centers})
    page.locator('.face[data-p="STP"]').click(position={"x": 60, "y": 60})
    page.get_by_role("button", name="Build a fleet, south coast").click()
    expect(order_words(page, "A STP")).to_contain_text("builds a fleet, south coast")
    expect(page.locator('#over .unit[data-unit="F STP/SC"]')).to_be_visible()
    send_orders(page)
    go_on(page)
    expect(page.locator('#units .unit[data-unit="F STP/SC"]')).to_be_visible()
    open_at(page, server, "GERMANY", {"phase": "W1902A", "units": units, "centers": centers})
    page.get_by_test_id("submit-orders").click()
    expect(page.locator("#orders-error")).to_have_text("Choose 1 to disband; 0 chosen.")
    page.locator('.unit[data-unit="A BOH"]').click()
    page.get_by_role("button", name="Disband", exact=True).click()
    send_orders(page)
    go_on(page)
    expect(page.locator('.unit[data-unit="A BOH"]')).to_have_count(0)
