"""Appending to a game's log: under its row's lock, numbered without gaps, told to open sockets after the commit."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any

from django.utils import timezone

from negotiation.diplomacy.events import EventType
from negotiation.diplomacy.models import BoardEvent, BoardGame
from negotiation.pings import announce
from negotiation.selectors import LogRow

Row = tuple[EventType, dict[str, Any]]


def append(game: BoardGame, rows: Iterable[Row], *, action_id: uuid.UUID | None = None) -> None:
    """Add rows at the end; the first carries the identifier of the action. The caller holds the lock and saves."""
    now = timezone.now()
    events = [
        BoardEvent(game=game, seq=seq, type=kind, data=data, action_id=action_id if index == 0 else None)
        for index, (seq, (kind, data)) in enumerate(enumerate(rows, game.last_seq + 1))
    ]
    if not events:
        return
    BoardEvent.objects.bulk_create(events)
    game.last_seq += len(events)
    announce(game.pk, [LogRow(event.seq, event.type, event.data, now) for event in events])


def seq_of(game: BoardGame, action_id: uuid.UUID) -> int | None:
    """Where an action that was taken already stands."""
    return BoardEvent.objects.filter(game=game, action_id=action_id).values_list("seq", flat=True).first()
