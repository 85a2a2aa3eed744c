"""Packages at the table: built, traded at equal value, put side by side, asked about, accepted, debriefed."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.driver import answered, close_deal, connected, fits, lines, over, say, sign_in, start_deal
from tests.browser.test_access import serious_in_both

pytestmark = pytest.mark.browser
NARROW = (320, *(pytest.param(width, marks=pytest.mark.thorough) for width in (360, 768)))
"""The narrowest always."""


def licences(page: Page, seat: str = "seller", persona: str = "diplomat") -> None:
    sign_in(page)
    start_deal(page, persona=persona, scenario="software_licensing", seat=seat)


def pick(page: Page, issue: str, option: str) -> None:
    page.locator("label.option", has=page.get_by_test_id(f"term-{issue}-{option}")).click()


def money(text: str) -> float:
    found = re.search(r"\$([\d,]+(?:\.\d+)?)", text)
    assert found, text
    return float(found[1].replace(",", ""))


def price(page: Page) -> float:
    return money(page.get_by_test_id("offer").input_value())


def worth(page: Page) -> float:
    return money(page.locator("#worth-figure").inner_text())


@pytest.mark.slow
def test_an_option_adds_its_value_and_with_the_value_kept_the_price_pays_for_it(visit: Visit) -> None:
    page = visit()
    licences(page)
    page.get_by_test_id("offer").fill("284000")
    assert worth(page) == 284_000
    pick(page, "term", "y3")
    long_term = worth(page)
    assert long_term > 284_000
    assert price(page) == 284_000
    expect(page.get_by_test_id("worth")).to_contain_text("better than your walk-away")
    page.get_by_test_id("keep-value").check()
    pick(page, "support", "round_the_clock")
    assert price(page) > 284_000
    assert abs(worth(page) - long_term) <= 250, "half a step of the grid"


@pytest.mark.slow
def test_packages_side_by_side_are_worth_the_same_and_the_preferred_one_is_marked(visit: Visit) -> None:
    page = visit()
    licences(page)
    page.get_by_test_id("offer").fill("290000")
    first = worth(page)
    page.get_by_test_id("add-package").click()
    pick(page, "term", "y3")
    assert price(page) < 290_000
    assert abs(worth(page) - first) <= 250
    page.get_by_test_id("add-package").click()
    pick(page, "billing", "quarterly")
    expect(page.get_by_test_id("add-package")).to_be_disabled()
    page.get_by_test_id("offer").fill("300000")
    page.get_by_test_id("package-A").click()
    assert price(page) > 290_000, "whichever price is changed, the others follow"
    before = lines(page).count()
    page.get_by_test_id("send").click()
    answered(page, before)
    laid = page.locator(".line.you .laid")
    expect(laid).to_have_count(3)
    expect(page.locator(".line.you .laid.preferred")).to_have_count(1)
    expect(page.locator(".line.you .laid.preferred")).to_contain_text("They’d rather have this")
    marked = page.locator(".line.you .laid.preferred").inner_text()
    page.reload()
    connected(page)
    assert page.locator(".line.you .laid.preferred").inner_text() == marked
    expect(page.get_by_test_id("your-terms")).to_be_visible()


@pytest.mark.slow
def test_two_packages_with_the_same_terms_are_not_sent(visit: Visit) -> None:
    page = visit()
    licences(page)
    page.get_by_test_id("offer").fill("290000")
    page.get_by_test_id("add-package").click()
    page.get_by_test_id("send").click()
    expect(page.locator("#composer-error")).to_contain_text("Package B has the terms of another one")
    page.get_by_role("button", name="Take package B away").click()
    expect(page.locator("#package-cards")).to_be_hidden()


@pytest.mark.slow
def test_words_that_name_other_terms_are_asked_about_and_nothing_is_lost(visit: Visit) -> None:
    page = visit()
    licences(page)
    before = lines(page).count()
    page.get_by_test_id("utterance").fill("Make it three years.")
    page.get_by_test_id("offer").fill("284000")
    page.get_by_test_id("send").click()
    dialog = page.get_by_test_id("clarify")
    expect(dialog).to_contain_text("Your words offer 3 years, the package says 1 year.")
    dialog.get_by_role("button", name="Keep writing").click()
    assert page.get_by_test_id("utterance").input_value() == "Make it three years."
    assert price(page) == 284_000
    page.get_by_test_id("send").click()
    dialog.get_by_role("button", name="Bind $284,000 with 3 years, as in your words").click()
    answered(page, before)
    expect(page.get_by_test_id("your-terms")).to_contain_text("3 years")


@pytest.mark.slow
def test_what_is_being_built_survives_a_reload(visit: Visit) -> None:
    page = visit()
    licences(page)
    page.get_by_test_id("offer").fill("284000")
    pick(page, "support", "named_engineer")
    page.get_by_test_id("add-package").click()
    pick(page, "term", "y2")
    built = page.locator("#package-cards").inner_text()
    page.reload()
    connected(page)
    assert page.locator("#package-cards").inner_text() == built
    expect(page.get_by_test_id("term-term-y2")).to_be_checked()


@pytest.mark.slow
def test_words_without_a_price_leave_what_is_being_built(visit: Visit) -> None:
    page = visit()
    licences(page)
    pick(page, "term", "y3")
    say(page, "How do you count the years?")
    expect(page.get_by_test_id("term-term-y3")).to_be_checked()
    expect(page.get_by_test_id("your-terms")).to_be_hidden()


def test_from_the_keyboard_to_a_whole_deal_with_its_terms(visit: Visit) -> None:
    page = visit()
    licences(page, persona="shark", seat="buyer")
    before = lines(page).count()
    page.keyboard.press("p")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("term-term-y2")).to_be_checked()
    page.keyboard.press("Enter")
    expect(page.locator(".line.you")).to_have_count(0)
    page.keyboard.press("Escape")
    page.keyboard.press("o")
    page.keyboard.type("205k")
    page.keyboard.press("Enter")
    answered(page, before)
    expect(page.get_by_test_id("your-terms")).to_contain_text("2 years")
    if over(page):
        return
    expect(page.get_by_text("offer costs you, all told")).to_be_visible()
    expect(page.locator("#their-worth")).to_contain_text("$")
    page.get_by_test_id("match-terms").click()
    expect(page.locator(".option:has(input:checked) .theirs:not([hidden])")).to_have_count(3)
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    dialog = page.get_by_role("dialog", name=re.compile("Accept"))
    for term in ("Contract term", "Billing", "Support", "Costs you, all told"):
        expect(dialog).to_contain_text(term)
    page.get_by_test_id("confirm").click()
    expect(page.locator("#finish .finish-terms")).to_be_visible()
    page.get_by_role("link", name="See what they were hiding").click()
    page.get_by_test_id("tab-theory").click()
    expect(page.locator("[data-figure=frontier][data-drawn]")).to_be_visible(timeout=15_000)


@pytest.mark.slow
@pytest.mark.parametrize("width", NARROW)
def test_on_a_narrow_screen_the_package_is_a_sheet(visit: Visit, width: int) -> None:
    page = visit(viewport={"width": width, "height": 740})
    sign_in(page)
    start_deal(page, persona="shark", scenario="commercial_lease", seat="buyer")
    assert fits(page)
    page.get_by_test_id("offer").fill("420000")
    expect(page.locator("#panel-package")).to_be_hidden()
    page.locator("#open-package").click()
    pick(page, "fit_out", "landlord")
    page.get_by_test_id("add-package").click()
    pick(page, "term", "y10")
    assert fits(page)
    page.keyboard.press("Escape")
    expect(page.locator("#panel-package")).to_be_hidden()
    for part in ("utterance", "offer", "send", "worth"):
        expect(page.get_by_test_id(part)).to_be_in_viewport(ratio=1)
    say_before = lines(page).count()
    page.get_by_test_id("send").click()
    answered(page, say_before)
    assert fits(page)
    close_deal(page)
    page.get_by_role("link", name="See what they were hiding").click()
    expect(page.get_by_test_id("debrief-price")).to_be_visible()
    assert fits(page)


@pytest.mark.slow
def test_where_only_the_price_is_open_the_table_has_no_terms(visit: Visit) -> None:
    page = visit()
    sign_in(page)
    start_deal(page)
    for absent in ("#panel-package", "#worth", "#their-terms", "#brief-issues"):
        assert page.locator(absent).count() == 0
    say(page, "We start at 178.", "178000")
    assert page.locator(".bound-terms").count() == 0


@pytest.mark.thorough
def test_nothing_serious_for_axe_while_packages_are_built_watched_and_debriefed(visit: Visit) -> None:
    page, manager = visit(), visit()
    licences(page, persona="shark")
    page.get_by_text("The whole briefing").click()
    expect(page.locator("#brief-issues")).to_contain_text("3 years")
    page.get_by_test_id("offer").fill("290000")
    page.get_by_test_id("add-package").click()
    pick(page, "term", "y3")
    assert serious_in_both(page) == []
    before = lines(page).count()
    page.get_by_test_id("send").click()
    answered(page, before)
    page.get_by_test_id("accept").click()
    assert serious_in_both(page) == []
    page.keyboard.press("Escape")
    sign_in(manager, "manager@demo.local")
    manager.goto("/")
    manager.locator("[data-watch-game]").last.click()
    connected(manager)
    expect(manager.get_by_test_id("truth-packages")).to_contain_text("The rep’s")
    assert serious_in_both(manager) == []
    close_deal(page)
    page.get_by_role("link", name="See what they were hiding").click()
    page.get_by_test_id("tab-theory").click()
    expect(page.locator("[data-figure=frontier][data-drawn]")).to_be_visible(timeout=15_000)
    assert serious_in_both(page) == []
