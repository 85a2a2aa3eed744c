"""A reply while it is being said: shown on the table word by word, never part of the log.

Each draft carries the whole text so far, so one that is lost, or comes late, does no harm: the next one makes up for
it, and the logged line replaces them all. What is shown here must already have passed the guard.
"""

from __future__ import annotations

import asyncio
import time
import uuid

from negotiation.table import metrics, pings

BEAT_SECONDS = 0.04
"""Faster than that nobody reads, and every draft goes to every socket of the table."""
FAR_BEAT_SECONDS = 0.2
"""For the sockets of other processes: the way through Redis costs fifty times as much as the one within a process, and
who plays is nearly always here, where the turn is answered."""


class DraftLine:
    """The reply to one move, as far as it has been said: a ``Tell`` that every socket of the table hears.

    Lives on the event loop; to tell it something never takes time. ``after`` is the sequence of the move.
    """

    def __init__(self, *, game_id: uuid.UUID, after: int) -> None:
        self.game_id = game_id
        self.after = after
        self._began = time.monotonic()
        self._text: str | None = None
        self._near = self._far = ""
        self._next_far = 0.0
        self._said = False
        self._pump: asyncio.Task[None] | None = None

    def __call__(self, text: str) -> None:
        """The line so far, or the empty string to take it back. What comes within a beat goes out as one."""
        if text and not self._said:
            self._said = True
            metrics.first_words_seconds.observe(time.monotonic() - self._began)
        self._text = text
        if self._pump is None or self._pump.done():
            self._pump = asyncio.create_task(self._send(), name=f"draft-{self.game_id}")

    def close(self) -> None:
        """The reply is complete and goes into the log: nothing more is shown."""
        self._text = None

    async def _send(self) -> None:
        """Until all have heard the latest: a beat for those here, a longer one for those elsewhere."""
        while (text := self._text) is not None and (text != self._near or text != self._far):
            now = time.monotonic()
            # What is taken back is taken back everywhere at once.
            everywhere = not text or now >= self._next_far
            if everywhere:
                self._next_far, self._far = now + FAR_BEAT_SECONDS, text
            if everywhere or text != self._near:
                self._near = text
                await pings.hub().draft(self.game_id, after=self.after, text=text, everywhere=everywhere)
            await asyncio.sleep(BEAT_SECONDS)
