"""Scenarios that an admin writes: a draft that changes, versions that never do, and what a preview found; and the texts
of the house that games were started with."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models

from negotiation.engine.deal.scenario_fields import SLUG
from owed.models import OwedRow, heartbeat_field, state_field, state_known

_Text = TypeVar("_Text", bound=models.Model)


class AuthoredScenario(models.Model):
    """One scenario under an admin's hands. Players meet ``published``, never the draft."""

    slug = models.CharField(
        max_length=64,
        unique=True,
        validators=[RegexValidator(rf"^{SLUG.pattern}\Z", "Small letters, digits and _, a letter first.")],
    )
    draft = models.TextField(blank=True)
    published = models.OneToOneField(
        "ScenarioVersion", on_delete=models.PROTECT, null=True, blank=True, related_name="published_as"
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="authored_scenarios"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = "scenario"
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.slug


class VersionIsWritten(TypeError):
    """Someone tried to change or delete a version: games replay on it."""


class VersionQuerySet(models.QuerySet[_Text]):
    """Reads and appends."""

    def update(self, **kwargs: Any) -> NoReturn:
        """Refused."""
        raise VersionIsWritten("versions of a scenario never change")

    def delete(self) -> NoReturn:
        """Refused."""
        raise VersionIsWritten("versions of a scenario are kept")


class ScenarioVersion(models.Model):
    """A valid text as it once stood. Games keep the version that they were started with."""

    scenario = models.ForeignKey(AuthoredScenario, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    text = models.TextField()
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = VersionQuerySet.as_manager()

    class Meta:
        ordering = ["scenario_id", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["scenario", "number"], name="scenario_version_one_per_number"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="scenario_version_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.scenario} v{self.number}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Append; a version that exists is never written again."""
        if not self._state.adding:
            raise VersionIsWritten("versions of a scenario never change")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refused."""
        raise VersionIsWritten("versions of a scenario are kept")


class KeptText(models.Model):
    """A text that ships with the house, as it stood when a game was started with it: the files move on, games replay.

    ``digest`` is the text's SHA-256 in hexadecimal.
    """

    digest = models.CharField(max_length=64, primary_key=True)
    text = models.TextField()

    objects = VersionQuerySet.as_manager()

    def __str__(self) -> str:
        return self.digest[:12]


class ScenarioPreview(OwedRow):
    """What playing a version by machine found."""

    version = models.OneToOneField(ScenarioVersion, on_delete=models.CASCADE, related_name="preview")
    state = state_field("status")
    heartbeat_at = heartbeat_field("updated_at")
    total = models.PositiveIntegerField(default=1)
    result = models.JSONField(null=True, blank=True)
    started_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            state_known("scenario_preview_status_known"),
            models.CheckConstraint(
                condition=models.Q(state="done", result__isnull=False) | ~models.Q(state="done"),
                name="scenario_preview_done_has_result",
            ),
        ]

    def __str__(self) -> str:
        return f"preview of {self.version}"
