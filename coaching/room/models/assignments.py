"""What a manager sets, and each try of a rep at it."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from coaching.room.models.rubrics import Rubric
from negotiation.models import Game


class Assignment(models.Model):
    """One deal to be played until it is passed.

    With ``whole_team`` it is set to every rep of the team, those who join later too; else to ``assignees``.
    Passing takes the share ``pass_efficiency`` where one is set, and every check of ``rubric`` where one is set.
    """

    class Seat(models.TextChoices):
        """``either``: the rep chooses."""

        SELLER = "seller", "Seller"
        BUYER = "buyer", "Buyer"
        EITHER = "either", "Either seat"

    team = models.ForeignKey("accounts.Team", on_delete=models.CASCADE, related_name="assignments")
    title = models.CharField(max_length=80)
    note = models.CharField(max_length=400, blank=True)
    scenario = models.CharField(max_length=64)
    persona = models.CharField(max_length=64)
    seat = models.CharField(max_length=8, choices=Seat.choices, default=Seat.SELLER)
    difficulty = models.FloatField(default=0.5, validators=[MinValueValidator(0), MaxValueValidator(1)])
    pass_efficiency = models.FloatField(
        null=True, blank=True, validators=[MinValueValidator(0), MaxValueValidator(1)]
    )
    rubric = models.ForeignKey(
        Rubric, on_delete=models.PROTECT, null=True, blank=True, related_name="assignments"
    )
    attempts_allowed = models.PositiveSmallIntegerField(
        default=3, validators=[MinValueValidator(1), MaxValueValidator(20)]
    )
    deadline = models.DateTimeField(null=True, blank=True)
    whole_team = models.BooleanField(default=True)
    assignees = models.ManyToManyField(settings.AUTH_USER_MODEL, blank=True, related_name="assignments")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(difficulty__gte=0, difficulty__lte=1),
                name="assignment_difficulty_in_range",
            ),
            models.CheckConstraint(
                condition=models.Q(attempts_allowed__gte=1, attempts_allowed__lte=20),
                name="assignment_attempts_in_range",
            ),
            models.CheckConstraint(
                condition=models.Q(seat__in=["seller", "buyer", "either"]), name="assignment_seat_known"
            ),
            models.CheckConstraint(
                condition=models.Q(pass_efficiency__isnull=False) | models.Q(rubric__isnull=False),
                name="assignment_can_be_passed",
            ),
        ]

    def __str__(self) -> str:
        return self.title


class Attempt(models.Model):
    """One deal played for an assignment, judged by the terms under which it was begun.

    The terms are copied at the start, so that a later edit of the assignment rewrites nothing. ``number``
    counts starts; whether a start was used up is what ``outcome`` says.
    """

    class Outcome(models.TextChoices):
        """``void`` uses nothing up: the deal was watched with both sides, or left for good."""

        PLAYING = "playing", "In progress"
        REVIEW = "review", "Waits for your manager"
        PASSED = "passed", "Passed"
        FAILED = "failed", "Not passed"
        VOID = "void", "Does not count"

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="attempts")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="attempts")
    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="attempt")
    number = models.PositiveSmallIntegerField()
    pass_efficiency = models.FloatField(null=True, blank=True)
    rubric = models.ForeignKey(Rubric, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    deadline = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=8, choices=Outcome.choices, default=Outcome.PLAYING)
    why = models.CharField(max_length=200, blank=True)
    late = models.BooleanField(default=False)
    started_at = models.DateTimeField(auto_now_add=True)
    judged_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["assignment_id", "user_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["assignment", "user", "number"], name="attempt_one_per_number"),
            models.UniqueConstraint(
                fields=["assignment", "user"],
                name="attempt_one_at_a_time",
                condition=models.Q(outcome="playing"),
            ),
            models.CheckConstraint(
                condition=models.Q(outcome__in=["playing", "review", "passed", "failed", "void"]),
                name="attempt_outcome_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.assignment} by {self.user}, attempt {self.number}: {self.outcome}"
