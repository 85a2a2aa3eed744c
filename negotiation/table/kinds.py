"""The kinds of game that this house has. Each app hands its own over as it starts; nobody else names them."""

from __future__ import annotations

import uuid
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar, Generic, Literal, NamedTuple, TypeVar

from django.db.models import QuerySet

from accounts.models import User
from negotiation.table import log
from negotiation.table.models import Logged, LogRow, RedactionRow, TableRow
from negotiation.table.sessions import Kept

T = TypeVar("T", bound=TableRow)


class Archived(NamedTuple):
    """A file of somebody's archive: where it lies, what is in it, and the table that it is about where that is one."""

    path: str
    content: Any
    table: TableRow | None = None


class Door(NamedTuple):
    """Where a kind of game is entered from the lobby: what stands on it, and the name of its page."""

    label: str
    page: str


class Part(NamedTuple):
    """A part of one of the house's pages: its template, and what that is given as ``part``."""

    template: str
    part: Mapping[str, Any]


class Practice(NamedTuple):
    """What trains a skill beside deals: its name, and its address."""

    title: str
    url: str


class Kind(ABC, Generic[T]):
    """A kind of game as the kernel sees it: its rows, who sits where, who may see what, what it keeps of a person.

    A game declares one, and its app registers it in ``ready``. Nothing outside that app names the game: what the house
    does with all tables (sockets, archive, retention, leaving) it does by asking each kind.
    """

    name: ClassVar[str]
    """Unique, and part of stored references: never changed."""
    tables: ClassVar[type[TableRow]]
    events: ClassVar[type[LogRow]]
    seed_line: ClassVar[int]
    """Unique: where tables are to repeat, each kind draws its seeds from a line of its own."""
    redactions: ClassVar[type[RedactionRow] | None] = None
    """Where it is noted that a table's words are gone; None for a kind whose log holds none."""
    words: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Which keys of which events hold words that somebody said, or a name: what forgetting empties."""
    alone: ClassVar[bool] = True
    """Whether one person sits at each table, whose words are theirs to take out whole."""
    of_teams: ClassVar[bool] = False
    """Whether a table has a ``team``, which says how long its words are kept."""
    sessions: ClassVar[Kept[Any, Any] | None] = None
    """Sessions kept at hand, for a kind that keeps any."""
    readme: ClassVar[str] = ""
    """What the archive's own README says of this kind's files: lines of ``path  what it is``."""

    door: ClassVar[Door | None] = None
    """In the lobby; None for a kind that is reached in another way."""
    choice: ClassVar[str] = ""
    """A template for the page on which a new deal is chosen, for a kind that is a deal as well."""

    def read(self, table_id: uuid.UUID, seq: int) -> Sequence[Logged]:
        """The rows of a table's log past ``seq``."""
        return log.after(self.events, table_id, seq)

    @abstractmethod
    def shown(self, row: Logged, role: str) -> Mapping[str, Any]:
        """A row of the log as a role may see it: by permission, a bare ``seq`` where it may see nothing."""

    @abstractmethod
    def of(self, user: User) -> QuerySet[T]:
        """Every table at which somebody sits or sat."""

    @abstractmethod
    def archive(self, user: User) -> Iterator[Archived]:
        """Somebody's tables to take along, as they may see them; of a live one nothing that another side hides."""

    def leave(self, user: User) -> None:
        """The account goes: what is still on ends or goes to a bot, and what is the person's alone goes too.

        Words of tables where one person sat go afterwards, by ``forgetting``.
        """

    def forget_session(self, table_id: uuid.UUID) -> None:
        """Drop what is kept at hand of a table."""
        if self.sessions is not None:
            self.sessions.forget(table_id)

    def before_redaction(self, table: T) -> None:
        """Last look at a table's words, under its lock: the place to keep what a replay would need them for."""

    def lobby(self, user: User) -> Part | None:
        """What of somebody's tables stands in the lobby."""
        return None

    def progress(self, user: User) -> Part | None:
        """What of somebody's tables stands on the page of their progress."""
        return None

    def practice_for(self, skill: str) -> list[Practice]:
        """What of this kind trains a skill of the coaching room."""
        return []

    def practised(self, user: User) -> Iterable[datetime]:
        """When somebody played one of these to its end as practice."""
        return ()

    def emptied(self, kind: str, data: dict[str, Any]) -> dict[str, Any]:
        """An event's data without its words."""
        keys = self.words.get(kind, ())
        return {key: "" if key in keys else value for key, value in data.items()}

    def own_words(self, user: User) -> int:
        """Empty what somebody said at tables of several that are over, where the others' words stay. How many rows."""
        return 0


_kinds: dict[str, Kind[Any]] = {}


def register(kind: Kind[Any]) -> None:
    """Called once by the game's app as it starts.

    Raises:
        ValueError: where two kinds have one name.
    """
    held = _kinds.setdefault(kind.name, kind)
    if type(held) is not type(kind):
        raise ValueError(f"two kinds of game are called {kind.name}")


def every() -> list[Kind[Any]]:
    """All kinds of game that this house has, in the order in which their apps are installed."""
    return list(_kinds.values())


def kind_of(table: TableRow) -> Kind[Any]:
    """What kind of game is played at a table."""
    return next(kind for kind in _kinds.values() if isinstance(table, kind.tables))


def parts(page: Literal["lobby", "progress"], user: User) -> list[Part]:
    """What all kinds have to show on a page of the house."""
    found = [getattr(kind, page)(user) for kind in _kinds.values()]
    return [part for part in found if part is not None]
