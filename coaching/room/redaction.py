"""Taking the words out of a finished game: the one exception to the log being append-only (ADR 0007).

What goes: what both sides said, coaches' notes and their authors, the player's name. What stays: offers, cards,
beliefs, grades, the outcome, and the row of the game, so that every figure stays as it was. The rows are
overwritten where they stand, each such game gets a ``Redaction``, and nothing else may write to the log.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any

import structlog
from django.db import connection, models, transaction

from accounts.models import User
from coaching.room.models import CheckResult, Redaction
from negotiation.models import Event, Game
from negotiation.pings import announce_access
from negotiation.sessions import forget

log = structlog.get_logger(__name__)

WORDS: dict[str, tuple[str, ...]] = {
    "player_moved": ("text",),
    "opponent_moved": ("text",),
    "whispered": ("text", "author"),
    "game_started": ("player_name",),
}
"""Which keys of which events hold words that somebody said, or a name."""


class StillPlaying(ValueError):
    """A live game is replayed from its words, so they can't go before it has ended."""


@transaction.atomic
def game_redact(*, game_id: uuid.UUID, reason: str, by: User | None = None) -> bool:
    """Overwrite the words of one game that is over. False when that was done before."""
    game = Game.objects.select_for_update().get(pk=game_id)
    if game.is_live:
        raise StillPlaying(str(game_id))
    if Redaction.objects.filter(game=game).exists():
        return False
    _zero_freed_pages()
    changed = 0
    for event in Event.objects.filter(game=game, type__in=WORDS):
        emptied = _emptied(event.type, event.data)
        if emptied != event.data:
            # The model refuses this on purpose; a plain query set is the door that only this function uses.
            models.QuerySet(Event).filter(pk=event.pk).update(data=emptied)
            changed += 1
    Redaction.objects.create(game=game, reason=reason, by=by, rows=changed)
    forget(game.pk)
    announce_access(game.pk)
    return True


def _emptied(kind: str, data: dict[str, Any]) -> dict[str, Any]:
    return {key: "" if key in WORDS[kind] else value for key, value in data.items()}


def _zero_freed_pages() -> None:
    """SQLite leaves what it overwrites in free pages unless it is told to write zeros there."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA secure_delete = ON")


def games_redact(games: Iterable[uuid.UUID], *, reason: str, by: User | None = None) -> int:
    """Redact many games, each in a transaction of its own; how many were changed now."""
    return sum(game_redact(game_id=game_id, reason=reason, by=by) for game_id in games)


def with_words(player: User) -> models.QuerySet[Game]:
    """The games of a person that are over and still hold words."""
    return Game.objects.filter(player=player, redaction=None).exclude(status=Game.Status.LIVE)


def transcripts_delete(*, player: User) -> int:
    """At the player's wish: the words of every game of theirs that is over. Aggregates stay."""
    games = list(with_words(player).values_list("pk", flat=True))
    done = games_redact(games, reason=Redaction.Reason.REQUEST, by=player)
    log.info("transcripts_deleted", player=player.pk, games=done)
    return done


def notes_forget(*, author: User) -> None:
    """Ticks of a person who leaves stay as answers, without a name."""
    CheckResult.objects.filter(by=author).update(by=None)
