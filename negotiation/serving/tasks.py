"""Work without a person waiting: after a restart of the model server its adapters come back."""

from __future__ import annotations

import asyncio

from celery import shared_task

from negotiation.serving import services
from negotiation.table.threads import close_threads


@shared_task
def restore_adapters() -> int:
    """Load what the server lost. Doing it twice is harmless."""
    return asyncio.run(_restore())


async def _restore() -> int:
    try:
        return await services.adapters_restore()
    finally:
        close_threads()
