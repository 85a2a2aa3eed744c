"""The champion's games, worked out when nobody waits at a table."""

from __future__ import annotations

from celery import shared_task

from coaching.champion import services


@shared_task
def replay_champion(replay_id: int) -> bool:
    """Play one deal in the player's chair."""
    return services.replay_run(replay_id=replay_id)
