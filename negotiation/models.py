"""A game and its log. The log is the state: rows are written once and never change."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from negotiation.events import EVENT_TYPES
from negotiation.scenario_models import AuthoredScenario, KeptText, ScenarioPreview, ScenarioVersion
from negotiation.table.models import (
    EventIsWritten,
    LogRow,
    RedactionRow,
    SeedsDrawn,
    TableRow,
    log_constraints,
)

__all__ = [
    "AuthoredScenario",
    "Event",
    "EventIsWritten",
    "Game",
    "KeptText",
    "Redaction",
    "ScenarioPreview",
    "ScenarioVersion",
    "SeedsDrawn",
]


class Game(TableRow):
    """One deal. What is here can be queried; how it went is in its events.

    ``scenario_version`` is the text that it is played on, where an admin wrote it; of a scenario that ships it is
    ``scenario_text``, and ``case_text`` is the world behind it, where there is one. Games from before texts were kept
    have neither.
    ``parent`` and ``branch_turn`` are those of a retry: the log up to before that turn is a copy of the parent's.
    ``opponent`` says who decides and who speaks across the table; ``opponent_model`` is the name under which the
    model server knows the model or adapter. Both are fixed from the start.
    ``turns`` counts the closed ones, and changes as ``last_seq`` does.
    ``guided_turns`` says how many of the first were played under the guide of a first deal: all that the deal has until the
    guide is left, and nothing for a deal that was never guided.
    """

    class Status(models.TextChoices):
        """Live until it ends at the table, or is abandoned by a player who never came back."""

        LIVE = "live", "Live"
        FINISHED = "finished", "Finished"
        ABANDONED = "abandoned", "Abandoned"

    class Opponent(models.TextChoices):
        """As ``negotiation.opponents.Kind``."""

        STRATEGIC = "strategic", "Strategist"
        NARRATED = "narrated", "Strategist, in free words"
        NEGOTIATOR = "negotiator", "Trained model"

    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="games")
    team = models.ForeignKey(
        "accounts.Team", on_delete=models.SET_NULL, null=True, blank=True, related_name="games"
    )
    scenario = models.CharField(max_length=64)
    scenario_version = models.ForeignKey(
        ScenarioVersion, on_delete=models.PROTECT, null=True, blank=True, related_name="games"
    )
    scenario_text = models.ForeignKey(
        KeptText, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    case_text = models.ForeignKey(KeptText, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    persona = models.CharField(max_length=64)
    opponent = models.CharField(max_length=10, choices=Opponent.choices, default=Opponent.STRATEGIC)
    opponent_model = models.CharField(max_length=200, blank=True)
    seat = models.CharField(max_length=8, choices=[("seller", "Seller"), ("buyer", "Buyer")])
    difficulty = models.FloatField(validators=[MinValueValidator(0), MaxValueValidator(1)])
    horizon = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.LIVE)
    turns = models.PositiveSmallIntegerField(default=0)
    guided_turns = models.PositiveSmallIntegerField(null=True, blank=True)
    awaiting_reply = models.BooleanField(default=False)
    assisted = models.BooleanField(default=False)
    assisted_reason = models.CharField(max_length=32, blank=True)
    parent = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="retries"
    )
    branch_turn = models.PositiveSmallIntegerField(null=True, blank=True)
    outcome_reason = models.CharField(max_length=20, blank=True)
    price = models.FloatField(null=True, blank=True)
    efficiency = models.FloatField(null=True, blank=True)
    total_reward = models.FloatField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["player", "-updated_at"], name="game_by_player"),
            models.Index(fields=["team", "status", "-updated_at"], name="game_by_team"),
            models.Index(
                fields=["updated_at"], name="game_awaiting", condition=models.Q(awaiting_reply=True)
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(difficulty__gte=0, difficulty__lte=1), name="game_difficulty_in_range"
            ),
            models.CheckConstraint(
                condition=models.Q(status__in=["live", "finished", "abandoned"]), name="game_status_known"
            ),
            models.CheckConstraint(
                condition=models.Q(awaiting_reply=False) | models.Q(status="live"),
                name="game_only_live_ones_wait",
            ),
            models.CheckConstraint(
                condition=models.Q(status="finished", outcome_reason__gt="", efficiency__isnull=False)
                | ~models.Q(status="finished"),
                name="game_finished_has_outcome",
            ),
            models.CheckConstraint(
                condition=models.Q(assisted=True, assisted_reason__gt="")
                | models.Q(assisted=False, assisted_reason=""),
                name="game_assisted_has_reason",
            ),
            models.CheckConstraint(
                condition=models.Q(parent=None, branch_turn=None)
                | models.Q(parent__isnull=False, branch_turn__gte=1, assisted=True),
                name="game_retry_is_marked",
            ),
            models.CheckConstraint(
                condition=models.Q(opponent="strategic", opponent_model="")
                | models.Q(opponent__in=["narrated", "negotiator"], opponent_model__gt=""),
                name="game_model_is_named",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.scenario} against {self.persona} ({self.id})"


class Event(LogRow):
    """One row of a game's log."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="events")
    type = models.CharField(max_length=16, choices=[(kind, kind) for kind in EVENT_TYPES])

    class Meta:
        ordering = ["game_id", "seq"]
        constraints = log_constraints("event", "game", EVENT_TYPES)

    def __str__(self) -> str:
        return f"{self.game_id} #{self.seq} {self.type}"


class Redaction(RedactionRow):
    """The words of a deal are gone."""

    table = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="redaction")
