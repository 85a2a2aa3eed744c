"""What is kept of cases: the expert's game at a table, and what a player noted about two of them."""

from __future__ import annotations

from django.db import models

from negotiation.models import Game


class ExpertReplay(models.Model):
    """How an expert played a player's table. ``case`` is as ``coaching.analysis.cases.case_of`` gives it."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="expert_replay")
    case = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"expert at {self.game_id}"


class CaseNote(models.Model):
    """What the player of ``game`` saw in common with another deal; with the expert's where ``other`` is empty."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="case_notes")
    other = models.ForeignKey(Game, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    text = models.TextField()
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "other"], name="note_one_per_pair"),
            models.UniqueConstraint(
                fields=["game"], name="note_one_on_expert", condition=models.Q(other__isnull=True)
            ),
            models.CheckConstraint(condition=~models.Q(text=""), name="note_says_something"),
        ]

    def __str__(self) -> str:
        return f"note on {self.game_id}"
