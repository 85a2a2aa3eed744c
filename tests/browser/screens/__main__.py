"""``python -m tests.browser.screens FOLDER [NAME...]``: pictures of all ways through the pages, or of those named."""

from __future__ import annotations

import argparse
from pathlib import Path

from playwright.sync_api import Page

from bench.browsing import browsing
from tests.browser.screens.camera import Camera
from tests.browser.screens.ways import WAYS, Stage


def main() -> None:
    """Go the ways, one after the other, each in a fresh browser profile."""
    told = argparse.ArgumentParser(description=__doc__)
    told.add_argument("folder", type=Path)
    told.add_argument("ways", nargs="*", metavar="NAME", help=f"some of: {', '.join(WAYS)}")
    given = told.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    camera = Camera(given.folder)
    with browsing() as (browser, stack):

        def visit() -> Page:
            context = browser.new_context(
                base_url=stack.url, viewport={"width": 1440, "height": 900}, reduced_motion="reduce"
            )
            return context.new_page()

        for name in given.ways or WAYS:
            WAYS[name](Stage(stack, camera, visit))
            for context in browser.contexts:
                context.close()
    print(camera.sheet())  # noqa: T201


if __name__ == "__main__":
    main()
