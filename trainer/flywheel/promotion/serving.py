"""Bringing the model server in line with what was decided. Doing it again changes nothing.

The new champion is loaded and offered first; only then is the old one no longer offered, so that there is always
somebody to play. Deals under way end on the model that they began with: it stays loaded until the last of them is over.
"""

from __future__ import annotations

import structlog
from django.conf import settings
from django.urls import reverse

from negotiation.serving import services as serving
from negotiation.serving.models import Adapter
from negotiation.serving.selectors import live_deals
from negotiation.table.threads import in_database
from trainer.flywheel.promotion.keeping import NotKept, adapter_at_hand
from trainer.flywheel.promotion.models import Generation

log = structlog.get_logger(__name__)


async def champions_serve() -> int:
    """Load champions that are not offered yet, and let go of generations that nobody plays; how many were loaded."""
    if not settings.MODEL_URL:
        return 0
    loaded = 0
    for champion in await in_database(_champions):
        try:
            adapter = await in_database(_registered, champion)
        except NotKept as problem:  # the storage is away; there will be another look
            log.warning("champion_not_at_hand", generation=champion.name, reason=str(problem))
            continue
        if adapter.status in (Adapter.Status.OFFERED, Adapter.Status.FAILED):
            continue
        try:
            adapter = await serving.adapter_load(adapter_id=adapter.pk, offer=True)
        except serving.AdapterBusy as busy:  # the server is away; there will be another look
            log.warning("champion_not_served", generation=champion.name, reason=str(busy))
            continue
        loaded += adapter.is_loaded
    for adapter in await in_database(_outplayed):
        if adapter.status == Adapter.Status.OFFERED:
            await in_database(_withdraw, adapter.pk)
        elif not await in_database(live_deals, adapter.name):
            try:
                await serving.adapter_unload(adapter_id=adapter.pk)
            except serving.AdapterBusy as busy:
                log.warning("generation_stays_loaded", generation=adapter.name, reason=str(busy))
    return loaded


def _withdraw(adapter_id: int) -> Adapter:
    return serving.adapter_offer(adapter_id=adapter_id, offer=False)


def _champions() -> list[Generation]:
    return list(Generation.objects.filter(state=Generation.State.CHAMPION, style=settings.MODEL_STYLE))


def _registered(champion: Generation) -> Adapter:
    """The champion's row at the server's; one that was retired there is new again."""
    adapter = serving.adapter_register(
        name=champion.name,
        title=champion.title,
        path=adapter_at_hand(champion),
        rating=champion.rating,
        deviation=champion.deviation,
        certificate=reverse("certificate", args=[champion.number]),
    )
    if adapter.status == Adapter.Status.RETIRED:
        adapter.status = Adapter.Status.NEW
        adapter.save(update_fields=["status", "updated_at"])
    return adapter


def _outplayed() -> list[Adapter]:
    """Retired generations that are still on the server, where the champion of their base plays already."""
    found = []
    for generation in Generation.objects.filter(state=Generation.State.RETIRED):
        adapter = Adapter.objects.filter(
            name=generation.name, status__in=[Adapter.Status.LOADED, Adapter.Status.OFFERED]
        ).first()
        if adapter is not None and _replaced(generation):
            found.append(adapter)
    return found


def _replaced(generation: Generation) -> bool:
    champion = Generation.objects.filter(
        base=generation.base, style=generation.style, state=Generation.State.CHAMPION
    ).first()
    return (
        champion is None or Adapter.objects.filter(name=champion.name, status=Adapter.Status.OFFERED).exists()
    )


def adapter_of(generation: Generation) -> Adapter | None:
    """Its row at the server's, if it was ever there."""
    return Adapter.objects.filter(name=generation.name).first()
