"""A finished deal played once more, with a trained model in the player's chair."""

from __future__ import annotations

from django.db import models

from negotiation.models import Game


class ChampionReplay(models.Model):
    """What one model made of one deal. ``data`` is a case as debriefs lay them side by side."""

    class Status(models.TextChoices):
        """Waits for the worker, runs in it, has its result; or the server was away, or the deal can't be dealt again."""

        WAITING = "waiting", "Waiting"
        RUNNING = "running", "Running"
        DONE = "done", "Done"
        AWAY = "away", "No answer"
        FAILED = "failed", "Failed"

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="champion_replays")
    model = models.CharField(max_length=64)
    title = models.CharField(max_length=80)
    certificate = models.CharField(max_length=200, blank=True)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.WAITING)
    data = models.JSONField(null=True, blank=True)
    stand_ins = models.PositiveSmallIntegerField(default=0)
    requested_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "model"], name="champion_replays_once"),
            models.CheckConstraint(
                condition=models.Q(status__in=["waiting", "running", "done", "away", "failed"]),
                name="champion_replay_status_known",
            ),
            models.CheckConstraint(
                condition=models.Q(status="done", data__isnull=False) | ~models.Q(status="done"),
                name="champion_replay_done_has_data",
            ),
        ]
        indexes = [models.Index(fields=["status", "updated_at"], name="champion_replay_by_status")]

    def __str__(self) -> str:
        return f"{self.title} in the chair of {self.game_id}"
