"""The manager's room in a real browser: a deal is set, played and passed; somebody is invited and comes."""

from __future__ import annotations

import re
import uuid

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.driver import close_deal, connected, fits, say, sign_in, start_deal
from tests.browser.test_access import serious, serious_in_both

pytestmark = pytest.mark.browser


def open_room(page: Page, section: str = "At the table") -> None:
    page.goto("/team/")
    page.get_by_role("navigation", name="The room").get_by_role("link", name=section).click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def set_deal(manager: Page, title: str, rubric: str) -> None:
    open_room(manager, "Rubrics")
    manager.get_by_label("Name").fill(rubric)
    manager.get_by_label("Used no threat").check()
    manager.get_by_role("button", name="Add the rubric").click()
    expect(manager.get_by_role("heading", name=rubric)).to_be_visible()
    open_room(manager, "Assignments")
    manager.get_by_role("link", name="Set a deal").click()
    manager.get_by_label("Title").fill(title)
    manager.get_by_label("Note to the rep").fill("Ask first.")
    manager.get_by_label("Opponent").select_option("diplomat")
    manager.get_by_label("Difficulty").select_option("0.0")
    manager.get_by_label("Share to reach, %").fill("")
    manager.get_by_label("Rubric").select_option(label=rubric)
    manager.get_by_label("Deadline").fill("2040-01-10T18:00")
    manager.get_by_role("button", name="Set it").click()
    expect(manager.get_by_text(f"“{title}” is set.")).to_be_visible()


@pytest.mark.slow
def test_a_deal_is_set_played_and_passed(visit: Visit) -> None:
    manager, rep = visit(color_scheme="light", timezone_id="America/New_York"), visit()
    title, rubric = f"Hold the line {uuid.uuid4().hex[:6]}", f"Manners {uuid.uuid4().hex[:6]}"
    sign_in(manager, "manager@demo.local")
    set_deal(manager, title, rubric)
    expect(manager.locator(".set-row", has_text=title)).to_contain_text("10 Jan 2040, 18:00 EST")

    sign_in(rep)
    rep.goto("/")
    task = rep.get_by_test_id("assignment").filter(has_text=title)
    expect(task).to_contain_text("3 of 3 attempts left")
    task.get_by_role("button", name="Begin").click()
    expect(rep.get_by_test_id("briefing")).to_be_visible()
    connected(rep)
    rep.goto("/")
    expect(task).to_contain_text("3 of 3 attempts left")
    task.get_by_role("button", name="Go on").click()
    connected(rep)
    say(rep, "What drives your timeline?")
    say(rep, "We could do 170.", "170000")
    close_deal(rep)
    rep.get_by_role("link", name="See what they were hiding").click()
    expect(rep.get_by_test_id("attempt-outcome")).to_contain_text("Passed")
    rep.get_by_test_id("tab-verdict").click()
    expect(rep.get_by_text("You threatened with nothing.")).to_be_visible()
    assert serious(rep) == []

    open_room(manager, "Assignments")
    row = manager.get_by_test_id("matrix").get_by_role("row", name="Robin Reyes")
    expect(row).to_contain_text("Passed")
    manager.on("dialog", lambda dialog: dialog.accept())
    manager.get_by_role("button", name=f"Take back {title}").click()
    expect(manager.get_by_role("heading", name=title)).to_have_count(0)


@pytest.mark.slow
def test_a_table_appears_by_itself_and_is_one_click_away(visit: Visit) -> None:
    manager, rep = visit(), visit()
    sign_in(manager, "manager@demo.local")
    open_room(manager)
    before = manager.locator(".live-row").count()
    sign_in(rep)
    start_deal(rep, persona="veteran")
    say(rep, "We start at 181.", "181000")
    expect(manager.locator(".live-row")).to_have_count(before + 1, timeout=15_000)
    table = manager.locator(".live-row", has_text="$181,000")
    expect(table).to_contain_text("Robin Reyes", timeout=15_000)
    table.get_by_role("button", name="Watch Robin Reyes").click()
    connected(manager)
    assert manager.get_by_test_id("truth-walk-away").count() == 0
    close_deal(rep)
    rep.get_by_role("link", name="See what they were hiding").click()
    expect(rep.get_by_text("With a coach")).to_have_count(0)


