"""Sockets of pages: the part of a page that changes by itself, drawn anew when something it shows did.

A ping carries nothing but an id; the part is drawn from what is kept when one comes, and every few seconds in case one
was lost. Who may see the page is asked again before each.
"""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import structlog
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer

from accounts.models import User
from accounts.quotas import Holder, holder_of
from accounts.selectors import session_key_of, user_of_session
from negotiation.table import pings, wire
from negotiation.table.sockets import Denied, entered
from negotiation.table.threads import in_database

log = structlog.get_logger(__name__)


drawing = partial(database_sync_to_async, thread_sensitive=False)
"""Off the threads of the tables: a page's part takes tens of milliseconds, and a turn would stand behind it."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """The part as it is now, whether anything is still to happen, and the ids whose pings it has to be drawn anew for."""

    html: str
    is_open: bool
    hears: frozenset[uuid.UUID]


class PartSocket(AsyncWebsocketConsumer):
    """Base of the sockets that keep a part of a page fresh. A subclass says who may see it and draws it.

    Frames: ``now`` with the part's HTML and whether more is to come, and ``closing`` with words before a refusal.
    """

    # As all sockets here it hears pings from the hub of its process, not from the layer.
    channel_layer_alias = "none"
    look_seconds: ClassVar[float] = 4.0
    """Between two looks without a ping."""
    pause_seconds: ClassVar[float] = 0.5
    """Between two drawings, however many pings come."""

    pump: asyncio.Task[None] | None = None
    leave: Callable[[], None] | None = None

    def draw(self, user: User, session_key: str, pinged: frozenset[uuid.UUID] | None) -> Drawn:
        """The part as ``user`` may see it, or ``Denied``. Runs on a thread that no table waits for, one drawing at a time.

        Args:
            session_key: of the user's session.
            pinged: what has changed since the last drawing; ``None`` where that is not known.
        """
        raise NotImplementedError

    async def connect(self) -> None:
        """Accept, so that a refusal can be told in words, and draw for as long as it may."""
        await self.accept()
        try:
            self.leave = entered(self.scope, await in_database(self._holder))
        except Denied as denied:
            await self._deny(denied)
            return
        self.wake = pings.Wake()
        self.heard: frozenset[uuid.UUID] = frozenset()
        self.pump = asyncio.create_task(self._feed())

    async def disconnect(self, code: int) -> None:
        """Stop drawing."""
        if self.leave is not None:
            self.leave()
            self.leave = None
        if self.pump is not None:
            self.pump.cancel()
            heard, self.heard = self.heard, frozenset()
            for each in heard:
                await pings.hub().leave(each, self.wake)

    def _holder(self) -> Holder:
        return holder_of(user_of_session(session_key_of(self.scope.get("cookies", {}))))

    def _drawn(self, pinged: frozenset[uuid.UUID] | None) -> Drawn:
        session_key = session_key_of(self.scope.get("cookies", {}))
        user = user_of_session(session_key)
        if user is None or session_key is None:
            raise Denied(wire.NOT_SIGNED_IN, "not_signed_in", "You are signed out. Sign in again.")
        return self.draw(user, session_key, pinged)

    async def _feed(self) -> None:
        sent = ""
        pinged: frozenset[uuid.UUID] | None = None
        try:
            while True:
                drawn = await drawing(self._drawn)(pinged)
                if drawn.html != sent:
                    sent = drawn.html
                    await self._tell({"type": "now", "data": {"html": drawn.html, "open": drawn.is_open}})
                if not drawn.is_open:
                    await self.close(code=1000)
                    return
                await self._listen_to(drawn.hears)
                await asyncio.sleep(self.pause_seconds)
                woken = await self.wake.wait(self.look_seconds)
                by, self.wake.by = frozenset(self.wake.by), set()
                pinged = by if woken else None
        except Denied as denied:
            await self._deny(denied)
        except Exception:
            # Closing makes the page come back, or ask over HTTP.
            log.exception("part_broken", part=type(self).__name__)
            await self.close(code=1011)

    async def _listen_to(self, hears: frozenset[uuid.UUID]) -> None:
        """Have pings of just these wake us; what changed of a new one before it was listened to is looked at once more."""
        gone, new = self.heard - hears, hears - self.heard
        self.heard = hears
        for each in gone:
            await pings.hub().leave(each, self.wake)
        for each in new:
            await pings.hub().join(each, self.wake)
            self.wake.by.add(each)
        if new:
            self.wake.nudge()

    async def _deny(self, denied: Denied) -> None:
        await self._tell(wire.closing(denied.code, denied.message))
        await self.close(code=denied.close_code)

    async def _tell(self, frame: object) -> None:
        await self.send(text_data=json.dumps(frame, separators=(",", ":")))
