"""Stand-ins in the log: whether a deal asks its model no more, and how each model fared lately."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

from django.utils import timezone

from negotiation.models import Event
from negotiation.opponents.standins import RUNNING, counted, how


def has_given_up(game_id: uuid.UUID) -> bool:
    """Whether this deal asks its model no more."""
    rows = Event.objects.filter(game_id=game_id, type="answer_explained").order_by("-seq")
    last = [how(account) for account in rows.values_list("data", flat=True)[:RUNNING]]
    return last[:1] == ["given_up"] or last == ["refused"] * RUNNING


def lately(hours: int = 24) -> dict[str, dict[str, int]]:
    """The turns of each model over the last hours."""
    since = timezone.now() - timedelta(hours=hours)
    by_model: dict[str, list[dict[str, Any]]] = {}
    rows = Event.objects.filter(type="answer_explained", created_at__gte=since)
    for account in rows.values_list("data", flat=True):
        by_model.setdefault(account["model"], []).append(account)
    return {model: counted(accounts) for model, accounts in sorted(by_model.items())}
