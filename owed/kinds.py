"""Which kinds of work there are. Each registers itself as its app starts, so that one sweep looks after all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Generic, TypeVar

from django.db.models.expressions import Combinable

from owed.models import OwedRow
from owed.queues import AWAITED

Row = TypeVar("Row", bound=OwedRow)


@dataclass(frozen=True)
class Work(Generic[Row]):
    """One kind of work.

    Whoever writes ``run`` may count on being the only worker at the row as long as it reports progress within
    ``silent``. The time limit of tasks (``CELERY_TASK_TIME_LIMIT``) is no longer than the usual ``silent``, so that a
    worker that reports nothing has been killed by the time that its work is given to another.
    """

    name: str
    model: type[Row]
    run: Callable[[Row], dict[str, Any]]
    """Does it, and returns the columns to be written with the end."""
    silent: timedelta = timedelta(minutes=2)
    """A worker that was not heard of for so long is lost."""
    most: int | None = 5
    """So many workers may be lost over it; then it has failed. ``None`` for any number."""
    ended: Callable[[Row], None] | None = None
    """What follows from however it ended, in the transaction that writes the end."""
    also: Callable[[], object] | None = None
    """Asks, with every sweep, for what nobody has asked for."""
    tell: Callable[[str], object] | None = None
    """Puts the message with the row's key into a queue; without it the usual task does."""
    queue: str = AWAITED
    """Where its messages go (``owed.queues``), unless ``tell`` decides: as a rule a page asks, and waits."""
    owner: Combinable | None = None
    """Whose a row is, as a number: where many wait, who had the least lately goes first (``services.fairest``)."""
    one_at_a_time: bool = False
    """Whether the table lets one row run only: the next is handed out when no other one runs."""


_works: dict[str, Work[Any]] = {}


def register(work: Work[Row]) -> Work[Row]:
    """Make a kind of work known, or replace it."""
    _works[work.name] = work
    return work


def every() -> list[Work[Any]]:
    """All kinds of work of this house."""
    return list(_works.values())


def named(name: str) -> Work[Any]:
    """The kind of this name."""
    return _works[name]


def of(model: type[OwedRow]) -> Work[Any]:
    """The kind whose rows these are."""
    return next(work for work in _works.values() if work.model is model)
