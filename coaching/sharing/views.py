"""The page behind a shared link."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts import quotas
from coaching import services
from coaching.selectors import shared_opened
from coaching.sharing.shown import shown
from negotiation.table.links import LinkRefused, guarded
from negotiation.table.watching import address_of, closed, private, viewer_of


@login_not_required
@require_safe
def shared(request: HttpRequest, token: str) -> HttpResponse:
    """A finished deal as its player shares it; whoever has the link may read it."""
    try:
        link = guarded(address_of(request), lambda: shared_opened(token))
    except LinkRefused as refused:
        return closed(request, refused)
    quotas.spend(request, "work")
    # A page that looks again whether the review is there is the same reader's.
    if "again" not in request.GET:
        services.shared_view(link=link, viewer=viewer_of(request))
    return private(render(request, "shared/shared.html", shown(link)))
