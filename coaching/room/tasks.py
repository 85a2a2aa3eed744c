"""Work of the room without a person waiting."""

from __future__ import annotations

from celery import shared_task

from coaching.room import retention, sample, settlement


@shared_task
def settle_games() -> int:
    """Settle the games whose process died between their end and what follows from it."""
    games = settlement.games_unsettled()
    for game_id in games:
        settlement.settle(game_id)
    return len(games)


@shared_task
def purge_transcripts() -> int:
    """Every night: take out the words that were kept long enough."""
    return retention.purge()


@shared_task
def furnish_sample() -> int:
    """Give the demo team its colleagues."""
    return sample.furnish()
