"""Takes one page at every width in both themes, and lays all pictures side by side on one page."""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Page

WINDOWS = ((360, 740), (768, 1024), (1280, 800), (1440, 900))
KEYBOARD, LANDSCAPE = (360, 430), (740, 360)
"""A phone with its keyboard up, and one on its side."""
THEMES = ("dark", "light")


@dataclass
class Camera:
    """Pictures of pages, in a folder, and what was measured on each."""

    folder: Path
    taken: list[str] = field(default_factory=list)

    def take(
        self, page: Page, name: str, *windows: tuple[int, int], whole: bool = False, pointer: bool = True
    ) -> None:
        """One page in its present state; ``whole`` also below the window's edge.

        Args:
            windows: in place of the four of the acceptance.
            pointer: whether the pointer goes out of the way first, so that nothing looks pointed at.
        """
        before = page.viewport_size
        if pointer:
            page.mouse.move(0, 0)
        for width, height in windows or WINDOWS:
            page.set_viewport_size({"width": width, "height": height})
            for theme in THEMES:
                page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
                page.wait_for_timeout(250)
                self._save(page, f"{name}-{width}x{height}-{theme}")
                if whole:
                    self._save(page, f"{name}-{width}x{height}-{theme}-whole", full_page=True)
        if before:
            page.set_viewport_size(before)
        print(name, flush=True)  # noqa: T201

    def _save(self, page: Page, name: str, *, full_page: bool = False) -> None:
        page.screenshot(path=self.folder / f"{name}.png", full_page=full_page)
        self.taken.append(name)

    def sheet(self) -> Path:
        """All of them on one page, by name."""
        path = self.folder / "index.html"
        path.write_text(_sheet(self.taken))
        return path


def _sheet(names: Iterable[str]) -> str:
    pictures = "".join(
        f'<figure><a href="{html.escape(name)}.png"><img src="{html.escape(name)}.png" alt="" loading="lazy"></a>'
        f"<figcaption>{html.escape(name)}</figcaption></figure>"
        for name in names
    )
    style = "body{display:flex;flex-wrap:wrap;gap:16px;font:13px sans-serif}figure{margin:0}img{height:420px}"
    return f'<!doctype html><meta charset="utf-8"><title>Screens</title><style>{style}</style>{pictures}'
