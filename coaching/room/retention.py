"""How long words are kept, and the nightly look for those kept long enough."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from accounts.models import Team
from coaching.room.models import DataExport, Redaction
from coaching.room.redaction import games_redact
from negotiation.models import Game

EXPORT_LIFETIME = timedelta(days=7)
BATCH = 1000


def house_days() -> int:
    """Days that words are kept where a team has not said otherwise."""
    return int(settings.RETENTION_DAYS)


def games_past_retention(now: datetime, limit: int = BATCH) -> list[uuid.UUID]:
    """Games over for longer than their team, or the house, keeps words; the oldest first."""
    past = Q(pk__in=[])
    for team_id, days in Team.objects.exclude(retention_days=None).values_list("pk", "retention_days"):
        past |= Q(team_id=team_id, finished_at__lt=now - timedelta(days=days or 0))
    as_house = Q(team=None) | Q(team__retention_days=None)
    past |= as_house & Q(finished_at__lt=now - timedelta(days=house_days()))
    found = Game.objects.filter(past, redaction=None).exclude(status=Game.Status.LIVE)
    return list(found.order_by("finished_at").values_list("pk", flat=True)[:limit])


def purge(now: datetime | None = None) -> int:
    """Take out every word kept long enough, and archives that nobody needs any more."""
    now = now or timezone.now()
    DataExport.objects.filter(asked_at__lt=now - EXPORT_LIFETIME).delete()
    done = 0
    while games := games_past_retention(now):
        done += games_redact(games, reason=Redaction.Reason.RETENTION)
    return done
