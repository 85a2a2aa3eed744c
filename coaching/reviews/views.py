"""The review of a game for its page: how far it is, and move by move what it says."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import quotas
from coaching import selectors as coaching
from coaching.analysis.finished_log import FinishedLog
from coaching.debriefs.their_side import their_side
from coaching.retry.selectors import may_retry
from coaching.reviews import selectors, services
from coaching.reviews.models import MoveReview
from negotiation import catalogue
from negotiation.engine.deal import personas
from negotiation.models import Game, Redaction
from negotiation.public import persona_card, scenario_card
from negotiation.selectors import frames_after, snapshot_of
from negotiation.views import signed_in
from owed import services as owed


def _game(request: HttpRequest, game_id: uuid.UUID) -> Game:
    game = coaching.game_to_debrief(game_id, signed_in(request))
    if game is None or game.status != Game.Status.FINISHED:
        raise Http404("There is no such finished deal of yours.")
    return game


def _review(game: Game) -> MoveReview | None:
    return selectors.latest_of(game.pk) or services.review_request(game=game)


@never_cache
@require_safe
def review(request: HttpRequest, game_id: uuid.UUID) -> JsonResponse:
    """The review, or how far it is. Opening it asks for one that was never asked for."""
    game = _game(request, game_id)
    found = _review(game)
    if found is None:
        return JsonResponse({"status": "none", "done": 0, "total": 0, "seconds": None, "review": None})
    owed.hasten(found)
    coach = game.player_id != signed_in(request).pk
    return JsonResponse(selectors.review_state(found, reveal=coach))


@never_cache
@require_safe
def moves(request: HttpRequest, game_id: uuid.UUID) -> HttpResponse:
    """The deal move by move, on a page of its own; what it says comes from ``review``."""
    game = _game(request, game_id)
    quotas.spend(request, "work")
    scenario, user = catalogue.for_game(game), signed_in(request)
    debriefed = coaching.debrief_of(game)
    return render(
        request,
        "debrief/moves.html",
        {
            "game": game,
            "scenario": scenario_card(scenario),
            "persona": persona_card(personas()[game.persona]),
            "debrief": debriefed,
            "theirs": their_side(FinishedLog(frames_after(game.id, 0, "coach"), scenario), debriefed),
            "talk": snapshot_of(game.id, "coach")["transcript"],
            "may_retry": may_retry(user, game),
            "wordless": Redaction.objects.filter(table=game).exists(),
        },
    )


@require_POST
def again(request: HttpRequest, game_id: uuid.UUID) -> JsonResponse:
    """Start a review that failed once more."""
    found = _review(_game(request, game_id))
    quotas.spend(request, "work")
    if found is not None:
        owed.again(found)
    return JsonResponse({"status": "waiting"}, status=202)


@require_POST
def try_move(request: HttpRequest, game_id: uuid.UUID, turn: int) -> JsonResponse:
    """A guess at the better move on a turn; answers with the whole of it. Without ``choice`` it is just shown."""
    game = _game(request, game_id)
    found = selectors.latest_of(game.pk)
    raw = request.POST.get("choice", "")
    if game.player_id != signed_in(request).pk:
        raise Http404("There is no such finished deal of yours.")
    if found is None or found.data is None:
        return JsonResponse({"field": None, "message": "The review is not ready yet."}, status=409)
    if raw and not (raw.isascii() and raw.isdigit()):
        return _refused("choice", "choice must be the number of one of the choices.")
    try:
        tried = services.move_try(reviewed=found, turn=turn, choice=int(raw) if raw else None)
    except services.NothingToTry as error:
        return _refused("choice", str(error))
    move: dict[str, Any] = next(each for each in found.data["moves"] if each["turn"] == turn)
    return JsonResponse(selectors.move_shown(move, found.pk, tried))


def _refused(field: str, message: str) -> JsonResponse:
    return JsonResponse({"field": field, "message": message}, status=422)
