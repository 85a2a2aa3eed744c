"""Telling open sockets that a log grew. A ping carries no content and may be lost; the log is the truth. Beside the log
go drafts, the words of a reply that is still being said.

One listener per process, on one channel, however many sockets are open: a ping from Redis wakes the
sockets of that game here. Events written by this very process wake its sockets without the detour, so a
restart of Redis costs nobody at this process a move. When Redis comes back its client subscribes again by itself;
pings missed meanwhile are made up for by the look that every socket takes each few seconds.
"""

from __future__ import annotations

import asyncio
import uuid
from collections import defaultdict
from collections.abc import Awaitable, Mapping, Sequence
from typing import Any

import structlog
from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction
from redis.exceptions import RedisError

from negotiation.table.feed import offer
from negotiation.table.models import Logged
from negotiation.table.wire import DraftFrame

log = structlog.get_logger(__name__)

RETRY_SECONDS = 0.5
REDIS_SECONDS = 2.0
LOG_GREW = "log.grew"
ACCESS_CHANGED = "access.changed"
DRAFT = "draft"
LOOK_AGAIN = "look.again"
TROUBLE = (RedisError, OSError, asyncio.TimeoutError)


def group_of(game_id: uuid.UUID) -> str:
    """The channel layer's group of a game, or of whatever else is listened to by an id."""
    return f"game.{game_id.hex}"


def tables_of(team_id: int) -> uuid.UUID:
    """The id under which a new table of a team is heard of: nobody can listen to it by its own yet."""
    return uuid.uuid5(uuid.NAMESPACE_OID, f"tables of team {team_id}")


class Wake:
    """What a socket waits on: how far the log goes, as far as we heard, whether permission may have changed, and the
    latest draft of a reply under way (older ones are of no use any more)."""

    def __init__(self, *, plays: bool = False) -> None:
        self.plays = plays
        """Who plays is served before who watches."""
        self.event = asyncio.Event()
        self.seq = 0
        self.look = False
        self.recheck = False
        self.draft: DraftFrame | None = None
        self.by: set[uuid.UUID] = set()
        """What woke it, for whoever listens to more than one thing and empties this."""

    def nudge(self) -> None:
        """Have the socket look at the log."""
        self.look = True
        self.event.set()

    async def wait(self, seconds: float) -> bool:
        """Wait for a ping or a draft; False when none came in time."""
        try:
            async with asyncio.timeout(seconds):
                await self.event.wait()
        except TimeoutError:
            return False
        self.event.clear()
        return True


