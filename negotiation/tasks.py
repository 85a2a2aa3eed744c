"""Work without a person waiting: finish what a killed process owed, close what nobody came back to."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import structlog
from celery import shared_task

from negotiation import answering, selectors
from negotiation.ending import game_abandon
from negotiation.table.errors import LogDiverged
from negotiation.table.threads import close_threads, in_database

log = structlog.get_logger(__name__)

OVERDUE = timedelta(seconds=20)
IDLE = timedelta(days=7)


@shared_task
def resume_stuck_turns() -> int:
    """Resolve every move whose process died before the answer. Doing it twice is harmless."""
    return asyncio.run(_resume())


async def _resume() -> int:
    resumed = 0
    try:
        for game_id in await in_database(selectors.games_awaiting, longer_than=OVERDUE):
            try:
                resumed += await answering.turn_resolve(game_id=game_id)
            except LogDiverged:
                log.exception("log_diverged", game=str(game_id))
                await in_database(game_abandon, game_id=game_id)
    finally:
        close_threads()
    return resumed


@shared_task
def abandon_idle_games() -> int:
    """Give up live games untouched for a week."""
    return sum(game_abandon(game_id=game_id) for game_id in selectors.games_idle(longer_than=IDLE))
