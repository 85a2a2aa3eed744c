"""Diplomacy, as the kernel knows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import QuerySet

from accounts.models import User
from negotiation.diplomacy.events import shown
from negotiation.diplomacy.models import BoardEvent, BoardGame, BoardRedaction, BoardSeat
from negotiation.diplomacy.selectors import archive_of
from negotiation.table import forgetting
from negotiation.table.kinds import Archived, Door, Kind
from negotiation.table.models import LIVE, Logged


class BoardKind(Kind[BoardGame]):
    """The seven-power board: several people, bots in the other seats.

    Words are their sender's: one person's go where they stand, the others' stay; all go when they were kept long enough.
    Promises stay without their words, as figures do.
    """

    name = "diplomacy"
    tables = BoardGame
    events = BoardEvent
    seed_line = 3
    alone = False
    redactions = BoardRedaction
    door = Door("Diplomacy", "board-games")
    words = {"said": ("text",)}
    readme = "diplomacy.json     your games of Diplomacy, as you could see them"

    def shown(self, row: Logged, role: str) -> Mapping[str, Any]:
        """As a power, or who may see all."""
        return shown(seq=row.seq, kind=row.type, data=row.data, role=role)

    def of(self, user: User) -> QuerySet[BoardGame]:
        """The games in which somebody has a seat."""
        return BoardGame.objects.filter(seats__user=user)

    def archive(self, user: User) -> Iterator[Archived]:
        """One file for all."""
        yield Archived("diplomacy.json", archive_of(user))

    def emptied(self, kind: str, data: dict[str, Any]) -> dict[str, Any]:
        """A message's words stand in its promises as well."""
        emptied = super().emptied(kind, data)
        if kind == "said":
            for part in ("promises", "spoken"):
                emptied[part] = [{**row, "words": ""} for row in data[part]]
        return emptied

    def own_words(self, user: User, *, live: bool = False) -> int:
        """What somebody wrote. Games that are on are left alone unless ``live``: people still answer what was said."""
        seats = BoardSeat.objects.filter(user=user)
        return sum(
            forgetting.overwrite(
                self, BoardEvent.objects.filter(game_id=seat.game_id, type="said", data__by=seat.power)
            )
            for seat in (seats if live else seats.exclude(game__status=LIVE))
        )

    def leave(self, user: User) -> None:
        """Somebody's own games go; at tables of several a bot takes the seat."""
        of_others = BoardSeat.objects.filter(user__isnull=False).exclude(user=user)
        self.of(user).exclude(seats__in=of_others).delete()
        self.own_words(user, live=True)
        BoardSeat.objects.filter(user=user).update(user=None, away=False, invite_hash="")


BOARD = BoardKind()
