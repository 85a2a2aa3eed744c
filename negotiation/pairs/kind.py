"""The deal between two people, as the kernel knows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import QuerySet
from django.forms.models import model_to_dict

from accounts.models import User
from negotiation.pairs import ending, sessions
from negotiation.pairs.events import redact
from negotiation.pairs.models import PairDeal, PairEvent, PairRedaction
from negotiation.pairs.record import SEATS
from negotiation.pairs.selectors import OVER, cards_shown, deals_of, deals_played_by, seat_of, team_sides
from negotiation.table import forgetting
from negotiation.table.kinds import Archived, Kind, Part
from negotiation.table.models import LIVE, Logged

ARCHIVED = ("scenario", "horizon", "opens", "status", "turn", "moves", "outcome_reason", "ended_by", "price")
"""What of a deal's row either may have; the seed, from which both sides' truth follows, is not."""


class PairKind(Kind[PairDeal]):
    """A table for two people.

    Words are their speaker's: one person's go where they stand, the other's stay; all go when they were kept long
    enough. What was heard in words stays, as figures do.
    """

    name = "pair"
    tables = PairDeal
    events = PairEvent
    seed_line = 4
    alone = False
    of_teams = True
    redactions = PairRedaction
    sessions = sessions.kept
    choice = "pairs/_card.html"
    words = {"moved": ("text",), "seated": ("name",)}

    def shown(self, row: Logged, role: str) -> Mapping[str, Any]:
        """As a seat, or as who looks on from one side of the table."""
        return redact(seq=row.seq, kind=row.type, data=row.data, role=role)

    def of(self, user: User) -> QuerySet[PairDeal]:
        """The deals at which somebody sits or sat."""
        return deals_played_by(user)

    def archive(self, user: User) -> Iterator[Archived]:
        """One file a deal: one's own side of it, and the other's where both have laid their cards open."""
        for deal in self.of(user).order_by("created_at").iterator():
            seat = seat_of(deal, user) or "seller"
            yield Archived(
                f"games/{deal.created_at:%Y-%m-%d}-between-two-{deal.pk}.json",
                {
                    **model_to_dict(deal, fields=ARCHIVED),
                    "id": str(deal.pk),
                    "seat": seat,
                    "started": deal.created_at,
                    "ended": deal.finished_at,
                    "log": [self.shown(row, seat) for row in self.read(deal.pk, 0)],
                    "open_cards": cards_shown(deal)[1],
                },
                deal,
            )

    def leave(self, user: User) -> None:
        """What is on ends, as left; one's words and name go at once."""
        ending.person_leaves(user)
        self.own_words(user)

    def own_words(self, user: User) -> int:
        """What somebody said, and their name. Deals that are on are left alone: the other still answers them."""
        rows = 0
        for seat in SEATS:
            over = PairDeal.objects.filter(**{seat: user}).exclude(status=LIVE)
            for deal_id in over.values_list("pk", flat=True):
                own = PairEvent.objects.filter(deal_id=deal_id, type__in=("moved", "seated"), data__seat=seat)
                rows += forgetting.overwrite(self, own)
        return rows

    def lobby(self, user: User) -> Part | None:
        """Live ones and those that wait, then those that are over; for who leads a team the sides played for it."""
        status = PairDeal.Status
        found = {
            "live": deals_of(user, status.WAITING, status.LIVE),
            "past": deals_of(user, *OVER),
            "team": team_sides(user),
        }
        return Part("pairs/_lobby.html", found) if any(found.values()) else None


PAIRS = PairKind()
