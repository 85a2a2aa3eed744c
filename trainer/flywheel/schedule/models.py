"""When models are trained anew by themselves."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from trainer.flywheel.runs.models import TrainingRun

WEEKDAYS = [
    (0, "Mondays"), (1, "Tuesdays"), (2, "Wednesdays"), (3, "Thursdays"), (4, "Fridays"), (5, "Saturdays"),
    (6, "Sundays"),
]  # fmt: skip


class Retraining(models.Model):
    """A run every week, if at least ``least_new`` deals came in since the last one.

    ``next_at`` is moved on before anything else is done, so that two workers at once ask for one run. ``said`` tells
    what became of the last time.
    """

    weekday = models.PositiveSmallIntegerField(choices=WEEKDAYS, validators=[MaxValueValidator(6)])
    hour = models.PositiveSmallIntegerField(validators=[MaxValueValidator(23)])
    least_new = models.PositiveIntegerField(default=50, validators=[MinValueValidator(1)])
    recipe = models.CharField(
        max_length=4,
        choices=[choice for choice in TrainingRun.Recipe.choices if choice[0] in ("sft", "both")],
        default=TrainingRun.Recipe.SFT,
    )
    base = models.CharField(max_length=500)
    sft_steps = models.PositiveIntegerField(default=500, validators=[MinValueValidator(1)])
    grpo_steps = models.PositiveIntegerField(default=100, validators=[MinValueValidator(1)])
    minutes = models.PositiveIntegerField(null=True, blank=True, validators=[MinValueValidator(1)])
    go_on = models.BooleanField(default=False)
    enabled = models.BooleanField(default=True)
    next_at = models.DateTimeField()
    last_run = models.ForeignKey(
        TrainingRun, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    said = models.CharField(max_length=300, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["next_at", "id"]
        constraints = [
            models.CheckConstraint(condition=models.Q(weekday__lte=6), name="retraining_weekday_known"),
            models.CheckConstraint(condition=models.Q(hour__lte=23), name="retraining_hour_known"),
        ]

    def __str__(self) -> str:
        return f"{self.get_weekday_display()} at {self.hour:02d}:00 UTC"
