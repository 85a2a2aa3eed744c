"""The small games, as the kernel knows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse

from accounts.models import User
from negotiation.smallgames.catalogue import GUESSING, games_for
from negotiation.smallgames.models import SmallMatch, SmallMove
from negotiation.smallgames.selectors import archive_of, standings_of
from negotiation.table.kinds import Archived, Door, Kind, Part, Practice
from negotiation.table.models import Logged


class SmallKind(Kind[SmallMatch]):
    """A match of one person against one strategy. Practice is its owner's alone, and nothing is said in it."""

    name = "small"
    tables = SmallMatch
    events = SmallMove
    seed_line = 2
    door = Door("Small games", "small-games")
    readme = "small-games.json   your matches in the small games, move by move"

    def shown(self, row: Logged, role: str) -> Mapping[str, Any]:
        """Everything: what is hidden of a match (cards, who it is) is not in its log."""
        return {"seq": row.seq, "type": row.type, "data": row.data}

    def of(self, user: User) -> QuerySet[SmallMatch]:
        """The matches of somebody."""
        return SmallMatch.objects.filter(player=user)

    def archive(self, user: User) -> Iterator[Archived]:
        """One file for all."""
        yield Archived("small-games.json", archive_of(user))

    def progress(self, user: User) -> Part | None:
        """How somebody stands in each of the five."""
        return Part("smallgames/_progress.html", {"games": standings_of(user)})

    def practice_for(self, skill: str) -> list[Practice]:
        """The games that train it; finding out who sits across trains probing in all of them, and none is named."""
        if skill == GUESSING:
            return [Practice("guess who sits across", reverse("small-games"))]
        return [Practice(game.title, reverse("small-game", args=[game.slug])) for game in games_for(skill)]

    def practised(self, user: User) -> Iterable[datetime]:
        """Matches played to their end."""
        ended = self.of(user).filter(finished_at__isnull=False).values_list("finished_at", flat=True)
        return [at for at in ended if at is not None]

    def leave(self, user: User) -> None:
        """All of it goes."""
        self.of(user).delete()


SMALL = SmallKind()
