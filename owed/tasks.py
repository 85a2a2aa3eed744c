"""The task that does work of any kind, and the sweep."""

from __future__ import annotations

from celery import shared_task

from owed import kinds, services


@shared_task
def do(name: str, pk: str) -> bool:
    """Do one piece of work. Delivered twice it is done once."""
    return services.do(kinds.named(name), pk)


@shared_task
def sweep() -> dict[str, int]:
    """Hand out what was asked for and never taken, or whose worker is lost."""
    return services.sweep()
