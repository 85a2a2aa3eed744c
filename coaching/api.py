"""The typed API of debriefs."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest
from ninja import Router, Status

from accounts import quotas
from coaching.selectors import debrief_of, game_to_debrief
from negotiation.api import Problem
from negotiation.views import signed_in

router = Router(tags=["debriefs"])


@router.get(
    "/deals/{game_id}/debrief", response={200: dict[str, Any], 404: Problem, 409: Problem, 429: Problem}
)
def debrief(request: HttpRequest, game_id: uuid.UUID) -> Any:
    """The whole debrief of a finished deal of yours or of your team."""
    game = game_to_debrief(game_id, signed_in(request))
    if game is None:
        return Status(404, {"code": "no_such_game", "message": "There is no such deal of yours."})
    if game.status != game.Status.FINISHED:
        return Status(409, {"code": "not_over_yet", "message": "The debrief opens when the deal is over."})
    try:
        quotas.spend(request, "work")
    except quotas.TooMuch as spent:
        return Status(429, {"code": "too_much", "message": spent.message})
    return Status(200, debrief_of(game))
