"""From the log to the sockets of this process: read once, redacted once per role, sent to all.

Two hundred spectators of one table wake at the same moment; the first of them reads the new rows, the
others find them here, and rows that this very process wrote are handed over on commit. What is kept is
kept only while a socket of that game is open.
"""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from negotiation.table.models import Logged
from negotiation.table.threads import in_database


@dataclass(frozen=True, slots=True)
class Sendable:
    """A frame ready for the wire."""

    seq: int
    text: str
    written_at: datetime


class Source(Protocol):
    """What the feed asks of a kind of game: where its rows are read, and what a role may see of one."""

    def read(self, table_id: uuid.UUID, seq: int, /) -> Sequence[Logged]:
        """The rows past ``seq``."""

    def shown(self, row: Logged, role: str, /) -> Mapping[str, Any]:
        """A row as a role may see it."""


@dataclass(slots=True)
class Tail:
    """The log of one game as far as this process has read it."""

    game_id: uuid.UUID
    source: Source
    rows: list[Logged] = field(default_factory=list)
    sendable: dict[str, list[Sendable]] = field(default_factory=lambda: defaultdict(list))
    readers: int = 0
    reads: int = 0
    read_at: float = float("-inf")
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def refresh(self, *, max_age: float = 0.0) -> None:
        """Read what is new. A read begun after we asked serves us too; with ``max_age`` a recent one does."""
        if time.monotonic() - self.read_at < max_age:
            return
        asked_at = self.reads
        async with self.lock:
            if self.reads > asked_at:
                return
            self.reads += 1
            began = time.monotonic()
            read = await in_database(self.source.read, self.game_id, self.head)
            self.rows += [row for row in read if row.seq > self.head]
            self.read_at = began

    async def reach(self, seq: int) -> None:
        """Hold the log at least up to ``seq``; read only when it was not handed over already."""
        if self.head < seq:
            await self.refresh()

    @property
    def head(self) -> int:
        """The last sequence read. Sequences are contiguous from 1."""
        return len(self.rows)

    def after(self, seq: int, role: str) -> list[Sendable]:
        """What ``role`` has not been sent yet."""
        ready = self.sendable[role]
        for row in self.rows[len(ready) :]:
            frame = self.source.shown(row, role)
            ready.append(Sendable(row.seq, json.dumps(frame, separators=(",", ":")), row.created_at))
        return ready[seq:]


_tails: dict[uuid.UUID, Tail] = {}


def open_tail(game_id: uuid.UUID, source: Source) -> Tail:
    """The shared tail of a game; give it back with ``close_tail``."""
    tail = _tails.get(game_id)
    if tail is None:
        tail = _tails[game_id] = Tail(game_id, source)
    tail.readers += 1
    return tail


def offer(game_id: uuid.UUID, rows: Sequence[Logged]) -> None:
    """Rows that this process has just committed, so that nobody here has to read them back."""
    tail = _tails.get(game_id)
    if tail is not None and rows and rows[0].seq == tail.head + 1:
        tail.rows += rows


def close_tail(tail: Tail) -> None:
    """One reader less; the last one takes the rows along, also from those who still hold the tail: what a closed socket
    leaves behind holds itself up until the collector comes by, and a whole deal would wait with it."""
    tail.readers -= 1
    if tail.readers == 0:
        _tails.pop(tail.game_id, None)
        tail.rows.clear()
        tail.sendable.clear()
