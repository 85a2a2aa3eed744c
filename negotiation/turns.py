"""Turns under way in this process. They outlive the socket that asked for them."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections import Counter

import structlog

from negotiation.answering import turn_resolve, waits_for_model
from negotiation.table import metrics

log = structlog.get_logger(__name__)

_under_way: dict[uuid.UUID, asyncio.Task[None]] = {}
_again: set[uuid.UUID] = set()
_present: Counter[uuid.UUID] = Counter()


def resolve_soon(game_id: uuid.UUID, *, since: float | None = None) -> None:
    """Have the opponent answer. ``since`` is when the player's frame came in.

    A game is resolved by one task at a time; a request that comes while it works is not lost but looked at
    once it is through.
    """
    running = _under_way.get(game_id)
    if running is not None and not running.done():
        _again.add(game_id)
        return
    _under_way[game_id] = asyncio.create_task(_resolve(game_id, since), name=f"turn-{game_id}")


def came(game_id: uuid.UUID) -> None:
    """The player opened one more socket here."""
    _present[game_id] += 1


def went(game_id: uuid.UUID) -> None:
    """The player closed a socket. With the last one goes the wait for a model: the move is in the log, and is
    answered when the player is back, or by the worker."""
    _present[game_id] -= 1
    if _present[game_id] > 0:
        return
    del _present[game_id]
    if waits_for_model(game_id) and game_id in _under_way:
        # Gone from the table at once, so that a player who is back in the same moment is not told to wait for it.
        _under_way.pop(game_id).cancel()


async def settle() -> None:
    """Wait for every turn under way: before a process, or a test, goes away."""
    await asyncio.gather(*_under_way.values(), return_exceptions=True)


async def _resolve(game_id: uuid.UUID, since: float | None) -> None:
    try:
        while True:
            resolved = await turn_resolve(game_id=game_id)
            if resolved and since is not None:
                metrics.turn_seconds.observe(time.monotonic() - since)
            if game_id not in _again:
                return
            _again.discard(game_id)
    except Exception:
        # The move is safe in the log; the worker asks for its reply again.
        log.exception("turn_not_resolved", game=str(game_id))
    finally:
        _again.discard(game_id)
        if _under_way.get(game_id) is asyncio.current_task():
            del _under_way[game_id]
