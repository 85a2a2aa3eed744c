"""Work without a person waiting: who left for good does not hold the other."""

from __future__ import annotations

from celery import shared_task

from negotiation.pairs import ending


@shared_task
def sweep_pairs() -> int:
    """End every deal whose time for a move is up. Doing it twice is harmless."""
    return ending.pairs_sweep()
