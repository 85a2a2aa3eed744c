"""A game on the seven-power board: its seats, its log, who may watch, what was asked of the future."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from negotiation.diplomacy.events import EVENT_TYPES
from negotiation.engine.diplomacy import POWERS
from negotiation.table.models import (
    LinkRow,
    LinkViewRow,
    LogRow,
    RedactionRow,
    TableRow,
    link_constraints,
    log_constraints,
)
from owed.models import OwedRow, state_known

_POWERS = [(power, power.title()) for power in POWERS]


class BoardGame(TableRow):
    """One game. How it went is in its log; what is here can be queried.

    ``seed`` decides the luck and the character of the bots and never leaves the server. ``start`` is the position that
    a game taken up from another's phase begins with; None is the opening. ``last_seq`` changes under the row's lock.
    ``assisted``: its truth was opened while it was on, so it says nothing about who plays well.
    """

    class Status(models.TextChoices):
        """Live until somebody wins, the years are over, or its people leave."""

        LIVE = "live", "Live"
        FINISHED = "finished", "Finished"

    host = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="board_games"
    )
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.LIVE)
    years = models.PositiveSmallIntegerField(default=6)
    seconds = models.PositiveIntegerField(null=True, blank=True)
    deadline = models.DateTimeField(null=True, blank=True)
    phase = models.CharField(max_length=10)
    start = models.JSONField(null=True, blank=True)
    parent = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="forks")
    parent_phase = models.CharField(max_length=10, blank=True)
    assisted = models.BooleanField(default=False)

    class Meta:
        indexes = [
            models.Index(fields=["deadline"], name="board_by_deadline", condition=Q(status="live")),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(status="live", finished_at__isnull=True)
                | Q(status="finished", finished_at__isnull=False, deadline__isnull=True),
                name="board_finished_has_end",
            ),
            models.CheckConstraint(condition=Q(years__gte=1, years__lte=12), name="board_years_in_range"),
        ]

    def __str__(self) -> str:
        return f"{self.phase} ({self.id})"


class BoardSeat(models.Model):
    """One power: a person's, or a bot's where nobody sits or the person is away."""

    game = models.ForeignKey(BoardGame, on_delete=models.CASCADE, related_name="seats")
    power = models.CharField(max_length=8, choices=_POWERS)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="board_seats"
    )
    bot = models.CharField(max_length=12)
    invite_hash = models.CharField(max_length=64, blank=True)
    away = models.BooleanField(default=False)

    class Meta:
        ordering = ["game_id", "power"]
        constraints = [
            models.UniqueConstraint(fields=["game", "power"], name="board_seat_one_per_power"),
            models.UniqueConstraint(
                fields=["game", "user"], name="board_seat_one_per_person", condition=Q(user__isnull=False)
            ),
            models.UniqueConstraint(
                fields=["invite_hash"], name="board_seat_invitation", condition=Q(invite_hash__gt="")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.power} in {self.game_id}"


class BoardEvent(LogRow):
    """One row of a game's log."""

    game = models.ForeignKey(BoardGame, on_delete=models.CASCADE, related_name="events")
    type = models.CharField(max_length=10, choices=[(kind, kind) for kind in EVENT_TYPES])

    class Meta:
        ordering = ["game_id", "seq"]
        constraints = log_constraints("board_event", "game", EVENT_TYPES)

    def __str__(self) -> str:
        return f"{self.game_id} #{self.seq} {self.type}"


class BoardLink(LinkRow):
    """A secret URL to watch a game, as far as its maker may see."""

    game = models.ForeignKey(BoardGame, on_delete=models.CASCADE, related_name="links")

    class Meta:
        constraints = link_constraints("board_link")

    def __str__(self) -> str:
        return f"link to {self.game_id}"


class BoardLinkView(LinkViewRow):
    """Somebody saw the truth of a live game through a link."""

    link = models.ForeignKey(BoardLink, on_delete=models.CASCADE, related_name="views")

    def __str__(self) -> str:
        return f"{self.link_id} at {self.at:%F %T}"


class BoardFork(models.Model):
    """A question of what if: a phase, perhaps other orders for one's own power, and a fan of futures."""

    class Status(models.TextChoices):
        """``CANCELLED`` by the one who asked."""

        RUNNING = "running", "Running"
        DONE = "done", "Done"
        CANCELLED = "cancelled", "Cancelled"
        FAILED = "failed", "Failed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    game = models.ForeignKey(BoardGame, on_delete=models.CASCADE, related_name="questions")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    power = models.CharField(max_length=8, choices=_POWERS)
    number = models.PositiveSmallIntegerField()
    phase = models.CharField(max_length=10)
    orders = models.JSONField(null=True, blank=True)
    rollouts = models.PositiveSmallIntegerField()
    years = models.PositiveSmallIntegerField()
    done = models.PositiveSmallIntegerField(default=0)
    status = models.CharField(max_length=9, choices=Status.choices, default=Status.RUNNING)
    result = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        indexes = [models.Index(fields=["game", "owner", "-created_at"], name="board_fork_by_owner")]

    def __str__(self) -> str:
        return f"{self.phase} of {self.game_id}: {self.status}"


class BoardRedaction(RedactionRow):
    """The words of all who played a game are gone."""

    table = models.OneToOneField(BoardGame, on_delete=models.CASCADE, related_name="redaction")


class AllianceLesson(OwedRow):
    """What a player's words were worth; ``chapters`` is empty of content until the worker has been."""

    seat = models.OneToOneField(BoardSeat, on_delete=models.CASCADE, related_name="lesson")
    chapters = models.JSONField(null=True, blank=True)
    asked_at = models.DateTimeField(auto_now_add=True)
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(done_at=None, chapters=None)
                | models.Q(done_at__isnull=False, chapters__isnull=False),
                name="alliance_lesson_done_has_chapters",
            ),
            state_known("alliance_lesson_state_known"),
        ]

    def __str__(self) -> str:
        return f"lesson of {self.seat_id}"
