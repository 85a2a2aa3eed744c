"""A deal between two people, its log, and its links. As at every table, the log is the state."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from negotiation.pairs.events import EVENT_TYPES
from negotiation.scenario_models import KeptText, ScenarioVersion
from negotiation.table.models import (
    LinkRow,
    LinkViewRow,
    LogRow,
    RedactionRow,
    TableRow,
    link_constraints,
    log_constraints,
)

SEATS = [("seller", "Seller"), ("buyer", "Buyer")]


class PairDeal(TableRow):
    """One deal between two people. ``seed`` never leaves the server.

    While it waits one seat is empty and the log as well. ``opens`` is who moves first, ``moves`` counts the moves of
    both and ``turn`` the turn that is on; ``on_turn`` and ``move_by`` say who is to move and until when, after
    ``move_within`` minutes each. ``seller_team`` and ``buyer_team`` are the teams that the two played for; ``team`` is
    the one of them that keeps words for the shorter time. ``ended_by`` is the seat that accepted, walked or left.
    """

    class Status(models.TextChoices):
        """Waiting for the other person; live; over at the table; left by one of them; never begun."""

        WAITING = "waiting", "Waiting for the other side"
        LIVE = "live", "Live"
        FINISHED = "finished", "Finished"
        ABANDONED = "abandoned", "Abandoned"
        WITHDRAWN = "withdrawn", "Withdrawn"

    opener = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    seller = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="pairs_sold"
    )
    buyer = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="pairs_bought"
    )
    seller_team = models.ForeignKey(
        "accounts.Team", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    buyer_team = models.ForeignKey(
        "accounts.Team", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    team = models.ForeignKey(
        "accounts.Team", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    scenario = models.CharField(max_length=64)
    scenario_version = models.ForeignKey(
        ScenarioVersion, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    scenario_text = models.ForeignKey(
        KeptText, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    case_text = models.ForeignKey(KeptText, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    horizon = models.PositiveSmallIntegerField()
    opens = models.CharField(max_length=8, choices=SEATS)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.WAITING)
    moves = models.PositiveSmallIntegerField(default=0)
    turn = models.PositiveSmallIntegerField(default=1)
    on_turn = models.CharField(max_length=8, choices=SEATS, blank=True)
    move_within = models.PositiveIntegerField()
    move_by = models.DateTimeField(null=True, blank=True)
    outcome_reason = models.CharField(max_length=20, blank=True)
    ended_by = models.CharField(max_length=8, choices=SEATS, blank=True)
    price = models.FloatField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["seller", "-updated_at"], name="pair_by_seller"),
            models.Index(fields=["buyer", "-updated_at"], name="pair_by_buyer"),
            models.Index(fields=["move_by"], name="pair_due", condition=models.Q(status="live")),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(status__in=["waiting", "live", "finished", "abandoned", "withdrawn"]),
                name="pair_status_known",
            ),
            models.CheckConstraint(
                condition=models.Q(status__in=["waiting", "withdrawn"])
                | models.Q(seller__isnull=False, buyer__isnull=False),
                name="pair_played_by_two",
            ),
            models.CheckConstraint(
                condition=models.Q(seller=None) | models.Q(buyer=None) | ~models.Q(seller=models.F("buyer")),
                name="pair_of_two_people",
            ),
            models.CheckConstraint(
                condition=models.Q(status="live", on_turn__gt="", move_by__isnull=False)
                | (~models.Q(status="live") & models.Q(on_turn="", move_by=None)),
                name="pair_live_has_turn",
            ),
            models.CheckConstraint(
                condition=models.Q(status__in=["waiting", "live", "withdrawn"], outcome_reason="")
                | models.Q(status__in=["finished", "abandoned"], outcome_reason__gt=""),
                name="pair_over_has_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.scenario} between two people ({self.id})"


class PairEvent(LogRow):
    """One row of a deal's log."""

    OF = "deal"

    deal = models.ForeignKey(PairDeal, on_delete=models.PROTECT, related_name="events")
    type = models.CharField(max_length=16, choices=[(kind, kind) for kind in EVENT_TYPES])

    class Meta:
        ordering = ["deal_id", "seq"]
        constraints = log_constraints("pair_event", "deal", EVENT_TYPES)

    def __str__(self) -> str:
        return f"{self.deal_id} #{self.seq} {self.type}"


class PairLink(LinkRow):
    """A secret URL onto a deal between two people. ``seat`` is the seat to take, or the one whose side is seen."""

    OF = "deal"

    class Scope(models.TextChoices):
        """Sit down, once; or look on, as somebody at one side of the table."""

        SIT = "sit", "Take the seat"
        WATCH = "watch", "What is said and offered"
        COACH = "coach", "With that side's own sheet"

    deal = models.ForeignKey(PairDeal, on_delete=models.CASCADE, related_name="links")
    scope = models.CharField(max_length=8, choices=Scope.choices)
    seat = models.CharField(max_length=8, choices=SEATS)
    taken_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        constraints = link_constraints("pair_link", ["sit", "watch", "coach"])

    def __str__(self) -> str:
        return f"{self.scope} link to {self.deal_id}"


class PairLinkView(LinkViewRow):
    """Somebody saw one side's own sheet of a live deal through a link."""

    link = models.ForeignKey(PairLink, on_delete=models.CASCADE, related_name="views")

    def __str__(self) -> str:
        return f"{self.link_id} at {self.at:%F %T}"


class PairRedaction(RedactionRow):
    """The words of a deal between two people are gone."""

    table = models.OneToOneField(PairDeal, on_delete=models.CASCADE, related_name="redaction")
