"""A game's review, and what its player has looked into."""

from __future__ import annotations

from django.db import models

from negotiation.models import Game
from owed.models import OwedRow, heartbeat_field, state_field, state_known


class MoveReview(OwedRow):
    """One version of a game's review."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="reviews")
    version = models.PositiveSmallIntegerField()
    state = state_field("status")
    heartbeat_at = heartbeat_field("updated_at")
    data = models.JSONField(null=True, blank=True)
    seconds = models.FloatField(null=True, blank=True)
    requested_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "version"], name="review_one_per_version"),
            state_known("review_status_known"),
            models.CheckConstraint(
                condition=models.Q(state="done", data__isnull=False) | ~models.Q(state="done"),
                name="review_done_has_data",
            ),
        ]
        indexes = [models.Index(fields=["state", "heartbeat_at"], name="review_by_status")]

    def __str__(self) -> str:
        return f"review {self.version} of {self.game_id}"


class TriedMove(models.Model):
    """The player's answer to "what would have been better here?": from then on the better move is shown."""

    review = models.ForeignKey(MoveReview, on_delete=models.CASCADE, related_name="tried")
    turn = models.PositiveSmallIntegerField()
    choice = models.PositiveSmallIntegerField(null=True, blank=True)
    """Index of the choice in the review's list; empty when the answer was shown without a guess."""
    right = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["review", "turn"], name="tried_once_per_turn"),
        ]

    def __str__(self) -> str:
        return f"turn {self.turn} of {self.review_id}"
