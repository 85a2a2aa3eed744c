"""The deal for two, as the kernel knows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import QuerySet
from django.forms.models import model_to_dict

from accounts.models import User
from negotiation import sessions
from negotiation.ending import game_abandon
from negotiation.events import redact
from negotiation.models import Event, Game, Redaction
from negotiation.table.kinds import Archived, Kind
from negotiation.table.models import Logged

ARCHIVED = (
    "scenario", "persona", "seat", "difficulty", "horizon", "status", "turns", "assisted", "assisted_reason",
    "outcome_reason", "price", "efficiency", "total_reward",
)  # fmt: skip
"""What of a game's row is its player's to have; the seed, from which all hidden truth follows, is not."""


class DealKind(Kind[Game]):
    """Two sides, a price and perhaps terms, one persona or model across."""

    name = "deal"
    tables = Game
    events = Event
    seed_line = 0
    of_teams = True
    redactions = Redaction
    sessions = sessions.kept
    words = {
        "player_moved": ("text",),
        "opponent_moved": ("text",),
        "whispered": ("text", "author"),
        "watched": ("by", "maker"),
        "game_started": ("player_name",),
    }
    readme = (
        "games/             one file for each deal: the log as you may see it. While a deal is live that leaves out what\n"
        "                   the other side hides; afterwards the log is whole. Words that were deleted are empty."
    )

    def shown(self, row: Logged, role: str) -> Mapping[str, Any]:
        """By the one table of permissions (``negotiation.events``)."""
        return redact(seq=row.seq, kind=row.type, data=row.data, role=role)  # type: ignore[arg-type]

    def of(self, user: User) -> QuerySet[Game]:
        """The deals that somebody played."""
        return Game.objects.filter(player=user)

    def archive(self, user: User) -> Iterator[Archived]:
        """One file a deal."""
        for game in self.of(user).order_by("created_at").iterator():
            # The role decides what of a live game may be known; its seed never is.
            role = "player" if game.is_live else "coach"
            yield Archived(
                f"games/{game.created_at:%Y-%m-%d}-{game.pk}.json",
                {
                    **model_to_dict(game, fields=ARCHIVED),
                    "id": str(game.pk),
                    "ended": game.finished_at,
                    "started": game.created_at,
                    "log": [self.shown(row, role) for row in self.read(game.pk, 0)],
                },
                game,
            )

    def leave(self, user: User) -> None:
        """What is on is given up."""
        for game_id in list(self.of(user).filter(status=Game.Status.LIVE).values_list("pk", flat=True)):
            game_abandon(game_id=game_id)


DEALS = DealKind()
