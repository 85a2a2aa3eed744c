"""How strong a person plays, in the same pool as the personas."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from negotiation.models import Game

OVERALL = ""
"""The pool of all scenarios together; any other pool is the id of a scenario."""


class PersonRating(models.Model):
    """A Glicko-2 rating on the scale of the personas; the truth lies within two deviations with 95% confidence."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ratings")
    pool = models.CharField(max_length=64, blank=True, default=OVERALL)
    rating = models.FloatField()
    deviation = models.FloatField()
    volatility = models.FloatField()
    games = models.PositiveIntegerField(default=0)
    rated_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "pool"], name="rating_one_per_pool")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.pool or 'overall'}: {self.rating:.0f} ± {2 * self.deviation:.0f}"


class RatedGame(models.Model):
    """That a game was counted, once in each pool, and what it changed."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="rated")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    pool = models.CharField(max_length=64, blank=True, default=OVERALL)
    opponent_rating = models.FloatField()
    opponent_deviation = models.FloatField()
    score = models.FloatField()
    rating_before = models.FloatField()
    rating_after = models.FloatField()
    deviation_after = models.FloatField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "pool"], name="game_rated_once")]

    def __str__(self) -> str:
        return (
            f"{self.game_id} in {self.pool or 'overall'}: {self.rating_before:.0f} to {self.rating_after:.0f}"
        )
