"""A deal for three, its log, and who may watch it. As at the table for two, the log is the state."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from negotiation.coalitions.events import EVENT_TYPES
from negotiation.table.models import (
    LinkRow,
    LinkViewRow,
    LogRow,
    RedactionRow,
    TableRow,
    link_constraints,
    log_constraints,
)


class CoalitionDeal(TableRow):
    """One deal for three. ``opponents`` maps each other seat to its persona; ``seed`` never leaves the server.

    ``moves`` counts the player's turns, ``last_seq`` the events; both change under the row's lock only.
    ``kept_debrief`` is the debrief as it was when the words were taken out of the log (ADR 0007), from when on the
    log can't be replayed. ``assisted``: somebody saw the truth while it was on.
    """

    class Status(models.TextChoices):
        """Live until it ends at the table."""

        LIVE = "live", "Live"
        FINISHED = "finished", "Finished"

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="coalition_deals"
    )
    team = models.ForeignKey(
        "accounts.Team", on_delete=models.SET_NULL, null=True, blank=True, related_name="coalition_deals"
    )
    scenario = models.CharField(max_length=64)
    seat = models.CharField(
        max_length=8, choices=[("seller", "Seller"), ("buyer_a", "First buyer"), ("buyer_b", "Second buyer")]
    )
    opponents = models.JSONField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.LIVE)
    round = models.PositiveSmallIntegerField(default=1)
    moves = models.PositiveSmallIntegerField(default=0)
    formed = models.CharField(max_length=32, blank=True)
    payoff = models.FloatField(null=True, blank=True)
    shapley = models.FloatField(null=True, blank=True)
    kept_debrief = models.JSONField(null=True, blank=True)
    assisted = models.BooleanField(default=False)

    class Meta:
        indexes = [models.Index(fields=["player", "status", "-updated_at"], name="coalition_by_player")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(status__in=["live", "finished"]), name="coalition_status_known"
            ),
            models.CheckConstraint(
                condition=models.Q(status="finished", payoff__isnull=False, shapley__isnull=False)
                | ~models.Q(status="finished"),
                name="coalition_finished_has_outcome",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.scenario} as {self.seat} ({self.id})"


class CoalitionEvent(LogRow):
    """One row of a deal's log."""

    OF = "deal"

    deal = models.ForeignKey(CoalitionDeal, on_delete=models.PROTECT, related_name="events")
    type = models.CharField(max_length=16, choices=[(kind, kind) for kind in EVENT_TYPES])

    class Meta:
        ordering = ["deal_id", "seq"]
        constraints = log_constraints("coalition_event", "deal", EVENT_TYPES)

    def __str__(self) -> str:
        return f"{self.deal_id} #{self.seq} {self.type}"


class CoalitionLink(LinkRow):
    """A secret URL onto a deal for three."""

    OF = "deal"

    class Scope(models.TextChoices):
        """What its player sees; or every card, which marks a deal that is on."""

        WATCH = "watch", "As the player sees it"
        COACH = "coach", "With the hidden truth"

    deal = models.ForeignKey(CoalitionDeal, on_delete=models.CASCADE, related_name="links")
    scope = models.CharField(max_length=8, choices=Scope.choices)

    class Meta:
        constraints = link_constraints("coalition_link", ["watch", "coach"])

    def __str__(self) -> str:
        return f"{self.scope} link to {self.deal_id}"


class CoalitionLinkView(LinkViewRow):
    """Somebody saw the truth of a live deal through a link."""

    link = models.ForeignKey(CoalitionLink, on_delete=models.CASCADE, related_name="views")

    def __str__(self) -> str:
        return f"{self.link_id} at {self.at:%F %T}"


class CoalitionRedaction(RedactionRow):
    """The words of a deal for three are gone."""

    table = models.OneToOneField(CoalitionDeal, on_delete=models.CASCADE, related_name="redaction")
