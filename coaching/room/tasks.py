"""Work of the room without a person waiting."""

from __future__ import annotations

import uuid

from celery import shared_task

from coaching.room import mydata, retention, sample, settlement


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
def build_export(export_id: str) -> None:
    """Put somebody's data together who has too much of it to wait."""
    mydata.export_build(export_id=uuid.UUID(export_id))


@shared_task
def build_exports_owed() -> int:
    """Build what a worker that died, or was never told, left."""
    owed = mydata.exports_owed()
    for export_id in owed:
        mydata.export_build(export_id=export_id)
    return len(owed)


@shared_task
def furnish_sample() -> int:
    """Give the demo team its colleagues."""
    return sample.furnish()
