"""The line, the words and the figures: nothing is lost, nothing binds by accident."""

from __future__ import annotations

import signal

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.driver import PASSWORD, answered, connected, lines, say, sign_in, start_deal
from tests.servers import Stack

pytestmark = pytest.mark.browser


def test_a_cut_line_shows_and_heals_and_sends_once(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    start_deal(page)
    before = lines(page).count()
    page.context.set_offline(True)
    expect(page.locator("#line-banner")).to_be_visible()
    expect(page.get_by_test_id("connection")).to_have_text("Reconnecting")
    page.get_by_test_id("utterance").fill("Is your budget already approved?")
    page.get_by_test_id("send").click()
    page.context.set_offline(False)
    connected(page)
    expect(page.locator("#line-banner")).to_be_hidden()
    answered(page, before)
    expect(page.get_by_test_id("player-line")).to_have_count(1)


@pytest.mark.slow
def test_a_server_that_hangs_is_left_and_hears_the_move_once_when_it_is_back(
    visit: Visit, server: Stack
) -> None:
    """No close reaches the page: it gives the line up by itself, seconds after a move that nobody answers."""
    page = visit()
    sign_in(page)
    start_deal(page)
    before = lines(page).count()
    assert server.web is not None
    server.web.send_signal(signal.SIGSTOP)
    try:
        page.get_by_test_id("utterance").fill("Is your budget already approved?")
        page.get_by_test_id("send").click()
        # Where the page only asked now and then whether the line lives, this took up to eighteen seconds.
        expect(page.locator("#line-banner")).to_be_visible(timeout=5_000)
    finally:
        server.web.send_signal(signal.SIGCONT)
    connected(page)
    answered(page, before)
    expect(page.get_by_test_id("player-line")).to_have_count(1)


def test_signed_out_in_the_middle_of_a_deal_leads_back_to_it_with_the_words(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    start_deal(page)
    table = page.url
    page.get_by_test_id("utterance").fill("Is your budget already approved?")
    page.context.clear_cookies()
    page.context.set_offline(True)
    expect(page.locator("#line-banner")).to_be_visible()
    page.get_by_test_id("send").click()
    page.context.set_offline(False)
    expect(page.locator("#line-banner")).to_contain_text("You have been signed out.")
    expect(page.get_by_test_id("send")).to_contain_text("Send")
    expect(page.locator("#composer-error")).to_contain_text("Your words are kept.")
    page.get_by_role("link", name="Sign in again to go on.").click()
    page.get_by_label("Email").fill("rep@demo.local")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page).to_have_url(table)
    expect(page.get_by_test_id("utterance")).to_have_value("Is your budget already approved?")


@pytest.mark.slow
def test_the_words_survive_a_reload(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    start_deal(page)
    page.get_by_test_id("utterance").fill("Half a thought about 150")
    page.get_by_test_id("offer").fill("166,000")
    page.reload()
    expect(page.get_by_test_id("utterance")).to_have_value("Half a thought about 150")
    expect(page.get_by_test_id("offer")).to_have_value("166,000")


@pytest.mark.slow
def test_words_and_field_that_disagree_are_asked_about(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    start_deal(page)
    before = lines(page).count()
    page.get_by_test_id("utterance").fill("We can do 168.")
    expect(page.get_by_test_id("understood")).to_contain_text("$168,000")
    expect(page.get_by_test_id("offer")).to_have_value("$168,000")
    page.get_by_test_id("offer").fill("165000")
    page.get_by_test_id("send").click()
    dialog = page.get_by_role("dialog", name="Which did you mean?")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Keep writing").click()
    expect(page.get_by_test_id("utterance")).to_have_value("We can do 168.")
    expect(page.get_by_test_id("player-line")).to_have_count(0)
    page.get_by_test_id("send").click()
    dialog.get_by_role("button", name="as in your words").click()
    answered(page, before)
    expect(page.locator("#your-offer")).to_have_text("$168,000")


@pytest.mark.slow
def test_a_figure_short_of_its_thousands_is_asked_about(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    start_deal(page)
    before = lines(page).count()
    page.get_by_test_id("offer").fill("170")
    page.get_by_test_id("send").click()
    page.get_by_role("button", name="Offer $170,000").click()
    answered(page, before)
    expect(page.locator("#your-offer")).to_have_text("$170,000")


@pytest.mark.slow
def test_strange_words_are_words(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    start_deal(page)
    for text in (
        "<script>window.hit = 1</script><img src=x onerror='window.hit=1'>",
        "שלום, מה המחיר?",
        "🙂🙂🙂",
        "' OR 1=1; --",
    ):
        say(page, text)
        expect(page.get_by_test_id("player-line").last).to_contain_text(text)
        assert page.evaluate("window.hit") is None


@pytest.mark.slow
def test_errors_stand_where_they_happened(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    start_deal(page)
    page.get_by_test_id("offer").fill("a lot")
    page.get_by_test_id("send").click()
    expect(page.locator("#composer-error")).to_contain_text("not a figure")
    page.get_by_test_id("offer").fill("")
    page.get_by_test_id("utterance").fill("x" * 2100)
    page.get_by_test_id("send").click()
    expect(page.locator("#composer-error")).to_contain_text("2100 characters")
    expect(page.get_by_test_id("utterance")).to_have_value("x" * 2100)
    page.get_by_test_id("utterance").fill("")
    page.get_by_test_id("send").click()
    expect(page.locator("#composer-error")).not_to_be_empty()
    expect(page.get_by_test_id("player-line")).to_have_count(0)


@pytest.mark.slow
def test_the_floor_is_stated_with_its_card(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    start_deal(page)
    before = lines(page).count()
    floor = page.get_by_label("The floor you state")
    expect(floor).to_be_hidden()
    page.get_by_test_id("card-batna_reveal").click()
    expect(page.locator("#stated-note")).to_contain_text(page.locator("#your-limit").inner_text())
    page.get_by_test_id("send").click()
    expect(page.locator("#composer-error")).to_contain_text("will not cross")
    expect(floor).to_be_focused()
    expect(floor).to_have_attribute("aria-invalid", "true")
    floor.fill("a lot")
    page.get_by_test_id("send").click()
    expect(page.locator("#composer-error")).to_contain_text("not a figure")
    floor.fill("151k")
    page.get_by_test_id("send").click()
    answered(page, before)
    expect(page.get_by_test_id("player-line").last).to_contain_text("States a limit of $151,000")
    expect(floor).to_be_hidden()


LAPSED = """
from accounts.models import User
from negotiation.services import game_create
from tests.practice import _answered
from tests.web.moves import act, submit
rep = User.objects.get(email="rep@demo.local")
game = game_create(player=rep, scenario="saas_enterprise", persona="diplomat", seat="seller", seed=35)
for offer in (178_000.0, 130_000.0):
    submit(game, act(offer, text="We can do it."))
    _answered(game)
print(game.pk)
"""
"""The news moves the player's walk-away past an offer made a dollar's breadth above it."""


@pytest.mark.parametrize("width", [1440, pytest.param(360, marks=pytest.mark.thorough)])
def test_an_offer_that_lapsed_says_so_and_why(visit: Visit, server: Stack, width: int) -> None:
    page = visit(viewport={"width": width, "height": 800})
    sign_in(page)
    page.goto(f"/deals/{server.tell(LAPSED).strip()}/")
    connected(page)
    expect(page.locator("#your-offer")).to_have_text("Lapsed")
    expect(page.locator("#your-lapsed")).to_be_in_viewport(ratio=1)
    expect(page.locator("#your-lapsed")).to_have_text("Your walk-away moved past your last one.")
    say(page, "Then let us look at it again.", "160000")
    expect(page.locator("#your-offer")).to_have_text("$160,000")
    expect(page.locator("#your-lapsed")).to_be_hidden()
