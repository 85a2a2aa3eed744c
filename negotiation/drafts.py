"""A reply while it is being said: shown on the table word by word, never part of the log.

Each draft carries the whole text so far, so one that is lost, or comes late, does no harm: the next one makes up for
it, and the logged line replaces them all. What is shown here must already have passed the guard.
"""

from __future__ import annotations

import asyncio
import time
import uuid

from negotiation import metrics, pings

BEAT_SECONDS = 0.04
"""Faster than that nobody reads, and every draft goes to every socket of the table."""


class DraftLine:
    """The reply to one move, as far as it has been said: a ``Tell`` that every socket of the table hears.

    Lives on the event loop; to tell it something never takes time. ``after`` is the sequence of the move.
    """

    def __init__(self, *, game_id: uuid.UUID, after: int) -> None:
        self.game_id = game_id
        self.after = after
        self._began = time.monotonic()
        self._unsent: list[str] = []
        self._said = False
        self._pump: asyncio.Task[None] | None = None

    def __call__(self, text: str) -> None:
        """The line so far, or the empty string to take it back. What comes within a beat goes out as one."""
        if text and not self._said:
            self._said = True
            metrics.first_words_seconds.observe(time.monotonic() - self._began)
        self._unsent[:] = [text]
        if self._pump is None or self._pump.done():
            self._pump = asyncio.create_task(self._send(), name=f"draft-{self.game_id}")

    def close(self) -> None:
        """The reply is complete and goes into the log: nothing more is shown."""
        self._unsent.clear()

    async def _send(self) -> None:
        while self._unsent:
            await pings.hub().draft(self.game_id, after=self.after, text=self._unsent.pop())
            await asyncio.sleep(BEAT_SECONDS)
