"""Lessons, worked out when nobody waits at a table for the processor."""

from __future__ import annotations

from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from negotiation.diplomacy.lessons import services
from negotiation.diplomacy.models import AllianceLesson

_LOST = timedelta(minutes=2)


@shared_task
def work_out(lesson_id: int) -> bool:
    """One lesson."""
    return services.lesson_run(lesson_id=lesson_id)


@shared_task
def work_out_what_is_owed() -> int:
    """Take over lessons whose worker died or was never told."""
    owed = AllianceLesson.objects.filter(done_at=None, asked_at__lt=timezone.now() - _LOST)
    return sum(services.lesson_run(lesson_id=pk) for pk in owed.values_list("pk", flat=True))
