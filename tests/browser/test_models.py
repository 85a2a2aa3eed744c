"""A model across the table, as people see it: a line that grows, words taken back, a stand-in, and why."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.actor import OPENING, Actor
from tests.browser.driver import answered, connected, fits, lines, sign_in
from tests.browser.test_access import violations
from tests.opponents.model_double import PATIENCE, speaking_apart
from tests.servers import Stack

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]


@pytest.fixture(scope="module")
def actor() -> Actor:
    return Actor()


@pytest.fixture(scope="module")
def stack(actor: Actor, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with speaking_apart(actor) as double:
        running = Stack(
            tmp_path_factory.mktemp("talking"),
            MODEL_URL=double.url,
            MODEL_NAME="base",
            MODEL_TURN_SECONDS=str(PATIENCE),
        )
        try:
            yield running.start()
        finally:
            running.stop()


@pytest.fixture
def open_page(chromium: Browser, stack: Stack, actor: Actor) -> Iterator[Visit]:
    """A fresh profile at this product; any script error fails the test."""
    actor.mood, actor.pause = "good", 0.03
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def visit(**options: Any) -> Page:
        defaults = {"base_url": stack.url, "viewport": {"width": 1440, "height": 900}, "color_scheme": "dark"}
        context = chromium.new_context(**{**defaults, **options})
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        return page

    yield visit
    for context in contexts:
        context.close()
    assert errors == []


def sit_down(page: Page, voice: str = "narrated") -> None:
    page.goto("/deals/new/")
    page.get_by_test_id(f"voice-{voice}").click()
    page.get_by_test_id("start-deal").click()
    connected(page)


def send(page: Page, text: str) -> None:
    page.get_by_test_id("utterance").fill(text)
    page.get_by_test_id("send").click()


@pytest.mark.slow
def test_a_line_grows_and_the_logged_one_takes_its_place(open_page: Visit, actor: Actor) -> None:
    rep, manager = open_page(), open_page(color_scheme="light")
    sign_in(rep)
    sit_down(rep)
    expect(rep.get_by_test_id("voice")).to_contain_text("in free words")
    sign_in(manager, "manager@demo.local")
    manager.goto("/")
    manager.locator("[data-watch-game]").last.click()
    connected(manager)

    actor.pause = 0.15
    before = lines(rep).count()
    send(rep, "How does your budget look this quarter?")
    for page in (rep, manager):
        draft = page.get_by_test_id("draft-line")
        expect(draft).to_contain_text(OPENING.strip())
        expect(draft).to_have_attribute("aria-hidden", "true")
        expect(page.locator(".typing")).to_be_hidden()
        assert OPENING not in page.locator("#live").inner_text(), "spoken once, when it is complete"
    assert lines(rep).count() == before
    top = rep.get_by_test_id("draft-line").locator(".words").bounding_box()
    answered(rep, before)
    expect(rep.get_by_test_id("draft-line")).to_have_count(0)
    expect(rep.locator("#live")).to_contain_text(OPENING.strip())
    landed = lines(rep).last.locator(".words").bounding_box()
    assert top is not None
    assert landed is not None
    assert landed["x"] == top["x"]
    assert lines(rep).last.locator(".words").inner_text().startswith(OPENING)
    expect(rep.get_by_test_id("stand-in")).to_have_count(0)


@pytest.mark.slow
def test_what_is_taken_back_goes_calmly_and_a_stand_in_is_named(open_page: Visit, actor: Actor) -> None:
    rep, manager = open_page(reduced_motion="reduce"), open_page()
    sign_in(rep)
    sit_down(rep)
    sign_in(manager, "manager@demo.local")
    manager.goto("/")
    manager.locator("[data-watch-game]").last.click()
    connected(manager)

    actor.mood = "out_of_part"
    before = lines(rep).count()
    send(rep, "Are you a machine?")
    expect(rep.locator(".draft.taken")).to_contain_text("Takes that back.")
    answered(rep, before)
    expect(rep.get_by_test_id("stand-in")).to_contain_text("house strategist")
    expect(rep.get_by_test_id("draft-line")).to_have_count(0)
    assert "language model" not in rep.get_by_test_id("transcript").inner_text()
    assert rep.get_by_test_id("why-answer").count() == 0, "a player is not told why"

    why = manager.get_by_test_id("why-answer").last
    why.locator("summary").click()
    expect(why).to_contain_text("The house strategist, in place of base")
    expect(why).to_contain_text("Guard stepped in")
    expect(why).to_contain_text("Taken back.")
    manager.reload()
    connected(manager)
    expect(manager.get_by_test_id("why-answer").last).to_be_visible()


@pytest.mark.slow
def test_the_page_of_the_server_keeps_itself_fresh(open_page: Visit, actor: Actor) -> None:
    rep = open_page()
    sign_in(rep)
    sit_down(rep)
    staff = open_page()
    sign_in(staff, "admin@demo.local")
    staff.goto("/")
    staff.get_by_role("link", name="Models").click()
    server = staff.get_by_test_id("model-server")
    expect(server).to_have_attribute("data-state", "up")
    actor.mood = "gone"
    before = lines(rep).count()
    send(rep, "Where do you stand?")
    answered(rep, before)
    expect(server).to_contain_text("Last error", timeout=15_000)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("width", "theme"),
    [
        (320, "dark"),
        (1440, "light"),
        *(
            pytest.param(width, theme, marks=pytest.mark.thorough)
            for width, theme in ((320, "light"), (768, "dark"), (768, "light"), (1440, "dark"))
        ),
    ],
)
def test_every_page_with_a_model_fits_and_is_accessible(open_page: Visit, width: int, theme: str) -> None:
    page = open_page(viewport={"width": width, "height": 800}, color_scheme=theme)
    sign_in(page, "admin@demo.local")
    for path in ("/models/", "/deals/new/"):
        page.goto(path)
        assert fits(page), path
        found = violations(page)
        assert found == [], [(one["id"], [node["target"] for node in one["nodes"]]) for one in found]


@pytest.mark.slow
def test_a_voice_can_be_chosen_by_keyboard(open_page: Visit) -> None:
    page = open_page()
    sign_in(page)
    page.goto("/deals/new/")
    page.locator("[name=voice][value=strategic]").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[name=voice][value=narrated]")).to_be_checked()
    page.get_by_test_id("start-deal").press("Enter")
    expect(page).to_have_url(re.compile(r"/deals/[0-9a-f-]{36}/"))
    expect(page.get_by_test_id("voice")).to_contain_text("in free words")
