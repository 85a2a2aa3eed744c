"""The task that does work of any kind, and the sweep."""

from __future__ import annotations

from typing import Any

from celery import shared_task

from owed import kinds, services
from owed.queues import AWAITED


@shared_task(bind=True)
def do(self: Any, name: str, pk: str) -> bool:
    """Do one piece of work. Delivered twice it is done once.

    A message says that there is work, and which was meant when it was sent. Where somebody looks at a page for it, that is
    done; else what is fairest by now, so that no team's flood of it holds up another's one.
    """
    work = kinds.named(name)
    waited_for = (self.request.delivery_info or {}).get("routing_key") == AWAITED
    return services.do(work, pk if waited_for else services.fairest(work, pk))


@shared_task
def sweep() -> dict[str, int]:
    """Hand out what was asked for and never taken, or whose worker is lost."""
    return services.sweep()
