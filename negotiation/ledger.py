"""A game's log from the writing side: its lock, its end, and what was written under an id.

Only services write; everything here runs inside their transaction.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from negotiation import pings
from negotiation.models import Event, Game
from negotiation.record import Row
from negotiation.selectors import LogRow


def locked(game_id: uuid.UUID) -> Game | None:
    """The game's row, locked until the transaction ends (on SQLite the transaction itself is the lock)."""
    try:
        return Game.objects.select_for_update().get(pk=game_id)
    except Game.DoesNotExist:
        return None


def last_move(game: Game) -> Event:
    """The player's latest move."""
    return Event.objects.filter(game=game, type="player_moved").latest("seq")


def seq_of(game: Game, action_id: uuid.UUID) -> int | None:
    """Where the action was written, if it was: a frame that comes again must not count twice."""
    return Event.objects.filter(game=game, action_id=action_id).values_list("seq", flat=True).first()


def append(game: Game, rows: Iterable[Row], *, action_id: uuid.UUID | None = None) -> None:
    """Add rows at the end of the log. The caller holds the lock and saves the game."""
    events = [
        Event(game=game, seq=seq, type=kind, data=data, action_id=action_id)
        for seq, (kind, data) in enumerate(rows, game.last_seq + 1)
    ]
    Event.objects.bulk_create(events)
    game.last_seq = events[-1].seq
    pings.announce(game.id, [LogRow(event.seq, event.type, event.data, event.created_at) for event in events])
