"""Work for practice without a person waiting."""

from __future__ import annotations

from celery import shared_task

from coaching.skills import services
from coaching.skills.models import PracticeCard


@shared_task
def deal_drill(card_id: int) -> bool:
    """Deal the next positions of a drill. False when its card is gone or nothing could be dealt."""
    card = PracticeCard.objects.filter(pk=card_id).first()
    return card is not None and services.drill_deal(card=card) is not None


@shared_task
def learn_what_is_owed() -> int:
    """Learn from reviews whose worker died before it could."""
    return services.reviews_learn()
