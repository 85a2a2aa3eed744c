"""Reviews, worked out when nobody waits at a table for the processor."""

from __future__ import annotations

from celery import shared_task

from coaching.reviews import services
from negotiation.models import Game


@shared_task
def review_game(review_id: int) -> bool:
    """Review one game."""
    return services.review_run(review_id=review_id)


@shared_task
def review_what_is_owed() -> int:
    """Ask for reviews that were never asked for, and take over those whose worker died."""
    for game in Game.objects.filter(pk__in=services.games_unreviewed()):
        services.review_request(game=game)
    return sum(services.review_run(review_id=review_id) for review_id in services.reviews_owed())
