"""Work without a person waiting: clocks that ran out while nobody looked."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from negotiation.diplomacy import services
from negotiation.diplomacy.models import BoardGame


@shared_task
def close_overdue_phases() -> int:
    """Play every phase whose time is up. Doing it twice is harmless."""
    due = BoardGame.objects.filter(status=BoardGame.Status.LIVE, deadline__lte=timezone.now())
    return sum(services.phase_due(game_id=game_id) for game_id in due.values_list("pk", flat=True))
