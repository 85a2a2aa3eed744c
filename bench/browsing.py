"""A real browser before a real server, for what is measured on pages."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import ARGUMENTS, _chromium
from tests.servers import Stack


@contextmanager
def browsing() -> Iterator[tuple[Browser, Stack]]:
    """Both, running; they end with the block."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        stack = Stack(Path(folder))
        browser = playwright.chromium.launch(executable_path=_chromium(), args=ARGUMENTS)
        try:
            stack.start()
            yield browser, stack
        finally:
            browser.close()
            stack.stop()
