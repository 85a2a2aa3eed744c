"""The engine's side of tables, kept at hand between moves.

The log is the state, so nothing of an engine is stored: a session is a replay of the log, which takes milliseconds, and
some of them are kept. A kept session is used only for the very moment that it stands at, and ``take`` removes it, so that
a move that fails half-way leaves nothing behind. Callers hold the lock of the table's row.
"""

from __future__ import annotations

import threading
import uuid
from collections import OrderedDict
from collections.abc import Callable
from copy import copy
from typing import Any, Generic, TypeVar

from negotiation.table.models import TableRow

T = TypeVar("T", bound=TableRow)
S = TypeVar("S")

_all: list[Kept[Any, Any]] = []


class Kept(Generic[T, S]):
    """The sessions of one kind of game.

    Args:
        most: how many are kept; the one used longest ago goes.
        at: the moment at which a table stands, such as the number of its turns.
        rebuild: a session from the log.
    """

    def __init__(self, most: int, *, at: Callable[[T], int], rebuild: Callable[[T], S]) -> None:
        self._most, self._at, self._rebuild = most, at, rebuild
        self._held: OrderedDict[uuid.UUID, tuple[int, T, S]] = OrderedDict()
        self._lock = threading.Lock()
        _all.append(self)

    def take(self, table: T) -> S:
        """The session at the table's present moment, which the caller may now play on. ``keep`` gives it back."""
        with self._lock:
            held = self._held.pop(table.pk, None)
        return held[2] if held is not None and held[0] == self._at(table) else self._rebuild(table)

    def keep(self, table: T, session: S) -> None:
        """Have the session at hand for the next move, once what it did is in the log."""
        row = copy(table)  # the caller's own may be changed without being saved
        with self._lock:
            self._held[table.pk] = (self._at(row), row, session)
            self._held.move_to_end(table.pk)
            while len(self._held) > self._most:
                self._held.popitem(last=False)

    def ready(self, table: T) -> None:
        """Have the session at hand before a move needs it. No lock of the row is held: what turns out to be of an earlier
        moment is not used."""
        with self._lock:
            held = table.pk in self._held
        if held:
            return
        session = self._rebuild(table)
        with self._lock:
            if table.pk in self._held:
                return
        self.keep(table, session)

    def pop(self, table_id: uuid.UUID) -> tuple[T, S] | None:
        """The session with the table's row as they were kept, where they stand at one moment.

        Who holds them has the table alone in this process; whether the database moved on since, a write has to ask.
        """
        with self._lock:
            held = self._held.pop(table_id, None)
        return (held[1], held[2]) if held is not None and held[0] == self._at(held[1]) else None

    def peek(self, table: T) -> S:
        """The session to be looked at, not to be touched; it stays at hand."""
        session = self.take(table)
        self.keep(table, session)
        return session

    def forget(self, table_id: uuid.UUID) -> None:
        """Drop a session: the game is over, or its move could not be written."""
        with self._lock:
            self._held.pop(table_id, None)

    def forget_all(self) -> None:
        """Drop every session of this kind."""
        with self._lock:
            self._held.clear()


def forget_all() -> None:
    """Drop every session of every kind: between tests, where rows of the same id may come again."""
    for kept in _all:
        kept.forget_all()
