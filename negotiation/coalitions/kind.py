"""The deal for three, as the kernel knows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import QuerySet
from django.forms.models import model_to_dict

from accounts.models import User
from negotiation.coalitions import sessions
from negotiation.coalitions.events import redact
from negotiation.coalitions.models import CoalitionDeal, CoalitionEvent, CoalitionRedaction
from negotiation.coalitions.selectors import deals_of, debrief_of, team_deals
from negotiation.table.kinds import Archived, Kind, Part
from negotiation.table.models import Logged

ARCHIVED = (
    "scenario",
    "seat",
    "opponents",
    "status",
    "round",
    "moves",
    "formed",
    "payoff",
    "shapley",
    "assisted",
)
"""What of a deal's row is its player's to have; the seed, from which all hidden truth follows, is not."""


class CoalitionKind(Kind[CoalitionDeal]):
    """A table for three: one person, two personas, agreements of two or of all."""

    name = "coalition"
    tables = CoalitionDeal
    events = CoalitionEvent
    seed_line = 1
    of_teams = True
    redactions = CoalitionRedaction
    sessions = sessions.kept
    choice = "coalition/_card.html"
    words = {"acted": ("text",), "started": ("player_name",)}

    def shown(self, row: Logged, role: str) -> Mapping[str, Any]:
        """As a seat, or who watches with all cards open."""
        return redact(seq=row.seq, kind=row.type, data=row.data, role=role)

    def of(self, user: User) -> QuerySet[CoalitionDeal]:
        """The deals for three that somebody played."""
        return CoalitionDeal.objects.filter(player=user)

    def archive(self, user: User) -> Iterator[Archived]:
        """One file a deal."""
        for deal in self.of(user).order_by("created_at").iterator():
            yield Archived(
                f"games/{deal.created_at:%Y-%m-%d}-for-three-{deal.pk}.json",
                {
                    **model_to_dict(deal, fields=ARCHIVED),
                    "id": str(deal.pk),
                    "started": deal.created_at,
                    "ended": deal.finished_at,
                    "log": [self.shown(row, deal.seat) for row in self.read(deal.pk, 0)],
                },
                deal,
            )

    def lobby(self, user: User) -> Part | None:
        """Live ones, then those that are over; for who leads a team its live ones, to be watched."""
        live = deals_of(user, status=CoalitionDeal.Status.LIVE)
        past = deals_of(user, status=CoalitionDeal.Status.FINISHED)
        found = {"live": live, "past": past, "team": team_deals(user)}
        return Part("coalition/_lobby.html", found) if any(found.values()) else None

    def before_redaction(self, table: CoalitionDeal) -> None:
        """The debrief is a replay, in which words count, so it is kept as it was."""
        if not table.is_live:
            table.kept_debrief = debrief_of(table)
            table.save(update_fields=["kept_debrief"])


COALITIONS = CoalitionKind()
