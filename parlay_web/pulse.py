"""The heartbeat of a process that serves: its event loop touches a file, for whoever keeps the process running.

Who asks for a page learns whether pages are made in time; the file alone tells whether the loop turns.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from parlay_web.proxies import App, Scope

BEAT_EVERY = 0.25


class Beating:
    """ASGI middleware that touches ``file`` from the loop that serves ``app``, from the first request or socket on if
    nobody called ``begin`` before."""

    def __init__(self, app: App, file: Path) -> None:
        self.app, self.file = app, file
        self.heart: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Pass on."""
        self.begin()
        await self.app(scope, receive, send)

    def begin(self) -> None:
        """Have the heart beat, on the loop that runs."""
        self.heart = self.heart or asyncio.get_event_loop().create_task(self._beat(), name="heart")

    async def _beat(self) -> None:
        while True:
            self.file.touch()
            await asyncio.sleep(BEAT_EVERY)
