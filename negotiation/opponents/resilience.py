"""What keeps tables from waiting for a server that can't help: a place in the queue, a breaker, a budget of retries.

Each is small, knows no network, and takes its clock from outside. They live on one event loop.
"""

from __future__ import annotations

import asyncio
import heapq
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Literal

_REMEMBERED = 1024
"""Tables whose last turn is kept in mind; beyond that those are forgotten to whom it makes no difference."""

Clock = Callable[[], float]
BreakerState = Literal["closed", "open", "half_open"]


class QueueFull(RuntimeError):
    """So many turns wait already that one more would not be reached in time."""


@dataclass(order=True, slots=True)
class _Waiting:
    rank: tuple[float, int]
    ready: asyncio.Future[None] = field(compare=False)


class FairGate:
    """At most ``width`` turns at once; who waits is let in by start-time fair queueing (Goyal, Vin & Cheng 1996).

    A table's next turn ranks behind the first of every table that waits, so a table that asks a lot waits for
    itself alone.

    Args:
        width: turns at once.
        longest: turns that may wait.
    """

    def __init__(self, width: int, longest: int) -> None:
        self._width = width
        self._longest = longest
        self._inside = 0
        self._order = 0
        self._virtual = 0.0
        self._last: defaultdict[str, float] = defaultdict(float)
        self._waiting: list[_Waiting] = []

    @property
    def inside(self) -> int:
        """Turns under way."""
        return self._inside

    @property
    def waiting(self) -> int:
        """Turns that wait for a place."""
        return sum(not one.ready.done() for one in self._waiting)

    @asynccontextmanager
    async def place(self, table: str) -> AsyncIterator[None]:
        """Wait for a place and hold it.

        Raises:
            QueueFull: at once, when too many wait.
        """
        start = max(self._virtual, self._last[table])
        if self._inside >= self._width or self.waiting:
            await self._queue(table, start)
        else:
            self._enter(table, start)
        try:
            yield
        finally:
            self._inside -= 1
            self._let_in()

    async def _queue(self, table: str, start: float) -> None:
        if self.waiting >= self._longest:
            raise QueueFull
        self._last[table] = start + 1
        self._order += 1
        mine = _Waiting((start, self._order), asyncio.get_running_loop().create_future())
        heapq.heappush(self._waiting, mine)
        try:
            await mine.ready
        except asyncio.CancelledError:
            if mine.ready.done() and not mine.ready.cancelled():
                # Let in and called off in the same moment: the place goes to the next.
                self._inside -= 1
                self._let_in()
            raise

    def _enter(self, table: str, start: float) -> None:
        self._inside += 1
        self._virtual = max(self._virtual, start)
        self._last[table] = start + 1

    def _let_in(self) -> None:
        while self._waiting and self._inside < self._width:
            following = heapq.heappop(self._waiting)
            if not following.ready.done():
                self._inside += 1
                self._virtual = max(self._virtual, following.rank[0])
                following.ready.set_result(None)
        if not self._waiting and not self._inside:
            self._last.clear()
            self._virtual = 0.0
        elif len(self._last) > _REMEMBERED:
            # Who has waited long enough ranks as if it had never been here.
            ahead = {table: rank for table, rank in self._last.items() if rank > self._virtual}
            self._last = defaultdict(float, ahead)


class Breaker:
    """Stops asking a server that keeps failing (Nygard 2007): closed, open for a while, then one probe.

    Args:
        failures: in a row, until it opens.
        rest: seconds until it first lets a probe through; doubles with every probe that fails, up to ``longest``.
    """

    def __init__(self, clock: Clock, *, failures: int = 4, rest: float = 2.0, longest: float = 60.0) -> None:
        self._clock = clock
        self._limit = failures
        self._rest = rest
        self._longest = longest
        self._failed = 0
        self._resting = rest
        self._opened: float | None = None
        self._probing = False

    @property
    def state(self) -> BreakerState:
        """Where it stands now."""
        if self._opened is None:
            return "closed"
        return "half_open" if self._probing or self._clock() - self._opened >= self._resting else "open"

    def lets_through(self) -> bool:
        """Whether a request may go out now. While half open, that is one: who asks first."""
        if self._opened is None:
            return True
        if self._probing or self.state == "open":
            return False
        self._probing = True
        return True

    def succeeded(self) -> None:
        """A request went well."""
        self._failed, self._resting = 0, self._rest
        self._opened, self._probing = None, False

    def failed(self) -> None:
        """A request did not."""
        self._failed += 1
        if self._probing:
            self._resting = min(self._longest, 2 * self._resting)
            self._opened, self._probing = self._clock(), False
        elif self._opened is None and self._failed >= self._limit:
            self._opened = self._clock()

    def gave_up(self) -> None:
        """A request was called off and says nothing about the server: the next one probes."""
        self._probing = False


class RetryBudget:
    """Retries are paid from one purse that successes fill: an ailing server is not asked twice by everybody.

    A retry takes one token, a success gives ``refund`` of one back (as gRPC throttles retries).
    """

    def __init__(self, tokens: float = 10.0, refund: float = 0.1) -> None:
        self._most = tokens
        self._refund = refund
        self.left = tokens

    def take(self) -> bool:
        """Pay for a retry, if more than half of the purse is there."""
        if self.left <= self._most / 2:
            return False
        self.left -= 1
        return True

    def succeeded(self) -> None:
        """A request went well."""
        self.left = min(self._most, self.left + self._refund)
