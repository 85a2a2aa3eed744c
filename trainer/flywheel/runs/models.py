"""A training run as a row: what was asked for, who works on it, what came of it."""

from __future__ import annotations

import uuid
from datetime import timedelta

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone

from owed.models import OwedRow, state_known
from trainer.flywheel import store
from trainer.flywheel.models import Dataset

WEIGHTS = "adapter_model.safetensors"
"""The file of an adapter that it is known by."""

HEARTBEAT_LOST = timedelta(seconds=40)
"""A worker that has not been heard of for so long is gone, and the run is somebody else's to take up."""


class TrainingRun(OwedRow):
    """One run. At most one is running at any time, which the database sees to: there is one machine to train on.

    ``start`` is the generation whose adapter it goes on
    from, ``pool`` the deals in which people beat a model, to be played against. A run of the recipe ``gate`` judges
    ``candidate`` against ``champion``, the base itself where there is none. ``minutes`` is the most time it may take.
    Where artefacts are kept elsewhere, ``kept`` is the checksum of the list of its files there (``bundles``). Folders of
    the store are named by where they lie in it.
    """

    class Recipe(models.TextChoices):
        """What is done, in order."""

        SFT = "sft", "Learn the moves of the dataset"
        GRPO = "grpo", "Play against the personas"
        BOTH = "both", "Learn the moves, then play"
        GATE = "gate", "Judge a run against the champion"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=80, unique=True)
    dataset = models.ForeignKey(Dataset, on_delete=models.PROTECT, related_name="runs", null=True, blank=True)
    recipe = models.CharField(max_length=4, choices=Recipe.choices)
    base = models.CharField(max_length=500, blank=True)
    style = models.CharField(
        max_length=5, choices=[("brief", "Brief"), ("full", "Full")], default="brief", editable=False
    )
    start = models.ForeignKey(
        "trainer.Generation", on_delete=models.PROTECT, null=True, blank=True, related_name="followers"
    )
    pool = models.ForeignKey(
        Dataset, on_delete=models.PROTECT, null=True, blank=True, related_name="sparring"
    )
    candidate = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="gates"
    )
    champion = models.ForeignKey(
        "trainer.Generation", on_delete=models.PROTECT, null=True, blank=True, related_name="challenged"
    )
    minutes = models.PositiveIntegerField(null=True, blank=True, validators=[MinValueValidator(1)])
    then_judge = models.BooleanField(default=False)
    sft_steps = models.PositiveIntegerField(
        default=500, validators=[MinValueValidator(1), MaxValueValidator(1_000_000)]
    )
    grpo_steps = models.PositiveIntegerField(
        default=100, validators=[MinValueValidator(1), MaxValueValidator(1_000_000)]
    )
    seed = models.PositiveIntegerField(default=0, validators=[MaxValueValidator(2**31 - 1)])
    attempts = models.PositiveSmallIntegerField(default=0, db_column="starts")
    results = models.JSONField(default=dict)
    kept = models.CharField(max_length=64, blank=True, editable=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(fields=["state"], condition=Q(state="running"), name="run_one_at_a_time"),
            models.CheckConstraint(
                condition=Q(state="running", lease__gt="", heartbeat_at__isnull=False)
                | (~Q(state="running") & Q(lease="")),
                name="run_lease_while_running",
            ),
            models.CheckConstraint(
                condition=Q(recipe="grpo", base__gt="")
                | Q(recipe__in=["sft", "both"], dataset__isnull=False)
                | Q(recipe="gate", candidate__isnull=False, base__gt=""),
                name="run_has_what_it_needs",
            ),
            models.CheckConstraint(
                condition=~Q(state="failed") | Q(reason__gt=""), name="run_failed_has_reason"
            ),
            state_known("run_state_known"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_gate(self) -> bool:
        """Whether it judges another run, and teaches nobody."""
        return self.recipe == self.Recipe.GATE

    @property
    def adapter(self) -> str:
        """Where the adapter that it made lies on this machine; empty where there is none."""
        return store.located(str(self.results.get("adapter", "")))

    @property
    def model_base(self) -> str:
        """What rows call the folder of the model that its adapter belongs to."""
        return self.base or str(self.results.get("base", ""))

    @property
    def folder(self) -> str:
        """Where its files lie in the store."""
        return f"runs/{self.pk}"

    @property
    def is_lost(self) -> bool:
        """Whether its worker has gone silent."""
        return self.state == self.State.RUNNING and self.heartbeat_at < timezone.now() - HEARTBEAT_LOST
