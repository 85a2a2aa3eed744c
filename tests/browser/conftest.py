"""A real Chromium in front of a real server."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from tests.servers import ROOT, Stack

expect.set_options(timeout=20_000)
ARGUMENTS = ["--no-sandbox", "--disable-background-networking"]
Visit = Callable[..., Page]


def _chromium() -> str | None:
    """The browser that bin/test found, else one on the path, else Playwright's own."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return os.environ.get("PARLAY_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


# Playwright keeps an event loop running in this thread; the package's end stops it for the tests after.
@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    assert (ROOT / "static" / "dist" / "table.js").exists(), "run npm run build first"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_chromium(), args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium: Browser, server: Stack) -> Iterator[Visit]:
    """Opens a fresh browser profile. Any script error on its pages fails the test; refusals do not."""
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error" and not message.text.startswith(
            ("Failed to load resource", "WebSocket connection")
        ):
            errors.append(message.text)

    def open_page(**options: Any) -> Page:
        defaults = {
            "base_url": server.url,
            "viewport": {"width": 1440, "height": 900},
            "color_scheme": "dark",
            "reduced_motion": "reduce",
        }
        context = chromium.new_context(**{**defaults, **options})
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", note)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []
