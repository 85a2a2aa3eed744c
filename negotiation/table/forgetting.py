"""Taking the words out of logs: the one exception to their being append-only (ADR 0007), for every kind of game.

What goes: what people said, and names; each kind says which keys hold them. What stays: offers, figures, grades, the
outcome, and the row of the table, so that every figure stays as it was. Rows are overwritten where they stand, each such
table gets a redaction, and nothing else may write to a log.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.conf import settings
from django.db import connection, models, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import Team, User
from negotiation.table import kinds, log
from negotiation.table.kinds import Kind
from negotiation.table.models import LIVE, LogRow, RedactionReason
from negotiation.table.pings import announce_access
from negotiation.table.signals import words_gone

logger = structlog.get_logger(__name__)


class StillPlaying(ValueError):
    """A live game is replayed from its words, so they can't go before it has ended."""


@transaction.atomic
def redact(kind: Kind[Any], table_id: uuid.UUID, *, reason: str, by: User | None = None) -> bool:
    """Overwrite the words of one table that is over. False when that was done before, or it holds none.

    Raises:
        StillPlaying: at a live one, unless its player's account goes and nobody will play on.
    """
    table = log.locked(kind.tables, table_id)
    if table is None or kind.redactions is None:
        return False
    if table.is_live and reason != RedactionReason.ACCOUNT:
        raise StillPlaying(str(table_id))
    if hasattr(table, "redaction"):
        return False
    kind.before_redaction(table)
    rows = overwrite(kind, kind.events.of(table_id))
    redaction = kind.redactions(reason=reason, by=by, rows=rows)
    redaction.table = table
    redaction.save(force_insert=True)
    words_gone.send(kind, table=table, redaction=redaction)
    kind.forget_session(table_id)
    announce_access(table_id)
    return True


def overwrite(kind: Kind[Any], rows: Iterable[LogRow]) -> int:
    """Empty the words of rows where they stand; how many that changed."""
    _zero_freed_pages()
    changed = 0
    for row in rows:
        emptied = kind.emptied(row.type, row.data)
        if emptied != row.data:
            # The model refuses this on purpose; a plain query set is the door that only this function uses.
            models.QuerySet(kind.events).filter(pk=row.pk).update(data=emptied)
            changed += 1
    return changed


def _zero_freed_pages() -> None:
    """SQLite leaves what it overwrites in free pages unless it is told to write zeros there."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA secure_delete = ON")


def with_words(kind: Kind[Any], person: User) -> QuerySet[Any]:
    """The tables of a person that are over and still hold words, where those are the person's to take out whole."""
    if kind.redactions is None or not kind.alone:
        return kind.tables.objects.none()
    return kind.of(person).filter(redaction=None).exclude(status=LIVE)


def tables_with_words(person: User) -> int:
    """How many tables ``transcripts_delete`` would change."""
    return sum(with_words(kind, person).count() for kind in kinds.every())


def transcripts_delete(*, player: User) -> int:
    """At the player's wish: the words of every table of theirs that is over. Figures stay. How many tables."""
    done = _redact_all(player, reason=RedactionReason.REQUEST, by=player)
    for kind in kinds.every():
        kind.own_words(player)
    logger.info("transcripts_deleted", player=player.pk, tables=done)
    return done


def person_leaves(person: User) -> None:
    """The account goes: every kind ends what is on, words go, and what was the person's alone goes with them."""
    for kind in kinds.every():
        kind.leave(person)
    for kind in kinds.every():
        if kind.redactions is not None and kind.alone:
            for table_id in list(kind.of(person).filter(redaction=None).values_list("pk", flat=True)):
                redact(kind, table_id, reason=RedactionReason.ACCOUNT)


def _redact_all(person: User, *, reason: str, by: User | None) -> int:
    """Each in a transaction of its own; how many were changed now."""
    return sum(
        redact(kind, table_id, reason=reason, by=by)
        for kind in kinds.every()
        for table_id in list(with_words(kind, person).values_list("pk", flat=True))
    )


def house_days() -> int:
    """Days that words are kept where a team has not said otherwise."""
    return int(settings.RETENTION_DAYS)


def purge(now: datetime | None = None) -> int:
    """Take out every word kept long enough, of every kind of game; how many tables were changed."""
    now = now or timezone.now()
    return sum(
        redact(kind, table_id, reason=RedactionReason.RETENTION)
        for kind in kinds.every()
        if kind.redactions is not None
        for table_id in list(_kept_long_enough(kind, now).values_list("pk", flat=True))
    )


def _kept_long_enough(kind: Kind[Any], now: datetime) -> QuerySet[Any]:
    """Tables over for longer than their team, or the house, keeps words."""
    as_house = Q(finished_at__lt=now - timedelta(days=house_days()))
    past = as_house
    if kind.of_teams:
        past = as_house & (Q(team=None) | Q(team__retention_days=None))
        kept = Team.objects.exclude(retention_days=None).values_list("pk", "retention_days")
        for team_id, days in kept:
            past |= Q(team_id=team_id, finished_at__lt=now - timedelta(days=days or 0))
    tables: QuerySet[Any] = kind.tables.objects.all()
    return tables.filter(past, redaction=None).exclude(status=LIVE)
