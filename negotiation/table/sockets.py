"""What every socket onto a game does, whoever sits behind it: let in, keep fed, keep checked.

The log decides what is sent; pings only say when to look, and a look every few seconds makes up for lost
ones. Permission is asked on connecting, with every write, and before pushing at least every half minute.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import parse_qs

import structlog
from channels.generic.websocket import AsyncWebsocketConsumer
from django.utils import timezone

from accounts.models import User
from accounts.permits import Permit, let_in
from accounts.quotas import Holder, TooMuch, holder_of, open_sockets
from accounts.selectors import session_key_of, user_of_session
from negotiation.table import metrics, pings, wire
from negotiation.table.at_once import Taken
from negotiation.table.errors import LogDiverged, MoveRefused
from negotiation.table.feed import Source, Tail, close_tail, open_tail
from negotiation.table.threads import in_database, in_database_surely
from negotiation.table.throttle import TokenBucket
from negotiation.table.wire import ClientFrame, FrameRefused, parse_client
from telemetry import moving

log = structlog.get_logger(__name__)

LOOK_SECONDS = 3.0
RECHECK_SECONDS = 30.0
REFUSALS_BEFORE_CLOSING = 50
UNTRACED = frozenset(("ping", "resume", "preview"))
"""Frames that move nothing: there are too many of them to be told one by one."""


_spoken: set[str] = set()
"""The types of frames that some socket of the house takes."""


class Denied(Exception):
    """This socket may not be open. ``close_code`` tells the browser why, ``message`` tells the person."""

    def __init__(self, close_code: int, code: str, message: str) -> None:
        super().__init__(code)
        self.close_code = close_code
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True)
class Access:
    """What a socket was allowed: which game, and as what."""

    game_id: uuid.UUID
    role: str
    awaiting_reply: bool
    over: bool


def entered(scope: dict[str, Any], who: Holder) -> Callable[[], None]:
    """Count one more socket of somebody, or ``Denied``; call what comes back once it is closed."""
    address = (scope.get("client") or ("unknown", 0))[0]
    try:
        return open_sockets.enter(address, who)
    except TooMuch as spent:
        raise Denied(wire.TOO_MANY_FRAMES, "too_much", spent.message) from None


class GameSocket(AsyncWebsocketConsumer):
    """Base of the player's and the spectator's socket. Subclasses say who may connect and do what."""

    # Sockets don't listen to the channel layer themselves: a lost Redis would end them all.
    channel_layer_alias = "none"
    accepts: ClassVar[frozenset[str]] = frozenset({"resume", "ping"})
    refusals_of: ClassVar[tuple[type[Any], ...]] = (FrameRefused, MoveRefused)
    """What is told to the client as a refusal: exceptions with ``code``, ``message`` and ``field``."""
    source: ClassVar[Source]
    """The kind of game."""

    plays: ClassVar[bool] = False

    access: Access | None = None
    tail: Tail | None = None
    pump: asyncio.Task[None] | None = None
    leave: Callable[[], None] | None = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        _spoken.update(cls.accepts)

    def authorize(self) -> Access:
        """What this socket may see now, or ``Denied``. Runs on a table thread."""
        raise Denied(wire.NOT_YOURS, "not_yours", "This is not yours.")

    async def connect(self) -> None:
        """Accept, so that a refusal can be told in words, then check, then feed."""
        await self.accept()
        self.wake = pings.Wake(plays=self.plays)
        self.bucket = TokenBucket(rate=10, burst=40)
        self.refusals = 0
        self.sent = 0
        self.acknowledging = asyncio.Lock()
        """Held from an action's arrival to its acknowledgement: what came of it is sent after that."""
        try:
            access, who = await in_database(self._admitted)
            self.leave = entered(self.scope, who)
            self.access = access
        except Denied as denied:
            await self.deny(denied)
            return
        self.checked_at = time.monotonic()
        metrics.open_sockets.labels(self.access.role).inc()
        self.tail = open_tail(self.access.game_id, self.source)
        await pings.hub().join(self.access.game_id, self.wake)
        await self.tail.refresh()
        self.sent = min(self._since(), self.tail.head)
        self.batches = "batch=1" in self.scope.get("query_string", b"").decode("latin1").split("&")
        """Whether it takes what is new as one message, a list: a table that many watch is told to them sooner."""
        await self._send(
            {
                "type": "hello",
                "data": {
                    "last_seq": self.tail.head,
                    "role": self.access.role,
                    "awaiting_reply": self.access.awaiting_reply,
                    "server_time": timezone.now().isoformat(),
                },
            }
        )
        self.wake.nudge()
        self.pump = asyncio.create_task(self._feed(self.access, self.tail))
        if self.access.awaiting_reply:
            self.overdue(self.access.game_id)

    def _admitted(self) -> tuple[Access, Holder]:
        """What this socket may see, and whose share it is of."""
        user = user_of_session(session_key_of(self.scope.get("cookies", {})))
        return self.authorize(), holder_of(user)

    async def disconnect(self, code: int) -> None:
        """Stop feeding; turns under way go on without us."""
        if self.leave is not None:
            self.leave()
            self.leave = None
        if self.pump is not None:
            self.pump.cancel()
        if self.access is not None and self.tail is not None:
            access, tail, self.access, self.tail = self.access, self.tail, None, None
            metrics.open_sockets.labels(access.role).dec()
            # First what must not be left behind: Redis may take its time, and nobody waits for a socket that is gone.
            close_tail(tail)
            await pings.hub().leave(access.game_id, self.wake)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """One client frame: parse it, let it through to its handler, answer what went wrong."""
        if self.access is None:
            return
        received = time.monotonic()
        frame: ClientFrame | None = None
        try:
            if not self.bucket.take():
                raise FrameRefused("too_many_frames", "That was too fast. Wait a moment.")
            frame = parse_client(text_data)
            if frame.type not in self.accepts:
                raise self._not_accepted(frame.type)
            if frame.type in UNTRACED:
                await self.handle(frame, received)
            else:
                with moving(frame.type, action=str(frame.id), game=str(self.access.game_id)):
                    await self.handle(frame, received)
        except self.refusals_of as refused:
            frame_id = str(frame.id) if frame else getattr(refused, "frame_id", None)
            await self.refuse(frame_id, refused.code, refused.message, refused.field)
        except LogDiverged:
            log.exception("log_diverged", game=str(self.access.game_id))
            await self.refuse(
                str(frame.id) if frame else None,
                "engine_changed",
                "This deal began with an earlier version of the opponents and can't go on.",
            )
        except Denied as denied:
            await self.deny(denied)

    def _not_accepted(self, kind: str) -> FrameRefused:
        if kind in _spoken:
            return FrameRefused("not_allowed", "This connection can't do that.", field="type")
        return FrameRefused("unknown_type", "This table does not know that type.", field="type")

    async def handle(self, frame: ClientFrame, received: float) -> None:
        """Answer one well-formed frame."""
        if frame.type == "ping":
            await self._send({"type": "pong", "id": str(frame.id)})
        elif frame.type == "resume" and self.tail is not None:
            self.sent = min(wire.int_of(frame.data, "since"), self.tail.head)
            self.wake.nudge()

    def overdue(self, table_id: uuid.UUID) -> None:
        """Called on connecting to a table that awaits an answer: whoever owed it may be gone."""

    def outgoing(self, text: str) -> str:
        """A frame as it goes over this socket: the place to leave out what this one may not show."""
        return text

    async def fed(self, tail: Tail) -> None:
        """Called after everything new was sent: the place for frames that are drawn from the log, not part of it."""

    async def refuse(self, frame_id: str | None, code: str, message: str, field: str | None = None) -> None:
        """Say what was wrong with a frame. A client that does nothing else is shown the door."""
        metrics.frames_refused.labels(code).inc()
        self.refusals += code == "too_many_frames"
        if self.refusals > REFUSALS_BEFORE_CLOSING:
            await self.deny(Denied(wire.TOO_MANY_FRAMES, code, message))
            return
        await self._send(wire.error(frame_id, code, message, field))

    async def deny(self, denied: Denied) -> None:
        """Close, with the reason in words first."""
        await self._send(wire.closing(denied.code, denied.message))
        await self.close(code=denied.close_code)

    async def _send(self, frame: wire.ControlFrame) -> None:
        await self.send(text_data=self.outgoing(json.dumps(frame, separators=(",", ":"))))

    def _since(self) -> int:
        query = parse_qs(self.scope.get("query_string", b"").decode("latin1"))
        since = query.get("since", ["0"])[0]
        return int(since) if since.isdecimal() and len(since) < 10 else 0

    async def _feed(self, access: Access, tail: Tail) -> None:
        """Send what the log gained, for as long as this socket may see it."""
        try:
            while True:
                # Spread the looks of many sockets, so that they share their reads.
                woken = await self.wake.wait(LOOK_SECONDS * random.uniform(0.8, 1.2))  # noqa: S311
                pinged, self.wake.look = self.wake.look, False
                if self.wake.recheck or time.monotonic() - self.checked_at > RECHECK_SECONDS:
                    self.wake.recheck = False
                    await in_database(self.authorize)
                    self.checked_at = time.monotonic()
                if pinged and self.wake.seq:
                    await tail.reach(self.wake.seq)
                elif pinged or not woken:
                    await tail.refresh(max_age=0.0 if pinged else LOOK_SECONDS / 2)
                new = tail.after(self.sent, access.role)
                async with self.acknowledging:
                    for frames in [new] if self.batches and new else [[each] for each in new]:
                        self.sent = frames[-1].seq
                        texts = [self.outgoing(each.text) for each in frames]
                        await self.send(text_data=f"[{','.join(texts)}]" if self.batches else texts[0])
                    for frame in new:
                        if pinged:
                            lag = (timezone.now() - frame.written_at).total_seconds()
                            metrics.event_lag_seconds.observe(lag)
                if new:
                    await self.fed(tail)
                if self.wake.draft is not None:
                    drafted, self.wake.draft = self.wake.draft, None
                    await self._send(wire.draft(drafted))
        except Denied as denied:
            await self.deny(denied)
        except Exception:
            # Closing makes the client come back and resume from what it has.
            log.exception("feed_broken", game=str(access.game_id))
            await self.close(code=1011)


