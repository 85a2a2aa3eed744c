"""Without Node nothing is bundled: the pages load the modules as they were written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Response, expect

from tests.browser.conftest import Visit
from tests.browser.driver import close_deal, say, sign_in, start_deal
from tests.servers import Stack

pytestmark = pytest.mark.browser


@pytest.fixture
def unbundled(tmp_path: Path) -> Iterator[Stack]:
    stack = Stack(tmp_path, DJANGO_SETTINGS_MODULE="tests.browser.settings_unbundled")
    try:
        yield stack.start()
    finally:
        stack.stop()


@pytest.mark.slow
def test_without_a_build_the_deal_is_played(visit: Visit, unbundled: Stack) -> None:
    page = visit(base_url=unbundled.url)
    scripts: list[str] = []

    def note(response: Response) -> None:
        if response.request.resource_type == "script":
            assert response.ok, response.url
            scripts.append(response.url)

    page.on("response", note)
    sign_in(page)
    start_deal(page)
    expect(page.get_by_test_id("avatar")).to_have_attribute("data-gaze", "you")
    expect(page.get_by_test_id("avatar").locator("svg.portrait")).to_be_visible()
    say(page, "We can do 172.", "172000")
    expect(page.locator("#your-offer")).to_have_text("$172,000")
    close_deal(page)
    page.get_by_role("link", name="See what they were hiding").click()
    page.get_by_test_id("tab-score").click()
    expect(page.locator("[data-figure=terms] .plot-frame > svg")).to_be_visible(timeout=15_000)
    assert any(url.endswith("/js/table.js") for url in scripts)
    assert not any("/dist/" in url for url in scripts)
