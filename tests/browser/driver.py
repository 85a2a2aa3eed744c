"""What a person does at the table, as far as more than one test needs it."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page, expect

PASSWORD = "parlay-demo"
_kept: dict[tuple[str, str], list[Any]] = {}
"""The cookies of who is signed in, by server and address: a password takes half a second to check."""


def sign_in(page: Page, email: str = "rep@demo.local") -> None:
    """Somebody signed in, without the form, which ``sign_in_by_hand`` fills in; ``page`` stays where it is."""
    who = (page.context.request.get("/healthz").url, email)
    if who not in _kept:
        page.context.request.get("/accounts/login/")
        post(page, "/accounts/login/", login=email, password=PASSWORD)
        _kept[who] = [
            {"name": cookie["name"], "value": cookie["value"], "url": who[0]}
            for cookie in page.context.cookies()
        ]
    page.context.clear_cookies()
    page.context.add_cookies(_kept[who])


def post(page: Page, path: str, **form: str) -> str:
    """Send a form as the page of this site would; returns the address that the answer leads to."""
    token = next(each["value"] for each in page.context.cookies() if each["name"] == "csrftoken")
    answer = page.context.request.post(
        path,
        form={**form, "csrfmiddlewaretoken": token},
        headers={"Referer": page.context.request.get("/healthz").url},
        max_redirects=0,
    )
    assert answer.status == 302, (answer.status, answer.text()[:2000])
    return answer.headers["location"]


def sign_in_by_hand(page: Page, email: str = "rep@demo.local") -> None:
    """As a person does it."""
    page.goto("/accounts/login/")
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("link", name="New deal")).to_be_visible()


def start_deal(
    page: Page, persona: str = "diplomat", scenario: str = "saas_enterprise", seat: str = "seller"
) -> None:
    """At a table; without the page where one is chosen, which ``start_deal_by_hand`` uses."""
    choice = {"scenario": scenario, "persona": persona, "seat": seat, "difficulty": "0.5"}
    page.goto(post(page, "/deals/new/", **choice))
    expect(page.get_by_test_id("briefing")).to_be_visible()
    connected(page)


def start_deal_by_hand(
    page: Page, persona: str = "diplomat", scenario: str = "saas_enterprise", seat: str = "seller"
) -> None:
    """As a person does it."""
    page.goto("/deals/new/")
    for choice in (f"scenario-{scenario}", f"seat-{seat}", f"persona-{persona}"):
        page.get_by_test_id(choice).click()
    page.get_by_test_id("start-deal").click()
    expect(page.get_by_test_id("briefing")).to_be_visible()
    connected(page)


def connected(page: Page) -> None:
    expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "open")


def lines(page: Page) -> Locator:
    return page.get_by_test_id("opponent-line")


def answered(page: Page, before: int) -> None:
    """Wait until the other side has answered."""
    expect(lines(page)).to_have_count(before + 1, timeout=10_000)


def say(page: Page, text: str, offer: str = "") -> None:
    """One whole turn by mouse, up to the answer."""
    before = lines(page).count()
    page.get_by_test_id("utterance").fill(text)
    page.get_by_test_id("offer").fill(offer)
    page.get_by_test_id("send").click()
    answered(page, before)


def over(page: Page) -> bool:
    return page.locator("#finish").is_visible()


def close_deal(page: Page) -> None:
    """Take what stands, unless it ended already."""
    if not over(page):
        page.get_by_test_id("accept").click()
        page.get_by_test_id("confirm").click()
    expect(page.locator("#finish")).to_be_visible()


_BEYOND = """() => innerWidth >= document.documentElement.scrollWidth ? [] : [
  `${document.documentElement.scrollWidth} px of ${innerWidth}`,
  ...[...document.querySelectorAll("body *")].filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
    .slice(-5).map((each) => `${each.tagName}.${each.getAttribute("class")} to ${each.getBoundingClientRect().right}`)]"""


def fits(page: Page) -> bool:
    """Nothing reaches out of the window to the right, once the page has taken the window's width: a figure is drawn
    anew a frame or two later. What does reach out is printed."""
    for _ in range(30):
        beyond = page.evaluate(_BEYOND)
        if not beyond:
            return True
        page.wait_for_timeout(100)
    raise AssertionError("\n  ".join(["beyond the window:", *beyond]))
