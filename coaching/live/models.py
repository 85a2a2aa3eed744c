"""Comments anchored to turns, what of them was seen, and verdicts beside the machine's score."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from negotiation.models import Game


class Comment(models.Model):
    """A remark on one turn, or an answer to one. Deleting it empties it where it stands, so that a trace stays.

    Words can also go with the transcript (ADR 0007): then the text is empty and nobody has deleted it.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="comments")
    turn = models.PositiveSmallIntegerField()
    parent = models.ForeignKey(
        "self", on_delete=models.CASCADE, null=True, blank=True, related_name="replies"
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    text = models.TextField(max_length=2000, blank=True)
    written_at = models.DateTimeField(auto_now_add=True)
    edited_at = models.DateTimeField(null=True, blank=True)
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["turn", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(deleted_at=None) | models.Q(text=""), name="comment_deleted_is_empty"
            ),
        ]
        indexes = [models.Index(fields=["game", "written_at"], name="comment_by_game")]

    def __str__(self) -> str:
        return f"on turn {self.turn} of {self.game_id}"


class Verdict(models.Model):
    """A manager's judgement of a game. It is never rewritten: the latest stands, the earlier ones are its history."""

    class Grade(models.TextChoices):
        """Four words, none of them a figure: figures are the machine's."""

        STRONG = "strong", "Strong"
        SOLID = "solid", "Solid"
        MIXED = "mixed", "Mixed"
        WEAK = "weak", "Weak"

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="verdicts")
    grade = models.CharField(max_length=6, choices=Grade.choices)
    sentence = models.CharField(max_length=280, blank=True)
    differs = models.TextField(max_length=1000, blank=True)
    rubric = models.ForeignKey(
        "coaching.Rubric", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(grade__in=["strong", "solid", "mixed", "weak"]),
                name="verdict_grade_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.grade}: {self.game_id}"


class TalkSeen(models.Model):
    """When somebody last read what was said about a game: whatever others wrote since is new to them."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "user"], name="talk_seen_once")]

    def __str__(self) -> str:
        return f"{self.user_id} saw {self.game_id} at {self.at:%F %T}"
