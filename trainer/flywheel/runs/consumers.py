"""The socket of a run's page: what changes by itself, as often as the worker says that something did.

A ping carries nothing but the run's id; the page's part is drawn from the files when it comes, and every few seconds
in case one was lost. Who may see the page is asked again before each.
"""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass

import structlog
from channels.generic.websocket import AsyncWebsocketConsumer
from django.contrib.sessions.backends.db import SessionStore
from django.template.loader import render_to_string

from accounts import second_factor
from accounts.quotas import Holder, holder_of
from accounts.selectors import session_key_of, user_of_session
from negotiation.table import pings, wire
from negotiation.table.sockets import Denied, entered
from negotiation.table.threads import in_database
from trainer.flywheel.runs.models import TrainingRun

log = structlog.get_logger(__name__)

LOOK_SECONDS = 4.0
PAUSE_SECONDS = 0.5
"""Between two drawings, however often the worker pings."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """The part of the page that changes, and whether anything is still to happen."""

    html: str
    is_open: bool


class RunSocket(AsyncWebsocketConsumer):
    """``/ws/trainer/runs/<id>/``: open to staff."""

    # As all sockets here it hears pings from the hub of its process, not from the layer.
    channel_layer_alias = "none"
    pump: asyncio.Task[None] | None = None
    leave: Callable[[], None] | None = None

    @property
    def run_id(self) -> uuid.UUID:
        """The run named in the URL."""
        run_id: uuid.UUID = self.scope["url_route"]["kwargs"]["run_id"]
        return run_id

    async def connect(self) -> None:
        """Accept, so that a refusal can be told in words, and draw for as long as it may."""
        await self.accept()
        try:
            self.leave = entered(self.scope, await in_database(self._holder))
        except Denied as denied:
            await self._deny(denied)
            return
        self.wake = pings.Wake()
        await pings.hub().join(self.run_id, self.wake)
        self.pump = asyncio.create_task(self._feed())

    async def disconnect(self, code: int) -> None:
        """Stop drawing."""
        if self.leave is not None:
            self.leave()
            self.leave = None
        if self.pump is not None:
            self.pump.cancel()
            await pings.hub().leave(self.run_id, self.wake)

    def _holder(self) -> Holder:
        return holder_of(user_of_session(session_key_of(self.scope.get("cookies", {}))))

    def _draw(self) -> Drawn:
        """The part as it is now, for somebody who may see it."""
        # The page's context; imported late, since views import the sockets' neighbours.
        from trainer.flywheel.views.runs import now_of

        session_key = session_key_of(self.scope.get("cookies", {}))
        user = user_of_session(session_key)
        if user is None:
            raise Denied(wire.NOT_SIGNED_IN, "not_signed_in", "You are signed out. Sign in again.")
        if second_factor.is_missing(user, SessionStore(session_key)):
            raise Denied(wire.NOT_YOURS, "second_factor", "Show your second factor, then come back.")
        run = (
            TrainingRun.objects.select_related("start", "candidate", "champion")
            .filter(pk=self.run_id)
            .first()
        )
        if run is None or not user.is_staff:
            raise Denied(wire.NO_SUCH_GAME, "no_such_run", "There is no such run.")
        return Drawn(render_to_string("trainer/_run_now.html", now_of(run)), run.is_open)

    async def _feed(self) -> None:
        sent = ""
        try:
            while True:
                drawn = await in_database(self._draw)
                if drawn.html != sent:
                    sent = drawn.html
                    await self._tell({"type": "now", "data": {"html": drawn.html, "open": drawn.is_open}})
                if not drawn.is_open:
                    await self.close(code=1000)
                    return
                await asyncio.sleep(PAUSE_SECONDS)
                await self.wake.wait(LOOK_SECONDS)
        except Denied as denied:
            await self._deny(denied)
        except Exception:
            # Closing makes the page come back, or ask over HTTP.
            log.exception("run_feed_broken", run=str(self.run_id))
            await self.close(code=1011)

    async def _deny(self, denied: Denied) -> None:
        await self._tell(wire.closing(denied.code, denied.message))
        await self.close(code=denied.close_code)

    async def _tell(self, frame: object) -> None:
        await self.send(text_data=json.dumps(frame, separators=(",", ":")))
