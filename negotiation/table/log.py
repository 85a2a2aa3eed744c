"""A table's log, whatever is played there: read, locked, appended to under the row's lock, told to open sockets.

Only services write; what writes here runs inside their transaction.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any, TypeVar

from django.utils import timezone

from negotiation.table import pings
from negotiation.table.models import Logged, LogRow, TableRow

T = TypeVar("T", bound=TableRow)


def after(events: type[LogRow], table_id: uuid.UUID, seq: int) -> list[Logged]:
    """The events of a table past ``seq``, oldest first."""
    rows = events.of(table_id).filter(seq__gt=seq).order_by("seq")
    return [Logged(*row) for row in rows.values_list("seq", "type", "data", "created_at")]


def locked(tables: type[T], table_id: uuid.UUID, **sits: Any) -> T | None:
    """The table's row, locked until the transaction ends (on SQLite the transaction itself is the lock).

    Args:
        sits: what else must hold of the row, such as whose it is.
    """
    return tables.objects.select_for_update().filter(pk=table_id, **sits).first()


def seq_of(events: type[LogRow], table_id: uuid.UUID, action_id: uuid.UUID) -> int | None:
    """Where an action was written, if it was: a frame that comes again must not count twice."""
    return events.of(table_id).filter(action_id=action_id).values_list("seq", flat=True).first()


def append(
    events: type[LogRow],
    table: TableRow,
    rows: Iterable[tuple[str, Any]],
    *,
    action_id: uuid.UUID | None = None,
) -> None:
    """Add (type, data) rows at the end; the first carries the identifier of the action that caused them.

    The caller holds the lock and saves the table.
    """
    now = timezone.now()
    first = table.last_seq + 1
    added = [
        events(
            **{events.OF: table, "type": kind},
            seq=seq,
            data=data,
            action_id=action_id if seq == first else None,
        )
        for seq, (kind, data) in enumerate(rows, first)
    ]
    if not added:
        return
    events.objects.bulk_create(added)
    table.last_seq = added[-1].seq
    pings.announce(table.pk, [Logged(row.seq, row.type, row.data, now) for row in added])
    team_id = getattr(table, "team_id", None)
    if first == 1 and team_id is not None:
        pings.announce_access(pings.tables_of(team_id))
