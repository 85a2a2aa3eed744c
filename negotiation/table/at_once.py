"""A whole turn in one transaction of four statements: where whoever answers does so at once.

The turn is worked out before the database is asked for anything. Then one UPDATE of the table's row finds out whether all
of it still holds (nobody was faster, the table is live, the person may still write) and one INSERT adds the turn to the
log. Where it does not hold, nothing was written, and the long way says why.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from accounts.permits import Permit
from negotiation.table.models import LIVE, Logged, LogRow, TableRow

_WRITTEN = ("seq", "type", "data", "action_id", "created_at")


@dataclass(frozen=True, slots=True)
class Taken:
    """A turn that is in the log: where the player's move stands, and all rows."""

    seq: int
    rows: list[Logged]


def append_if(
    events: type[LogRow],
    table: TableRow,
    rows: Sequence[tuple[str, Any]],
    *,
    action_id: uuid.UUID,
    permit: Permit,
    changes: Mapping[str, Any],
    expected: Mapping[str, Any],
    sits: str = "player_id",
) -> list[Logged] | None:
    """Add rows to the log and change the table's row, if it stands in the database as it does here.

    Args:
        table: as it was when the rows were worked out; brought up to date when they are written.
        rows: (type, data); the first carries the identifier of the action that caused them.
        permit: of the person, who must be the one in column ``sits``.
        changes: columns beside ``last_seq`` and ``updated_at``.
        expected: columns that must hold a value still, beside ``last_seq`` and ``status``.

    Returns:
        The rows as written; ``None`` where something no longer holds, or the action was written before.
    """
    now = timezone.now()
    last = table.last_seq + len(rows)
    changed = {**changes, "last_seq": last, "updated_at": now}
    held = {
        **expected,
        "id": table.pk,
        "last_seq": table.last_seq,
        "status": LIVE,
        sits: permit.user_id,
    }
    logged = [Logged(seq, kind, data, now) for seq, (kind, data) in enumerate(rows, table.last_seq + 1)]
    condition, asked = permit.holds(connection)
    update = _update(type(table), tuple(changed), tuple(held), condition)
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(update, [*_values(type(table), changed), *_values(type(table), held), *asked])
            if cursor.rowcount != 1:
                return None
            cursor.execute(*_insert(events, table, logged, action_id))
    except IntegrityError:
        return None
    for name, value in changed.items():
        setattr(table, name, value)
    return logged


@lru_cache(maxsize=64)
def _update(table: type[TableRow], changed: tuple[str, ...], held: tuple[str, ...], condition: str) -> str:
    columns = ", ".join(f"{name} = %s" for name in changed)
    holds = " AND ".join(f"{name} = %s" for name in held)
    return f"UPDATE {table._meta.db_table} SET {columns} WHERE {holds} AND {condition}"  # noqa: S608  # names of columns


def _values(table: type[TableRow], named: Mapping[str, Any]) -> list[Any]:
    return [_prepared(table, name, value) for name, value in named.items()]


def _prepared(model: type[Any], name: str, value: Any) -> Any:
    return model._meta.get_field(name).get_db_prep_save(value, connection)


def _insert(
    events: type[LogRow], table: TableRow, logged: Sequence[Logged], action_id: uuid.UUID
) -> tuple[str, list[Any]]:
    owner = _prepared(events, f"{events.OF}_id", table.pk)
    values: list[Any] = []
    for row in logged:
        caused = action_id if row is logged[0] else None
        written = (row.seq, row.type, row.data, caused, row.created_at)
        values += [owner, *(_prepared(events, *pair) for pair in zip(_WRITTEN, written, strict=True))]
    return _insert_text(events, len(logged)), values


@lru_cache(maxsize=64)
def _insert_text(events: type[LogRow], count: int) -> str:
    row = f"({', '.join(['%s'] * (1 + len(_WRITTEN)))})"
    columns = ", ".join((f"{events.OF}_id", *_WRITTEN))
    return f"INSERT INTO {events._meta.db_table} ({columns}) VALUES {', '.join([row] * count)}"  # noqa: S608
