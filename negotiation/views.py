"""The pages of a deal: choose one, play it."""

from __future__ import annotations

import uuid
from typing import Any

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import quotas
from accounts.models import User
from accounts.selectors import team_of
from accounts.services import guest_create
from negotiation import catalogue
from negotiation.engine.deal import CARDS, personas
from negotiation.engine.deal.tension import HOT
from negotiation.forms import DealForm
from negotiation.glossary import TERMS
from negotiation.guide import FIRST_DEAL, guide_leave, is_guided
from negotiation.public import card_shown, difficulty_levels, persona_card, scenario_card, seat_brief
from negotiation.selectors import bootstrap_of, game_of_player
from negotiation.services import game_create
from negotiation.serving.selectors import voice_of
from negotiation.table import kinds


def signed_in(request: HttpRequest) -> User:
    """The user of a view that demands one."""
    assert isinstance(request.user, User)  # noqa: S101  # who is not signed in gets no further than the middleware
    return request.user


@require_http_methods(["GET", "HEAD", "POST"])
def deal_new(request: HttpRequest) -> HttpResponse:
    """Choose scenario, persona, seat and difficulty."""
    form = DealForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        user = signed_in(request)
        quotas.spend(request, "deals")
        game = game_create(player=user, team=team_of(user), **form.game())
        return redirect("deal-table", game_id=game.id)
    return render(
        request,
        "deals/new.html",
        {
            "form": form,
            **_to_choose_from(form),
            "voices": form.voices,
            # With somebody one knows before what one plays alone.
            "choices": [
                kind.choice for kind in sorted(kinds.every(), key=lambda kind: kind.alone) if kind.choice
            ],
        },
        status=422 if form.is_bound else 200,
    )


def _to_choose_from(form: DealForm) -> dict[str, Any]:
    """What the page offers, and what stands chosen: what was sent, or the first of each."""
    scenarios = [scenario_card(scenario) for scenario in catalogue.playable().values()]
    across = [persona_card(persona) for persona in personas().values()]
    seats = [
        {
            "id": seat,
            "word": word,
            "roles": [{"scenario": card["id"], **card["seats"][seat]} for card in scenarios],
        }
        for seat, word in (("seller", _("You sell")), ("buyer", _("You buy")))
    ]
    offered = {"scenario": scenarios, "persona": across, "seat": seats}
    chosen = {
        name: next((card["id"] for card in cards if card["id"] == form[name].value()), cards[0]["id"])
        for name, cards in offered.items()
    }
    return {
        "scenarios": scenarios,
        "personas": across,
        "seats": seats,
        "chosen": chosen,
        "levels": difficulty_levels(),
    }


@login_not_required
@require_safe
def words(request: HttpRequest) -> HttpResponse:
    """``/words/``: every word of the table that somebody new to it has to be told."""
    terms = sorted(TERMS.values(), key=lambda term: str(term.word).casefold())
    return render(request, "pages/words.html", {"terms": terms})


@never_cache
@require_safe
def deal_table(request: HttpRequest, game_id: uuid.UUID) -> HttpResponse:
    """The table, for the one who plays there. Others are not told that it exists."""
    game = game_of_player(game_id, signed_in(request))
    if game is None:
        raise Http404("There is no such deal of yours.")
    scenario = catalogue.for_game(game)
    return render(
        request,
        "deals/table.html",
        {
            "game": game,
            "scenario": scenario_card(scenario),
            "persona": persona_card(personas()[game.persona]),
            "voice": voice_of(game),
            "brief": seat_brief(scenario, game.seat),
            "burns_from": round(HOT),
            "cards": [card_shown(card) for card in CARDS.values()],
            "bootstrap": bootstrap_of(game, role="player", ws_url=f"/ws/deals/{game.id}/"),
            "guided": is_guided(game),
        },
    )


@require_POST
def guide_left(request: HttpRequest, game_id: uuid.UUID) -> HttpResponse:
    """The guide of a first deal is not wanted."""
    game = game_of_player(game_id, signed_in(request))
    if game is None:
        raise Http404("There is no such deal of yours.")
    guide_leave(game)
    return HttpResponse(status=204)


@login_not_required
@require_POST
def guest_deal(request: HttpRequest) -> HttpResponse:
    """One click to a first deal, where demo mode is on: a guest, a deal, the table."""
    if not settings.DEMO:
        raise Http404
    if request.user.is_authenticated:
        return redirect(reverse("deal-new"))
    quotas.spend(request, "guests")
    guest = guest_create()
    game = game_create(player=guest, **FIRST_DEAL._asdict())
    login(request, guest, backend=settings.AUTHENTICATION_BACKENDS[0])
    return redirect("deal-table", game_id=game.id)
