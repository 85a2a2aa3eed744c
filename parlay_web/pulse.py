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
    """ASGI middleware that touches ``file`` from the loop that serves ``app``, from the first request or socket on."""

    def __init__(self, app: App, file: Path) -> None:
        self.app, self.file = app, file
        self.heart: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Start the heart, pass on."""
        if self.heart is None:
            self.heart = asyncio.create_task(self._beat(), name="heart")
        await self.app(scope, receive, send)

    async def _beat(self) -> None:
        while True:
            self.file.touch()
            await asyncio.sleep(BEAT_EVERY)
