"""A match of a small game and its log. As at the big table, the log is the state."""

from __future__ import annotations

from typing import Literal, get_args

from django.conf import settings
from django.db import models
from django.db.models import Q

from negotiation.engine.drills import GAMES
from negotiation.table.models import LogRow, TableRow, log_constraints

MoveType = Literal["acted", "odds", "named"]
"""A seat acted; the player asked for the odds of each suspect; the player named the opponent."""
MOVE_TYPES: tuple[MoveType, ...] = get_args(MoveType)


class SmallMatch(TableRow):
    """One match of one person against one strategy, named or to be guessed.

    What chance deals follows from ``seed``, which never leaves the server; what both sides did stands in the log, so a
    replay needs nothing of the strategy.  The figures are
    payoffs a round, written at the end; ``balanced`` is empty where no equilibrium is known.
    """

    class Mode(models.TextChoices):
        """Whether the opponent is known from the start."""

        OPEN = "open", "Known opponent"
        GUESS = "guess", "Who is it?"

    class Status(models.TextChoices):
        """``LEFT``: put away before its end, when another was begun."""

        LIVE = "live", "Live"
        FINISHED = "finished", "Finished"
        LEFT = "left", "Put away"

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="small_matches"
    )
    game = models.CharField(max_length=20, choices=[(name, game.title) for name, game in GAMES.items()])
    opponent = models.CharField(max_length=40)
    mode = models.CharField(max_length=5, choices=Mode.choices)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.LIVE)
    paid = models.FloatField(null=True, blank=True)
    given_away = models.FloatField(null=True, blank=True)
    best = models.FloatField(null=True, blank=True)
    balanced = models.FloatField(null=True, blank=True)
    right = models.BooleanField(null=True, blank=True)
    named_after = models.PositiveSmallIntegerField(null=True, blank=True)
    with_odds = models.BooleanField(default=False)

    class Meta:
        indexes = [models.Index(fields=["player", "game", "-finished_at"], name="small_match_by_player")]
        constraints = [
            models.UniqueConstraint(
                fields=["player", "game"], name="small_match_one_live_per_game", condition=Q(status="live")
            ),
            models.CheckConstraint(
                condition=Q(
                    status="finished", paid__isnull=False, given_away__gte=0, finished_at__isnull=False
                )
                | Q(status__in=["live", "left"], paid__isnull=True, finished_at__isnull=True),
                name="small_match_finished_has_figures",
            ),
            models.CheckConstraint(
                condition=Q(mode="guess") | Q(mode="open", right__isnull=True, with_odds=False),
                name="small_match_guess_is_guessed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} against {self.opponent} ({self.id})"

    @property
    def is_finished(self) -> bool:
        """True once played to its end."""
        return self.status == self.Status.FINISHED


class SmallMove(LogRow):
    """One row of a match's log."""

    OF = "match"

    match = models.ForeignKey(SmallMatch, on_delete=models.CASCADE, related_name="moves")
    seq = models.PositiveSmallIntegerField()
    type = models.CharField(max_length=8, choices=[(kind, kind) for kind in MOVE_TYPES])
    data = models.JSONField(default=dict)

    class Meta:
        ordering = ["match_id", "seq"]
        constraints = log_constraints("small_move", "match", MOVE_TYPES)

    def __str__(self) -> str:
        return f"{self.match_id} #{self.seq} {self.type}"
