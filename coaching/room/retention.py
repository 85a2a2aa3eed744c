"""The nightly look for what was kept long enough: words of all kinds of game, and archives that nobody needs any more."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

from coaching.room.models import DataExport
from negotiation.table import forgetting

EXPORT_LIFETIME = timedelta(days=7)


def purge(now: datetime | None = None) -> int:
    """Take out what was kept long enough; how many tables that changed."""
    now = now or timezone.now()
    DataExport.objects.filter(asked_at__lt=now - EXPORT_LIFETIME).delete()
    return forgetting.purge(now)
