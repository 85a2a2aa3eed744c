"""The model server's page, for staff. The server is asked from threads of its own, so no other page waits for it."""

from __future__ import annotations

import asyncio
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from negotiation import seating, standins
from negotiation.serving import health, selectors, services
from negotiation.serving.forms import AdapterForm
from negotiation.serving.models import Adapter
from negotiation.serving.services import AdapterBusy


async def staff(request: HttpRequest) -> User:
    """Who may see and change what is served: staff, and nobody else."""
    user = await request.auser()
    if not isinstance(user, User) or not user.is_staff:
        raise PermissionDenied
    return user


@never_cache
@require_safe
async def server_page(request: HttpRequest) -> HttpResponse:
    """How the server fares, its adapters, and a form for one more."""
    await staff(request)
    return await _page(request, AdapterForm())


@never_cache
@require_safe
async def server_now(request: HttpRequest) -> HttpResponse:
    """The part of the page that changes by itself."""
    await staff(request)
    return await _page(request, None, template="serving/_now.html")


@require_POST
async def adapter_add(request: HttpRequest) -> HttpResponse:
    """Note an adapter and load it at once."""
    await staff(request)
    form = AdapterForm(request.POST)
    if not form.is_valid():
        return await _page(request, form, status=422)
    chosen = form.cleaned_data
    adapter = await sync_to_async(services.adapter_register)(
        name=chosen["name"], title=chosen["title"], path=chosen["path"]
    )
    return await _load(request, adapter.pk, offer=chosen["offer"] or None)


@require_POST
async def adapter_act(request: HttpRequest, adapter_id: int, action: str) -> HttpResponse:
    """Load, offer, withdraw or unload an adapter."""
    await staff(request)
    try:
        if action == "load":
            return await _load(request, adapter_id)
        if action == "unload":
            adapter = await services.adapter_unload(adapter_id=adapter_id)
            said = f"{adapter.name} is off the server."
        else:
            offer = action == "offer"
            adapter = await sync_to_async(services.adapter_offer)(adapter_id=adapter_id, offer=offer)
            said = (
                f"Players may choose {adapter.title} now."
                if offer
                else f"{adapter.title} is no longer offered."
            )
    except Adapter.DoesNotExist:
        raise Http404("There is no such adapter.") from None
    except AdapterBusy as busy:
        return await _back(request, messages.ERROR, str(busy))
    return await _back(request, messages.SUCCESS, said)


async def _load(request: HttpRequest, adapter_id: int, *, offer: bool | None = None) -> HttpResponse:
    try:
        adapter = await services.adapter_load(adapter_id=adapter_id, offer=offer)
    except AdapterBusy as busy:
        return await _back(request, messages.ERROR, str(busy))
    if adapter.is_loaded:
        return await _back(request, messages.SUCCESS, f"{adapter.name} is loaded and warm.")
    return await _back(request, messages.ERROR, f"{adapter.name}: {adapter.reason}.")


@sync_to_async
def _back(request: HttpRequest, level: int, text: str) -> HttpResponse:
    messages.add_message(request, level, text)
    return redirect("model-server")


async def _page(
    request: HttpRequest, form: AdapterForm | None, *, template: str = "serving/page.html", status: int = 200
) -> HttpResponse:
    seen = await asyncio.to_thread(health.look) if settings.MODEL_URL else None
    return await sync_to_async(_render)(request, seen, form, template, status)


def _render(
    request: HttpRequest, seen: health.Look | None, form: AdapterForm | None, template: str, status: int
) -> HttpResponse:
    present = seen.names if seen else frozenset()
    rows = selectors.rows(present)
    noted = {row["adapter"].name for row in rows}
    context: dict[str, Any] = {
        "url": settings.MODEL_URL,
        "usual": settings.MODEL_NAME if settings.MODEL_STYLE == "full" else "",
        "seen": seen,
        "bases": [model for model in seen.models if model.parent is None] if seen else [],
        "strays": [model for model in seen.models if model.parent and model.name not in noted]
        if seen
        else [],
        "ours": seating.health() if seen else None,
        "turns": standins.lately(),
        "turn_seconds": settings.MODEL_TURN_SECONDS,
        "rows": rows,
        "form": form,
    }
    return render(request, template, context, status=status)