@pytest.mark.slow
def test_somebody_is_invited_and_comes(visit: Visit) -> None:
    manager, newcomer = visit(), visit()
    address = f"nia-{uuid.uuid4().hex[:6]}@example.com"
    sign_in(manager, "manager@demo.local")
    open_room(manager, "People")
    manager.get_by_label("A list, one person to a line").fill(
        f"email,name,role\n{address},Nia New,rep\nnot-an-address,Bo,rep"
    )
    manager.get_by_role("button", name="Look it over first").click()
    preview = manager.get_by_test_id("preview")
    expect(preview).to_contain_text("“not-an-address” is not an email address.")
    assert serious(manager) == []
    preview.get_by_role("button", name="Invite 1 person").click()
    expect(manager.get_by_label("A list, one person to a line")).to_have_value(
        "email,name,role\nnot-an-address,Bo,rep"
    )
    link = manager.get_by_test_id("links").get_by_label(address).input_value()
    assert serious(manager) == []

    newcomer.goto(link)
    expect(newcomer.get_by_label("Your name")).to_have_value("Nia New")
    assert serious(newcomer) == []
    newcomer.get_by_label("Choose a password").fill("correct horse 9")
    newcomer.get_by_role("button", name="Take the place").click()
    expect(newcomer.get_by_text("You are on the team Northwind Sales.")).to_be_visible()
    manager.goto(link)
    expect(manager.get_by_role("heading", name="This invitation does not open")).to_be_visible()

    newcomer.goto("/account/privacy/")
    newcomer.get_by_role("button", name="I agree").click()
    expect(newcomer.get_by_test_id("consent-state")).to_contain_text("You agreed on")
    gone = newcomer.locator("#account")
    gone.get_by_label("Your password").fill("correct horse 9")
    gone.get_by_label("Type “delete”").fill("delete")
    gone.get_by_role("button", name="Delete my account").click()
    expect(newcomer.get_by_text("Your account is deleted.")).to_be_visible()


ROOM = ("At the table", "Assignments", "Rubrics", "Progress", "People")


@pytest.mark.thorough
def test_every_page_of_the_room_is_open_to_all_and_fits_a_phone(visit: Visit) -> None:
    page = visit()
    sign_in(page, "manager@demo.local")
    for section in ROOM:
        open_room(page, section)
        assert serious_in_both(page) == [], section
    address = re.sub(r"people/$", "assignments/new/", page.url)
    for path in (address, "/leaderboard/", "/account/privacy/", "/"):
        page.goto(path)
        assert serious_in_both(page) == [], path
    page.set_viewport_size({"width": 320, "height": 700})
    for path in (address, "/leaderboard/", "/account/privacy/", "/"):
        page.goto(path)
        assert fits(page), path
    for section in ROOM:
        open_room(page, section)
        assert fits(page), section


@pytest.mark.slow
def test_on_a_phone_every_tab_of_the_team_is_whole(visit: Visit) -> None:
    page = visit(viewport={"width": 360, "height": 740})
    sign_in(page, "manager@demo.local")
    page.goto("/team/")
    tabs = page.get_by_role("navigation", name="The room").get_by_role("link")
    expect(tabs).to_have_text(ROOM)
    for each in tabs.all():
        expect(each).to_be_in_viewport(ratio=1)


@pytest.mark.slow
def test_the_keyboard_sets_a_deal(visit: Visit) -> None:
    page = visit()
    sign_in(page, "manager@demo.local")
    open_room(page, "Assignments")
    page.get_by_role("link", name="Set a deal").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Title").focus()
    page.keyboard.type("By keyboard")
    page.get_by_role("button", name="Set it").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("“By keyboard” is set.")).to_be_visible()


def test_a_move_is_pushed_to_the_lobby_and_its_buttons_work(visit: Visit) -> None:
    """With the page's own asking cut off, a table appears, moves and can be watched."""
    manager, rep = visit(), visit()
    sign_in(manager, "manager@demo.local")
    manager.route("**/team/*/?part=1*", lambda route: route.abort())
    open_room(manager)
    sign_in(rep)
    start_deal(rep)
    connected(rep)
    say(rep, "We could do 171.", "171000")
    row = manager.locator(".live-row", has_text="171,000")
    expect(row).to_be_visible(timeout=4000)
    expect(manager.locator("#room-line")).to_have_text("This page keeps itself up to date.")
    row.get_by_role("button", name="Watch").click()
    expect(manager).to_have_url(re.compile(r"/watch/"))
