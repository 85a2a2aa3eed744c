"""A finished deal played once more, with a trained model in the player's chair."""

from __future__ import annotations

from django.db import models

from negotiation.models import Game
from owed.models import OwedRow, heartbeat_field, state_field, state_known

AWAY = "away"
"""Why a replay failed that can be asked for again when the model server answers."""


class ChampionReplay(OwedRow):
    """What one model made of one deal. ``data`` is a case as debriefs lay them side by side."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="champion_replays")
    model = models.CharField(max_length=64)
    title = models.CharField(max_length=80)
    certificate = models.CharField(max_length=200, blank=True)
    state = state_field("status")
    heartbeat_at = heartbeat_field("updated_at")
    data = models.JSONField(null=True, blank=True)
    stand_ins = models.PositiveSmallIntegerField(default=0)
    requested_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "model"], name="champion_replays_once"),
            state_known("champion_replay_status_known"),
            models.CheckConstraint(
                condition=models.Q(state="done", data__isnull=False) | ~models.Q(state="done"),
                name="champion_replay_done_has_data",
            ),
        ]
        indexes = [models.Index(fields=["state", "heartbeat_at"], name="champion_replay_by_status")]

    def __str__(self) -> str:
        return f"{self.title} in the chair of {self.game_id}"

    @property
    def is_away(self) -> bool:
        """Whether it came to nothing because the model server did not answer."""
        return self.state == self.State.FAILED and self.reason == AWAY
