"""From the review back to the table."""

from __future__ import annotations

import uuid

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from accounts import quotas
from coaching.retry import selectors, services
from negotiation.models import Game
from negotiation.services import game_swap
from negotiation.table.errors import MoveRefused
from negotiation.views import signed_in


@require_POST
def retry(request: HttpRequest, game_id: uuid.UUID) -> HttpResponse:
    """A new table from before the turn named by ``turn``."""
    game = selectors.game_to_retry(game_id, signed_in(request))
    if game is None:
        raise Http404("There is no such deal of yours.")
    raw = request.POST.get("turn", "")
    if not (raw.isascii() and raw.isdigit() and len(raw) < 6):
        return _refused(request, game, "Say from which turn on: a number.", 422)
    try:
        with quotas.spending(request, "deals"):
            branch = services.retry_start(parent=game, turn=int(raw))
    except MoveRefused as refused:
        return _refused(request, game, refused.message, 422 if refused.field else 409)
    return redirect("deal-table", game_id=branch.pk)


@require_POST
def swap(request: HttpRequest, game_id: uuid.UUID) -> HttpResponse:
    """A new table with the same secrets, the player in the other chair."""
    game = selectors.game_to_retry(game_id, signed_in(request))
    if game is None:
        raise Http404("There is no such deal of yours.")
    try:
        with quotas.spending(request, "deals"):
            swapped = game_swap(parent=game)
    except MoveRefused as refused:
        return _refused(request, game, refused.message, 409)
    return redirect("deal-table", game_id=swapped.pk)


def _refused(request: HttpRequest, game: Game, message: str, status: int) -> HttpResponse:
    return render(request, "retry/refused.html", {"game": game, "message": message}, status=status)
