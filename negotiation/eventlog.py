"""What the logs of all tables have in common: rows in a row, written once, each under the action that caused it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, ClassVar, NoReturn, Self

from django.db import models


class EventIsWritten(TypeError):
    """Someone tried to change or delete a row of a log."""


class EventQuerySet(models.QuerySet[Any]):
    """Reads and appends; a log knows no other operation."""

    def update(self, **kwargs: Any) -> NoReturn:
        """Refused."""
        raise EventIsWritten("events are append-only")

    def delete(self) -> NoReturn:
        """Refused."""
        raise EventIsWritten("events are append-only")

    def bulk_update(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refused."""
        raise EventIsWritten("events are append-only")


class LogRow(models.Model):
    """One row of a log: written once, never changed; it goes with its table only.

    ``seq`` counts from 1 in each table's log; ``action_id`` is the client's identifier of the action that caused it.
    A log adds the table, the types it knows, and ``log_constraints``.
    """

    id = models.BigAutoField(primary_key=True)
    seq = models.PositiveIntegerField()
    data = models.JSONField()
    action_id = models.UUIDField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[models.Manager[Self]] = EventQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Append; a row that exists is never written again."""
        if not self._state.adding:
            raise EventIsWritten("events are append-only")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refused."""
        raise EventIsWritten("events are append-only")


def log_constraints(name: str, table: str, types: Collection[str]) -> list[models.BaseConstraint]:
    """What the database itself holds a log to: one row for each number and for each action, of a known type.

    Args:
        name: what the constraints' names begin with.
        table: the field that names the table.
    """
    return [
        models.UniqueConstraint(fields=[table, "seq"], name=f"{name}_one_per_seq"),
        models.UniqueConstraint(
            fields=[table, "action_id"],
            name=f"{name}_one_per_action",
            condition=models.Q(action_id__isnull=False),
        ),
        models.CheckConstraint(condition=models.Q(seq__gte=1), name=f"{name}_seq_from_one"),
        models.CheckConstraint(condition=models.Q(type__in=types), name=f"{name}_type_known"),
    ]
