"""Adapters: which folders of weights may speak at a table, and what became of them."""

from __future__ import annotations

from django.core.validators import RegexValidator
from django.db import models

NAME = r"^[a-z0-9][a-z0-9_.-]*$"


class Adapter(models.Model):
    """One LoRA adapter. ``name`` is how the model server knows it, ``title`` how players do.

    ``path`` is its folder, at the same place for us and for the server. ``base``, ``rank``, ``targets`` and
    ``sha256`` (of the weights) are those of the last check. ``reason`` says in words why it failed. ``rating`` and
    ``deviation`` are Glicko-2, in the pool of the personas, and ``certificate`` the page that tells where it comes from:
    who measured and promoted it puts them there.
    """

    class Status(models.TextChoices):
        """New is not on the server yet; offered means that players may choose it; retired is off the server."""

        NEW = "new", "New"
        LOADED = "loaded", "Loaded"
        OFFERED = "offered", "Offered"
        FAILED = "failed", "Failed"
        RETIRED = "retired", "Retired"

    name = models.CharField(
        max_length=64,
        unique=True,
        validators=[RegexValidator(NAME, "Small letters, digits, dots, dashes and _, as in shark-3.")],
    )
    title = models.CharField(max_length=80)
    path = models.CharField(max_length=500)
    base = models.CharField(max_length=500, blank=True)
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    targets = models.JSONField(default=list)
    sha256 = models.CharField(max_length=64, blank=True)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.NEW)
    reason = models.CharField(max_length=300, blank=True)
    rating = models.FloatField(null=True, blank=True)
    deviation = models.FloatField(null=True, blank=True)
    certificate = models.CharField(max_length=200, blank=True)
    warm_up_ms = models.PositiveIntegerField(null=True, blank=True)
    loaded_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(status__in=["new", "loaded", "offered", "failed", "retired"]),
                name="adapter_status_known",
            ),
            models.CheckConstraint(
                condition=models.Q(status="failed", reason__gt="") | ~models.Q(status="failed"),
                name="adapter_failed_has_reason",
            ),
            models.CheckConstraint(
                condition=~models.Q(status__in=["loaded", "offered"]) | models.Q(sha256__gt=""),
                name="adapter_loaded_was_checked",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_loaded(self) -> bool:
        """Whether the server is to hold it."""
        return self.status in (self.Status.LOADED, self.Status.OFFERED)
