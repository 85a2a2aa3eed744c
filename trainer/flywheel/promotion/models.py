"""Generations of models that were promoted, and every decision about who plays, as rows that never change."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from trainer.flywheel.models import KeptForGood
from trainer.flywheel.runs.models import TrainingRun


class Generation(models.Model):
    """A model that passed the gate and was promoted. ``path`` is its own copy of the adapter, in the store.

    The champion of a base and style is the one that new deals are played with; there is at most one, which the
    database sees to. ``rating`` and ``deviation`` are Glicko-2, in the pool of the personas, from the gate's deals.
    """

    class State(models.TextChoices):
        """Whether new deals are played with it."""

        CHAMPION = "champion", "Champion"
        RETIRED = "retired", "Retired"

    number = models.PositiveIntegerField(unique=True)
    run = models.OneToOneField(TrainingRun, on_delete=models.PROTECT, related_name="generation")
    gate = models.OneToOneField(TrainingRun, on_delete=models.PROTECT, related_name="promoted")
    base = models.CharField(max_length=500)
    style = models.CharField(max_length=5, choices=[("brief", "Brief"), ("full", "Full")])
    path = models.CharField(max_length=500)
    sha256 = models.CharField(max_length=64)
    rating = models.FloatField()
    deviation = models.FloatField()
    state = models.CharField(max_length=8, choices=State.choices)
    promoted_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-number"]
        permissions = [("decide_generation", "May promote models, hold them and roll back")]
        constraints = [
            models.UniqueConstraint(
                fields=["base", "style"], condition=Q(state="champion"), name="generation_one_champion"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["champion", "retired"]), name="generation_state_known"
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def name(self) -> str:
        """How the model server knows it."""
        return f"generation-{self.number}"

    @property
    def title(self) -> str:
        """How players know it."""
        return f"Generation {self.number}"


class PromotionDecision(KeptForGood):
    """Somebody promoted a model, held it, or rolled back to the one before. Rows are appended and never change.

    ``before`` played until then, ``after`` plays from then on; empty where no trained model did.
    """

    class Action(models.TextChoices):
        """What was decided."""

        PROMOTE = "promote", "Promoted"
        HOLD = "hold", "Held"
        ROLL_BACK = "rollback", "Rolled back"

    action = models.CharField(max_length=8, choices=Action.choices)
    gate = models.ForeignKey(
        TrainingRun, on_delete=models.PROTECT, null=True, blank=True, related_name="decisions"
    )
    before = models.ForeignKey(
        Generation, on_delete=models.PROTECT, null=True, blank=True, related_name="ended_by"
    )
    after = models.ForeignKey(
        Generation, on_delete=models.PROTECT, null=True, blank=True, related_name="begun_by"
    )
    reason = models.CharField(max_length=300)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["gate"], condition=Q(action="promote"), name="decision_promotes_once"
            ),
            models.CheckConstraint(condition=Q(reason__gt=""), name="decision_has_reason"),
            models.CheckConstraint(
                condition=Q(action="promote", gate__isnull=False, after__isnull=False)
                | Q(action="hold", gate__isnull=False)
                | Q(action="rollback", before__isnull=False),
                name="decision_is_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_action_display()}: {self.reason}"
