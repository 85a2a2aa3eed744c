"""Rubrics: yes/no questions about a deal, answered by the log where it can tell, else by a manager."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from negotiation.models import Game


class Rubric(models.Model):
    """A list of checks of one team. It never changes: editing retires it and makes a new one.

    So an attempt that was judged by a rubric stays judged by the words that the rep was shown.
    """

    team = models.ForeignKey("accounts.Team", on_delete=models.CASCADE, related_name="rubrics")
    name = models.CharField(max_length=80)
    every_deal = models.BooleanField(default=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    retired_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return self.name


class Check(models.Model):
    """One yes/no question. ``auto`` names the rule that reads the answer off the log; empty, a manager ticks it."""

    rubric = models.ForeignKey(Rubric, on_delete=models.CASCADE, related_name="checks")
    position = models.PositiveSmallIntegerField()
    auto = models.CharField(max_length=32, blank=True)
    text = models.CharField(max_length=160)

    class Meta:
        ordering = ["rubric_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["rubric", "position"], name="check_one_per_position"),
        ]

    def __str__(self) -> str:
        return self.text


class CheckResult(models.Model):
    """The answer for one deal. ``by`` is the manager who ticked it; nobody where the log answered."""

    class Answer(models.TextChoices):
        """``na``: the deal gave no occasion, so the check stands in nobody's way."""

        OPEN = "open", "Open"
        YES = "yes", "Yes"
        NO = "no", "No"
        NA = "na", "No occasion"

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="check_results")
    # Named ``question`` because Django keeps ``check`` of a model for itself.
    question = models.ForeignKey(Check, on_delete=models.CASCADE, related_name="results")
    answer = models.CharField(max_length=4, choices=Answer.choices, default=Answer.OPEN)
    why = models.CharField(max_length=200, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "question"], name="check_result_one_per_game"),
            models.CheckConstraint(
                condition=models.Q(answer__in=["open", "yes", "no", "na"]), name="check_answer_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.question_id}: {self.answer}"
