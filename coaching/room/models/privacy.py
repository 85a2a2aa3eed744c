"""What was handed to the people that it is about."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models

from owed.models import OwedRow, state_known


class DataExport(OwedRow):
    """A person's data as one archive. Kept in the database, which web and worker share, and for a week only."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="data_exports")
    archive = models.BinaryField(null=True, blank=True)
    asked_at = models.DateTimeField(auto_now_add=True)
    ready_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(archive__isnull=True, ready_at__isnull=True)
                | models.Q(archive__isnull=False, ready_at__isnull=False),
                name="export_ready_when_there",
            ),
            state_known("export_state_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}, asked {self.asked_at:%F %T}"
