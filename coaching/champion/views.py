"""The part of a debrief that tells how the champion would have played."""

from __future__ import annotations

import uuid

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from coaching.analysis.cases import beside
from coaching.cases.selectors import case_of_game
from coaching.champion.services import champion_shown
from coaching.selectors import game_to_debrief
from negotiation.models import Game
from negotiation.views import signed_in


@never_cache
@require_safe
def champion_part(request: HttpRequest, game_id: uuid.UUID) -> HttpResponse:
    """The section as it stands; opening it asks for what was never worked out."""
    game = game_to_debrief(game_id, signed_in(request))
    if game is None or game.status != Game.Status.FINISHED or game.turns == 0:
        raise Http404("There is no such finished deal of yours.")
    shown = champion_shown(game)
    if shown["case"]:
        own = case_of_game(game)
        shown |= {
            "own_case": own,
            "pair": [own, shown["case"]],
            "lines": beside(own["lines"], shown["case"]["lines"]),
        }
    return render(request, "debrief/_champion.html", shown)
