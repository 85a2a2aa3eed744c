"""What every row of work that is owed has in common."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.utils import timezone


class OwedState(models.TextChoices):
    """Waits for a worker, is worked on, or is over in one of three ways."""

    WAITING = "waiting", "Waiting"
    RUNNING = "running", "Running"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"


OPEN = (OwedState.WAITING, OwedState.RUNNING)


def state_field(column: str | None = None) -> models.CharField[str, str]:
    """The state, in a column of another name where a table has had one since before."""
    return models.CharField(
        max_length=10, choices=OwedState.choices, default=OwedState.WAITING, db_column=column
    )


def heartbeat_field(column: str | None = None) -> models.DateTimeField[datetime, datetime]:
    """When the row was asked for, taken, or last heard of from its worker, whichever came last."""
    return models.DateTimeField(default=timezone.now, db_column=column)


class OwedRow(models.Model):
    """One piece of work: the row is the request, and all that anybody has to know of it.

    ``lease`` is the secret of the worker that has it: what a worker writes, it writes only while the row still names
    it. ``attempts`` counts how often it was taken since it was asked for, ``done`` of ``total`` steps say how far it
    is. ``cancel`` is a wish that the worker sees at its next progress; ``reason`` says why it failed or stopped.
    """

    State = OwedState

    state = state_field()
    lease = models.CharField(max_length=32, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    cancel = models.BooleanField(default=False)
    reason = models.CharField(max_length=300, blank=True)
    heartbeat_at = heartbeat_field()

    class Meta:
        abstract = True

    @property
    def is_open(self) -> bool:
        """Whether something is still to happen."""
        return self.state in OPEN


def state_known(name: str) -> models.CheckConstraint:
    """The constraint that a row is in one of the states."""
    return models.CheckConstraint(condition=models.Q(state__in=OwedState.values), name=name)
