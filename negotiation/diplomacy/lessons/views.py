"""The lesson of a finished game, for the one who played it."""

from __future__ import annotations

import uuid

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import quotas
from negotiation.diplomacy.lessons import pages, services
from negotiation.diplomacy.selectors import place_of
from negotiation.views import signed_in
from owed import services as owed


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def lesson(request: HttpRequest, game_id: uuid.UUID) -> HttpResponse:
    """Who promised what, and what it was worth. Opening it asks for it; sending it asks again for one that failed."""
    place = place_of(game_id, signed_in(request))
    if place is None or place.game.is_live:
        raise Http404("There is no such finished game of yours.")
    found = services.lesson_request(seat=place.seat)
    if request.method == "POST":
        quotas.spend(request, "work")
        owed.again(found)
        return redirect(request.path)
    return render(request, "alliances/lesson.html", pages.lesson_page(place.seat, found))
