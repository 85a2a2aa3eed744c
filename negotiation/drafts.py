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
    """The answer to one move, as far as it has been said. Lives on the event loop; its methods never wait.

    ``turn`` is the turn that the answer belongs to, counted as in ``opponent_moved``.
    """

    def __init__(self, *, game_id: uuid.UUID, turn: int) -> None:
        self.game_id = game_id
        self.turn = turn
        self._began = time.monotonic()
        self._unsent: list[str | None] = []
        self._said = False
        self._pump: asyncio.Task[None] | None = None

    def show(self, text: str) -> None:
        """The line so far. May be called for every token: what comes within a beat goes out as one."""
        if not self._said and text:
            self._said = True
            metrics.first_words_seconds.observe(time.monotonic() - self._began)
        self._say(text)

    def take_back(self) -> None:
        """What was said does not stand: the page clears it calmly and waits on."""
        self._say(None)

    def close(self) -> None:
        """The line is complete and goes into the log: nothing more is shown."""
        self._unsent.clear()

    def _say(self, text: str | None) -> None:
        self._unsent[:] = [text]
        if self._pump is None or self._pump.done():
            self._pump = asyncio.create_task(self._send(), name=f"draft-{self.game_id}")

    async def _send(self) -> None:
        while self._unsent:
            await pings.hub().draft(self.game_id, turn=self.turn, text=self._unsent.pop())
            await asyncio.sleep(BEAT_SECONDS)