class Hub:
    """The sockets of one process, by game; lives on the event loop that first used it."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.layer = get_channel_layer()
        self.sockets: dict[uuid.UUID, set[Wake]] = defaultdict(set)
        self.name = uuid.uuid4().hex
        self.channel: str | None = None
        self.listener: asyncio.Task[None] | None = None
        self.late: set[asyncio.Task[Any]] = set()

    async def join(self, game_id: uuid.UUID, socket: Wake) -> None:
        """Have ``socket`` woken whenever the game's log may have grown."""
        first = not self.sockets[game_id]
        self.sockets[game_id].add(socket)
        if self.listener is None:
            self.listener = asyncio.create_task(self._listen(), name="pings")
        elif first and self.channel is not None and not await self._subscribe(game_id, self.channel):
            task = asyncio.create_task(self._subscribe_later(game_id, self.channel))
            self.late.add(task)
            task.add_done_callback(self.late.discard)

    async def _subscribe(self, game_id: uuid.UUID, channel: str) -> bool:
        return await self._try(self.layer.group_add(group_of(game_id), channel), game_id)

    async def _subscribe_later(self, game_id: uuid.UUID, channel: str) -> None:
        """Redis was away as the game's first socket came."""
        while self.channel == channel and game_id in self.sockets:
            await asyncio.sleep(RETRY_SECONDS)
            if await self._subscribe(game_id, channel):
                self.wake(game_id, {"type": LOOK_AGAIN})
                return

    async def leave(self, game_id: uuid.UUID, socket: Wake) -> None:
        """The socket closed."""
        self.sockets[game_id].discard(socket)
        if self.sockets[game_id]:
            return
        del self.sockets[game_id]
        if self.channel is not None:
            await self._try(self.layer.group_discard(group_of(game_id), self.channel), game_id)

    async def _try(self, call: Awaitable[Any], game_id: uuid.UUID) -> bool:
        """Without Redis a socket still sees its game: it looks at the log every few seconds."""
        try:
            async with asyncio.timeout(REDIS_SECONDS):
                await call
        except TROUBLE:
            log.warning("redis_away", game=str(game_id))
            return False
        return True

    def wake(self, game_id: uuid.UUID, message: Mapping[str, Any]) -> None:
        """Have the game's sockets of this process look at the log, or show a draft."""
        for socket in sorted(self.sockets.get(game_id, ()), key=lambda socket: not socket.plays):
            if message["type"] == DRAFT:
                socket.draft = {"after": message["after"], "text": message["text"]}
                socket.event.set()
                continue
            # Without a number the socket has to look for itself.
            socket.seq = max(socket.seq, message["seq"]) if "seq" in message else 0
            socket.recheck = socket.recheck or message["type"] != LOG_GREW
            socket.by.add(game_id)
            socket.nudge()

    async def publish(self, game_id: uuid.UUID, message: dict[str, Any], rows: Sequence[Logged] = ()) -> None:
        """Hand what we wrote to our own sockets at once, wake the other processes' through Redis."""
        offer(game_id, rows)
        self.wake(game_id, message)
        await self._try(self.layer.group_send(group_of(game_id), {**message, "from": self.name}), game_id)

    def tell(self, game_id: uuid.UUID, rows: Sequence[Logged]) -> None:
        """Hand on what this process has just written; nobody waits for Redis to pass it to the others."""
        offer(game_id, rows)
        message = {"type": LOG_GREW, "seq": rows[-1].seq, "game": game_id.hex}
        self.wake(game_id, message)
        sending = self.layer.group_send(group_of(game_id), {**message, "from": self.name})
        task = asyncio.create_task(self._try(sending, game_id))
        self.late.add(task)
        task.add_done_callback(self.late.discard)

    async def draft(self, game_id: uuid.UUID, *, after: int, text: str, everywhere: bool = True) -> None:
        """Show the reply to the move at ``after`` as far as it has been said, on every socket of the game; those of
        other processes see it only where it goes ``everywhere``.

        Unlike what is in the log, a draft that is lost stays lost: the next one holds all of it.
        """
        message = {"type": DRAFT, "game": game_id.hex, "after": after, "text": text}
        if everywhere:
            await self.publish(game_id, message)
        else:
            self.wake(game_id, message)

    async def _listen(self) -> None:
        while True:
            try:
                self.channel = await self.layer.new_channel()
                for game_id in list(self.sockets):
                    await self.layer.group_add(group_of(game_id), self.channel)
                for game_id in list(self.sockets):
                    self.wake(game_id, {"type": LOOK_AGAIN})
                while True:
                    message = await self.layer.receive(self.channel)
                    if message.get("from") == self.name:
                        continue  # our own sockets were woken without the detour
                    self.wake(uuid.UUID(message["game"]), message)
            except TROUBLE:
                log.warning("ping_listener_lost_redis")
            except Exception:
                # Whatever it was, a process without a listener would be late for every event of the others.
                log.exception("ping_listener_broken")
            await asyncio.sleep(RETRY_SECONDS)

    async def close(self) -> None:
        """Stop listening: at the end of a test, where the event loop goes away."""
        # The layer swallows a cancellation that arrives together with a message, hence the repeating.
        while self.listener is not None and not self.listener.done():
            self.listener.cancel()
            await asyncio.wait({self.listener}, timeout=0.05)


_hub: Hub | None = None


def hub() -> Hub:
    """This process's hub. Call it on the event loop."""
    global _hub
    if _hub is None or _hub.loop is not asyncio.get_running_loop():
        _hub = Hub()
    return _hub


def announce(game_id: uuid.UUID, rows: Sequence[Logged]) -> None:
    """After the present transaction commits, say that the game's log has grown by ``rows``."""
    message = {"type": LOG_GREW, "seq": rows[-1].seq, "game": game_id.hex}
    transaction.on_commit(lambda: _send(game_id, message, rows))


def announce_access(game_id: uuid.UUID) -> None:
    """After the present transaction commits, have every socket of the game ask again whether it may watch."""
    transaction.on_commit(lambda: _send(game_id, {"type": ACCESS_CHANGED, "game": game_id.hex}))


def _send(game_id: uuid.UUID, message: dict[str, Any], rows: Sequence[Logged] = ()) -> None:
    if _hub is not None and _hub.loop.is_running():
        asyncio.run_coroutine_threadsafe(_hub.publish(game_id, message, rows), _hub.loop)
        return
    try:
        async_to_sync(get_channel_layer().group_send)(group_of(game_id), message)
    except TROUBLE:
        log.warning("redis_away", game=str(game_id))
