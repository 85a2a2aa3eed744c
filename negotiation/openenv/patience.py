"""How long silence is borne: a limit on waiting that is renewed with every frame and costs a frame next to nothing."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Self


class Patience:
    """An asynchronous context that raises ``TimeoutError`` once ``seconds`` have passed since it was last renewed.

    ``asyncio.timeout`` sets up a timer for each wait: two a frame, seven microseconds of the three hundred that a step
    takes. Here one timer looks, when it is due, how long ago the last renewal was, and is set again for the rest.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._loop = asyncio.get_running_loop()
        self._renewed = self._loop.time()
        self._timeout = asyncio.timeout(None)
        self._timer: asyncio.TimerHandle | None = None

    def renew(self) -> None:
        """Begin to wait anew."""
        self._renewed = self._loop.time()

    async def __aenter__(self) -> Self:
        await self._timeout.__aenter__()
        self._look()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._timer is not None:
            self._timer.cancel()
        await self._timeout.__aexit__(kind, error, trace)

    def _look(self) -> None:
        ends = self._renewed + self._seconds
        if self._loop.time() < ends:
            self._timer = self._loop.call_at(ends, self._look)
        else:
            self._timeout.reschedule(ends)
