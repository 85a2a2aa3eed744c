"""What the rows of all tables have in common: a table itself, its log, and what was taken out of it.

A kind of game has models of its own on these, so that its columns are typed, its constraints are the database's, and a
turn reads one row (ADR 0019). The log is the state: rows in a row, written once, each under the action that caused it.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection
from datetime import datetime
from typing import Any, ClassVar, NamedTuple, NoReturn, Self

from django.conf import settings
from django.db import models

LIVE = "live"
"""The status, in every kind of game, of a table at which moves can be made."""


class TableRow(models.Model):
    """One table, of any kind. What is here can be queried; how it went is in its log.

    ``seed`` and thus all hidden truth never leaves the server. ``last_seq`` says how far the log goes; it changes only
    under the row's lock, together with the events that it counts. A kind adds ``status``, one of whose values is ``LIVE``.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    seed = models.BigIntegerField()
    last_seq = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    status: Any
    objects: ClassVar[models.Manager[Self]]

    class Meta:
        abstract = True

    @property
    def is_live(self) -> bool:
        """True while moves can be made."""
        return bool(self.status == LIVE)


class Logged(NamedTuple):
    """One event as stored."""

    seq: int
    type: Any
    data: dict[str, Any]
    created_at: datetime


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
    A kind adds ``type``, the types it knows, ``log_constraints``, and the table, whose field ``OF`` names.
    """

    OF: ClassVar[str] = "game"

    id = models.BigAutoField(primary_key=True)
    seq = models.PositiveIntegerField()
    data = models.JSONField()
    action_id = models.UUIDField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    type: Any
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

    @classmethod
    def of(cls, table_id: uuid.UUID) -> models.QuerySet[Any]:
        """The log of one table."""
        return cls.objects.filter(**{f"{cls.OF}_id": table_id})


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


class RedactionReason(models.TextChoices):
    """Why the words of a log went."""

    RETENTION = "retention", "Kept as long as agreed"
    REQUEST = "request", "The player asked for it"
    ACCOUNT = "account", "The player's account was deleted"


class RedactionRow(models.Model):
    """The words of this table are gone: when, why, at whose wish, and how many rows it changed.

    The one exception to the log being append-only (ADR 0007), hence a record of its own that stays. A kind adds
    ``table``, a one-to-one field whose reverse is ``redaction``.
    """

    Reason = RedactionReason

    reason = models.CharField(max_length=12, choices=RedactionReason.choices)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    rows = models.PositiveIntegerField()
    at = models.DateTimeField(auto_now_add=True)

    table: Any
    table_id: Any
    objects: ClassVar[models.Manager[Self]]

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=models.Q(reason__in=["retention", "request", "account"]),
                name="%(class)s_reason_known",
            )
        ]

    def __str__(self) -> str:
        return f"{self.table_id}: {self.reason}, {self.rows} rows"


class LinkRow(models.Model):
    """A secret URL onto a table, stored as a hash: it can be used, not guessed and not read out of the database.

    A kind adds the table, whose field ``OF`` names, ``link_constraints`` and, where its links differ in what they show, a
    ``scope``.
    """

    OF: ClassVar[str] = "game"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    token_hash = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[models.Manager[Self]]

    class Meta:
        abstract = True


def link_constraints(name: str, scopes: Collection[str] = ()) -> list[models.BaseConstraint]:
    """What the database itself holds links to: a known scope, where they have one, and an end after their beginning.

    Args:
        name: what the constraints' names begin with.
    """
    known = models.CheckConstraint(condition=models.Q(scope__in=scopes), name=f"{name}_scope_known")
    ends = models.CheckConstraint(
        condition=models.Q(expires_at__gt=models.F("created_at")), name=f"{name}_expires_after_creation"
    )
    return [known, ends] if scopes else [ends]


class LinkViewRow(models.Model):
    """Somebody looked through a link; ``viewer`` is None for who was not signed in. A kind adds the ``link``."""

    viewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[models.Manager[Self]]

    class Meta:
        abstract = True


class SeedsDrawn(models.Model):
    """How many tables of a kind were dealt, where a deployment asks for tables that repeat (``PARLAY_FIRST_SEED``)."""

    kind = models.CharField(primary_key=True, max_length=20)
    count = models.PositiveBigIntegerField(default=0)

    class Meta:
        verbose_name_plural = "seeds drawn"

    def __str__(self) -> str:
        return f"{self.kind}: {self.count}"