class PlayerSocket(GameSocket):
    """A socket of those who play: the game is named in the URL, the person by the session."""

    plays: ClassVar[bool] = True
    permit: Permit | None = None
    """What the person was last let in with."""

    @property
    def game_id(self) -> uuid.UUID:
        """The game named in the URL."""
        game_id: uuid.UUID = self.scope["url_route"]["kwargs"]["game_id"]
        return game_id

    def user(self) -> User:
        """Who is signed in now; the session is read afresh each time."""
        found = let_in(session_key_of(self.scope.get("cookies", {})))
        if found is None:
            self.permit = None
            raise Denied(wire.NOT_SIGNED_IN, "not_signed_in", "You are signed out. Sign in again.")
        user, self.permit = found
        return user

    def at_once(self, frame: ClientFrame, permit: Permit) -> Taken | None:
        """Take a whole turn in one transaction, where this kind can; ``None``, with nothing written, where it can't.

        Runs on a table thread.
        """
        return None

    async def taken_at_once(self, frame: ClientFrame, received: float) -> bool:
        """Take the action at once and acknowledge it; False where it has to go the long way. ``acknowledging`` is held."""
        if self.permit is None:
            return False
        taken = await in_database_surely(self._tell, self.at_once, frame, self.permit)
        if taken is None:
            return False
        try:
            await self._send(wire.ack(frame.id, taken.seq))
        finally:
            self._tell(taken)
        metrics.turn_seconds.observe(time.monotonic() - received)
        return True

    def _tell(self, taken: Taken | None) -> None:
        if taken is not None:
            pings.hub().tell(self.game_id, taken.rows)
