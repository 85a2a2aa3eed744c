"""Writes of adapters. The server is asked between two short transactions, so no lock waits for it.

An adapter is offered only after its base was checked, the server took it, and it has said its first token.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import structlog
from django.utils import timezone

from negotiation.serving import server
from negotiation.serving.checks import AdapterFacts, AdapterRefused, check_base, read_adapter
from negotiation.serving.models import Adapter
from negotiation.serving.selectors import live_deals
from negotiation.serving.server import ServerAway, ServerTrouble
from negotiation.table.threads import in_database

log = structlog.get_logger(__name__)

Status = Adapter.Status


class AdapterBusy(Exception):
    """It can't be done now; the message says why."""


def adapter_register(*, name: str, title: str, path: str, **measured: Any) -> Adapter:
    """Note an adapter, or note that one of this name lies elsewhere now. Nothing is asked of the server yet.

    Args:
        measured: ``rating``, ``deviation`` and ``certificate``, from whoever measured it.
    """
    noted = {"title": title or name, "path": path, **measured}
    adapter, _ = Adapter.objects.update_or_create(name=name, defaults=noted)
    return adapter


async def adapter_load(*, adapter_id: int, offer: bool | None = None) -> Adapter:
    """Check an adapter, put it onto the server and warm it up; the same again takes new weights in place.

    Args:
        offer: whether players may choose it from then on; by default as it was.

    Returns:
        The adapter; where it failed, with the reason. One that was loaded stays on the server as it was.

    Raises:
        AdapterBusy: when the server does not answer; nothing is said of the adapter then.
    """
    adapter = await in_database(Adapter.objects.get, pk=adapter_id)
    try:
        facts, milliseconds = await asyncio.to_thread(_bring_up, adapter.name, adapter.path)
    except ServerAway as away:
        raise AdapterBusy(f"{adapter.name} can't be loaded now: {away}.") from None
    except (AdapterRefused, ServerTrouble) as trouble:
        log.warning("adapter_not_loaded", adapter=adapter.name, reason=str(trouble))
        return await in_database(_failed, adapter_id, str(trouble))
    log.info("adapter_loaded", adapter=adapter.name, milliseconds=milliseconds)
    return await in_database(_loaded, adapter_id, facts, milliseconds, offer)


def _bring_up(name: str, path: str) -> tuple[AdapterFacts, int]:
    facts = read_adapter(Path(path))
    served = server.models()
    check_base(facts, server.base_of(served).root)
    server.load(name, path, in_place=any(model.name == name for model in served))
    return facts, server.warm_up(name)


def _loaded(adapter_id: int, facts: AdapterFacts, milliseconds: int, offer: bool | None) -> Adapter:
    adapter = Adapter.objects.get(pk=adapter_id)
    offered = adapter.status == Status.OFFERED if offer is None else offer
    adapter.status = Status.OFFERED if offered else Status.LOADED
    adapter.reason = ""
    adapter.base, adapter.rank, adapter.targets = facts.base, facts.rank, list(facts.targets)
    adapter.sha256, adapter.warm_up_ms, adapter.loaded_at = facts.sha256, milliseconds, timezone.now()
    adapter.save()
    return adapter


def _failed(adapter_id: int, reason: str) -> Adapter:
    adapter = Adapter.objects.get(pk=adapter_id)
    adapter.status, adapter.reason = Status.FAILED, reason[:300]
    adapter.save()
    return adapter


def adapter_offer(*, adapter_id: int, offer: bool) -> Adapter:
    """Let players choose a loaded adapter, or no longer: deals under way go on with it.

    Raises:
        AdapterBusy: when it is not loaded.
    """
    adapter = Adapter.objects.get(pk=adapter_id)
    if not adapter.is_loaded:
        raise AdapterBusy(f"{adapter.name} is not loaded.")
    adapter.status = Status.OFFERED if offer else Status.LOADED
    adapter.save()
    return adapter


async def adapter_unload(*, adapter_id: int) -> Adapter:
    """Take an adapter off the server.

    Raises:
        AdapterBusy: while deals are under way with it, or when the server does not let go.
    """
    adapter = await in_database(_withdrawn, adapter_id)
    try:
        await asyncio.to_thread(_take_down, adapter.name)
    except ServerTrouble as trouble:
        raise AdapterBusy(f"{adapter.name} stays loaded: {trouble}.") from None
    log.info("adapter_unloaded", adapter=adapter.name)
    return await in_database(_retired, adapter_id)


def _take_down(name: str) -> None:
    if any(model.name == name for model in server.models()):
        server.unload(name)


def _withdrawn(adapter_id: int) -> Adapter:
    """No new deal may begin with it, before it is counted that none is under way."""
    adapter = Adapter.objects.get(pk=adapter_id)
    live = live_deals(adapter.name)
    if live:
        deals = "A deal is" if live == 1 else f"{live} deals are"
        raise AdapterBusy(f"{deals} under way with {adapter.name}. Withdraw it and let them end.")
    if adapter.status == Status.OFFERED:
        adapter.status = Status.LOADED
        adapter.save()
    return adapter


def _retired(adapter_id: int) -> Adapter:
    adapter = Adapter.objects.get(pk=adapter_id)
    adapter.status, adapter.reason, adapter.loaded_at = Status.RETIRED, "", None
    adapter.save()
    return adapter


async def adapters_restore() -> int:
    """Load again what the server has lost by a restart; returns how many came back."""
    wanted: list[Adapter] = await in_database(_wanted)
    if not wanted:
        return 0
    back = 0
    try:
        present = {model.name for model in await asyncio.to_thread(server.models)}
        for adapter in wanted:
            if adapter.name not in present:
                back += (await adapter_load(adapter_id=adapter.pk)).is_loaded
    except (ServerTrouble, AdapterBusy):
        log.warning("adapters_not_restored")  # there will be another look
    return back


def _wanted() -> list[Adapter]:
    return list(Adapter.objects.filter(status__in=[Status.LOADED, Status.OFFERED]))
