"""What was taken out of logs, and what was handed to the people they are about."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models

from negotiation.coalitions.models import CoalitionDeal
from negotiation.models import Game


class Redaction(models.Model):
    """The words of this game, or deal for three, are gone: when, why, at whose wish, and how many rows it changed.

    The one exception to the log being append-only (ADR 0007), hence a record of its own that stays.
    """

    class Reason(models.TextChoices):
        """Why the words went."""

        RETENTION = "retention", "Kept as long as agreed"
        REQUEST = "request", "The player asked for it"
        ACCOUNT = "account", "The player's account was deleted"

    game = models.OneToOneField(
        Game, on_delete=models.CASCADE, null=True, blank=True, related_name="redaction"
    )
    coalition = models.OneToOneField(
        CoalitionDeal, on_delete=models.CASCADE, null=True, blank=True, related_name="redaction"
    )
    reason = models.CharField(max_length=12, choices=Reason.choices)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    rows = models.PositiveIntegerField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(reason__in=["retention", "request", "account"]),
                name="redaction_reason_known",
            ),
            models.CheckConstraint(
                condition=models.Q(game__isnull=False, coalition__isnull=True)
                | models.Q(game__isnull=True, coalition__isnull=False),
                name="redaction_of_one_log",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id or self.coalition_id}: {self.reason}, {self.rows} rows"


class DataExport(models.Model):
    """A person's data as one archive. Kept in the database, which web and worker share, and for a week only."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="data_exports")
    archive = models.BinaryField(null=True, blank=True)
    asked_at = models.DateTimeField(auto_now_add=True)
    ready_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(archive__isnull=True, ready_at__isnull=True)
                | models.Q(archive__isnull=False, ready_at__isnull=False),
                name="export_ready_when_there",
            )
        ]

    def __str__(self) -> str:
        return f"{self.user_id}, asked {self.asked_at:%F %T}"
