"""How long words are kept, and the nightly look for those kept long enough."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from accounts.models import Team
from coaching.room.models import DataExport, Redaction
from coaching.room.redaction import coalitions_redact, games_redact
from negotiation.coalitions.models import CoalitionDeal
from negotiation.models import Game

EXPORT_LIFETIME = timedelta(days=7)


def house_days() -> int:
    """Days that words are kept where a team has not said otherwise."""
    return int(settings.RETENTION_DAYS)


def _kept_long_enough(now: datetime) -> Q:
    """Deals over for longer than their team, or the house, keeps words."""
    as_house = Q(team=None) | Q(team__retention_days=None)
    past = as_house & Q(finished_at__lt=now - timedelta(days=house_days()))
    for team_id, days in Team.objects.exclude(retention_days=None).values_list("pk", "retention_days"):
        past |= Q(team_id=team_id, finished_at__lt=now - timedelta(days=days or 0))
    return past & Q(redaction=None) & ~Q(status="live")


def purge(now: datetime | None = None) -> int:
    """Take out every word kept long enough, and archives that nobody needs any more."""
    now = now or timezone.now()
    DataExport.objects.filter(asked_at__lt=now - EXPORT_LIFETIME).delete()
    past, reason = _kept_long_enough(now), Redaction.Reason.RETENTION
    done = games_redact(list(Game.objects.filter(past).values_list("pk", flat=True)), reason=reason)
    for_three = list(CoalitionDeal.objects.filter(past).values_list("pk", flat=True))
    return done + coalitions_redact(for_three, reason=reason)
