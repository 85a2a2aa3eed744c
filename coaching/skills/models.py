"""What games said about skills, and what is practised when."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from coaching.analysis.review.lessons import SKILLS
from negotiation.models import Game

SKILL_CHOICES = [(skill, skill) for skill in SKILLS]


class SkillEvidence(models.Model):
    """What one game said about one skill of its player.

    ``score`` is in [0, 1], ``weight`` in independent observations, ``regret`` in shares of the zone. ``facts`` are
    counts for the page.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="skill_evidence"
    )
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="skill_evidence")
    skill = models.CharField(max_length=12, choices=SKILL_CHOICES)
    score = models.FloatField(validators=[MinValueValidator(0), MaxValueValidator(1)])
    weight = models.FloatField(validators=[MinValueValidator(0)])
    regret = models.FloatField(default=0.0, validators=[MinValueValidator(0)])
    facts = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "skill"], name="evidence_one_per_game_and_skill"),
            models.CheckConstraint(
                condition=models.Q(score__gte=0, score__lte=1, weight__gte=0, regret__gte=0),
                name="evidence_in_range",
            ),
        ]
        indexes = [models.Index(fields=["user", "at"], name="evidence_by_user")]

    def __str__(self) -> str:
        return f"{self.skill} {self.score:.2f} in {self.game_id}"


class PracticeCard(models.Model):
    """Something to practise again and again: a drill of a skill, or a puzzle from an own game.

    ``schedule`` is the card of the spaced-repetition library; ``due`` is its date, to be asked for. A drill names
    the ``persona`` that it is played against; a puzzle the ``game`` and the ``turn`` that it is cut from.
    """

    class Kind(models.TextChoices):
        """What is done with it."""

        DRILL = "drill", "Drill"
        BLUFF = "bluff", "Spot the bluff"
        LIMIT = "limit", "What is their limit?"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="practice")
    kind = models.CharField(max_length=6, choices=Kind.choices)
    skill = models.CharField(max_length=12, choices=SKILL_CHOICES)
    persona = models.CharField(max_length=64, blank=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, null=True, blank=True, related_name="practice")
    turn = models.PositiveSmallIntegerField(null=True, blank=True)
    schedule = models.JSONField()
    due = models.DateTimeField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "skill"], name="card_one_drill_per_skill", condition=models.Q(kind="drill")
            ),
            models.UniqueConstraint(
                fields=["game", "kind", "turn"],
                name="card_one_puzzle_per_turn",
                condition=models.Q(game__isnull=False),
            ),
            models.CheckConstraint(
                condition=models.Q(kind="drill", persona__gt="", game__isnull=True, turn__isnull=True)
                | models.Q(kind__in=["bluff", "limit"], persona="", game__isnull=False, turn__isnull=False),
                name="card_of_a_known_kind",
            ),
        ]
        indexes = [models.Index(fields=["user", "due"], name="card_by_due")]

    def __str__(self) -> str:
        return f"{self.kind} {self.skill} of {self.user_id}"

    @property
    def is_drill(self) -> bool:
        """Whether it is played on dealt positions instead of an own game."""
        return self.kind == self.Kind.DRILL


class PracticeRun(models.Model):
    """One time that a card is practised. A drill's positions are dealt beforehand; a puzzle's run is its answer."""

    card = models.ForeignKey(PracticeCard, on_delete=models.CASCADE, related_name="runs")
    positions = models.JSONField(default=list, blank=True)
    answers = models.JSONField(default=list, blank=True)
    score = models.FloatField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["card"], name="run_one_open_per_card", condition=models.Q(finished_at__isnull=True)
            ),
            models.CheckConstraint(
                condition=models.Q(finished_at__isnull=True, score__isnull=True)
                | models.Q(finished_at__isnull=False, score__gte=0, score__lte=1),
                name="run_finished_has_score",
            ),
        ]

    def __str__(self) -> str:
        return f"run of {self.card_id}, {len(self.answers)} answered"
