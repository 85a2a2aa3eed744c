"""A lesson as it was worked out."""

from __future__ import annotations

from django.db import models

from negotiation.diplomacy.models import BoardSeat


class AllianceLesson(models.Model):
    """What a player's words were worth; ``chapters`` is empty of content until the worker has been."""

    seat = models.OneToOneField(BoardSeat, on_delete=models.CASCADE, related_name="lesson")
    chapters = models.JSONField(null=True, blank=True)
    asked_at = models.DateTimeField(auto_now_add=True)
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(done_at=None, chapters=None)
                | models.Q(done_at__isnull=False, chapters__isnull=False),
                name="alliance_lesson_done_has_chapters",
            ),
        ]

    def __str__(self) -> str:
        return f"lesson of {self.seat_id}"
