"""Taking the words out of a finished game: the one exception to the log being append-only (ADR 0007).

What goes: what both sides said, coaches' notes and their authors, the player's name, what the player noted on the
deal beside another, and the words of comments and verdicts. What stays: offers, cards, beliefs, grades, the outcome,
and the row of the game, so that every figure stays as it was. The rows are overwritten where they stand, each such
game gets a ``Redaction``, and nothing else may write to the log.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping

import structlog
from django.db import connection, models, transaction
from django.db.models import Q

from accounts.models import User
from coaching.cases.models import CaseNote
from coaching.live import services as live
from coaching.room.models import CheckResult, Redaction
from negotiation.coalitions.models import CoalitionDeal, CoalitionEvent
from negotiation.coalitions.selectors import debrief_of
from negotiation.diplomacy.services import words_forget as board_words_forget
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

COALITION_WORDS: dict[str, tuple[str, ...]] = {"acted": ("text",), "started": ("player_name",)}
"""The same for deals for three."""


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
    rows = _overwrite(Event, Event.objects.filter(game=game), WORDS)
    CaseNote.objects.filter(Q(game=game) | Q(other=game)).delete()
    live.words_forget(game=game)
    Redaction.objects.create(game=game, reason=reason, by=by, rows=rows)
    forget(game.pk)
    announce_access(game.pk)
    return True


@transaction.atomic
def coalition_redact(*, deal_id: uuid.UUID, reason: str, by: User | None = None) -> bool:
    """The same for a deal for three. Its debrief is a replay, in which words count, so it is kept as it was."""
    deal = CoalitionDeal.objects.select_for_update().get(pk=deal_id)
    if deal.is_live and reason != Redaction.Reason.ACCOUNT:
        raise StillPlaying(str(deal_id))
    if Redaction.objects.filter(coalition=deal).exists():
        return False
    if not deal.is_live:
        deal.kept_debrief = debrief_of(deal)
        deal.save(update_fields=["kept_debrief"])
    rows = _overwrite(CoalitionEvent, CoalitionEvent.objects.filter(deal=deal), COALITION_WORDS)
    Redaction.objects.create(coalition=deal, reason=reason, by=by, rows=rows)
    return True


def _overwrite(
    model: type[models.Model], events: Iterable[Event | CoalitionEvent], words: Mapping[str, tuple[str, ...]]
) -> int:
    """Empty the keys in ``words`` where they stand; how many rows that changed."""
    _zero_freed_pages()
    changed = 0
    for event in events:
        keys = words.get(event.type, ())
        emptied = {key: "" if key in keys else value for key, value in event.data.items()}
        if emptied != event.data:
            # The model refuses this on purpose; a plain query set is the door that only this function uses.
            models.QuerySet(model).filter(pk=event.pk).update(data=emptied)
            changed += 1
    return changed


def _zero_freed_pages() -> None:
    """SQLite leaves what it overwrites in free pages unless it is told to write zeros there."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA secure_delete = ON")


def games_redact(games: Iterable[uuid.UUID], *, reason: str, by: User | None = None) -> int:
    """Redact many games, each in a transaction of its own; how many were changed now."""
    return sum(game_redact(game_id=game_id, reason=reason, by=by) for game_id in games)


def coalitions_redact(deals: Iterable[uuid.UUID], *, reason: str, by: User | None = None) -> int:
    """Redact many deals for three, each in a transaction of its own; how many were changed now."""
    return sum(coalition_redact(deal_id=deal_id, reason=reason, by=by) for deal_id in deals)


def with_words(player: User) -> models.QuerySet[Game]:
    """The games of a person that are over and still hold words."""
    return Game.objects.filter(player=player, redaction=None).exclude(status=Game.Status.LIVE)


def coalitions_with_words(player: User) -> models.QuerySet[CoalitionDeal]:
    """The deals for three of a person that are over and still hold words."""
    return CoalitionDeal.objects.filter(player=player, redaction=None).exclude(
        status=CoalitionDeal.Status.LIVE
    )


def transcripts_delete(*, player: User) -> int:
    """At the player's wish: the words of every deal of theirs that is over. Aggregates stay."""
    reason = Redaction.Reason.REQUEST
    done = games_redact(list(with_words(player).values_list("pk", flat=True)), reason=reason, by=player)
    for_three = list(coalitions_with_words(player).values_list("pk", flat=True))
    done += coalitions_redact(for_three, reason=reason, by=player)
    board_words_forget(user=player)
    log.info("transcripts_deleted", player=player.pk, deals=done)
    return done


def notes_forget(*, author: User) -> None:
    """Ticks, comments and verdicts of a person who leaves stay with the deals that they are about, without a name."""
    CheckResult.objects.filter(by=author).update(by=None)
    live.author_forget(author=author)
