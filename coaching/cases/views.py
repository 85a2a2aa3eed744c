"""Two deals side by side."""

from __future__ import annotations

import uuid
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import quotas
from coaching.cases import selectors, services
from coaching.selectors import game_to_debrief
from negotiation.models import Game
from negotiation.views import signed_in


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def compare(request: HttpRequest, game_id: uuid.UUID) -> HttpResponse:
    """Lay the deal beside the one named by ``with``, an expert's by default. POST keeps the player's note on both."""
    user = signed_in(request)
    game = game_to_debrief(game_id, user)
    if game is None or game.status != Game.Status.FINISHED:
        raise Http404("There is no such finished deal of yours.")
    named = request.POST.get("with") or request.GET.get("with") or selectors.WITH_EXPERT
    other = None if named == selectors.WITH_EXPERT else selectors.other_game(named, game, user)
    if other is None and named != selectors.WITH_EXPERT:
        raise Http404("There is no such other deal of yours.")
    if request.method == "POST":
        return _noted(request, game, other, named)
    quotas.spend(request, "work")
    case = services.expert_replay(game=game) if other is None else selectors.case_of_game(other)
    own = selectors.case_of_game(game)
    context = {
        "game": game,
        "own": own,
        "other": case,
        "pair": [own, case],
        "own_title": selectors.title_of(game),
        "other_title": "An expert at the same table" if other is None else selectors.title_of(other),
        "lines": selectors.lines_beside(own, case) if case is not None else [],
        "named": named,
        "choices": selectors.comparable_with(game, user),
        "note": selectors.note_of(game, other),
        "may_note": game.player_id == user.pk,
        "longest": services.MAX_NOTE,
    }
    return render(request, "debrief/compare.html", context)


def _noted(request: HttpRequest, game: Game, other: Game | None, named: str) -> HttpResponse:
    if game.player_id != signed_in(request).pk:
        raise Http404("There is no such deal of yours.")
    try:
        kept = services.note_keep(game=game, other=other, text=request.POST.get("text", ""))
    except services.NoteRefused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, "Your note is kept." if kept else "There is no note now.")
    return redirect(f"{reverse('deal-compare', args=[game.pk])}?{urlencode({'with': named})}#note")
