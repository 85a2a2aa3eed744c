"""The pages of a deal for three: sit down, play, look back. Turns come and go as JSON."""

from __future__ import annotations

import json
import uuid
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import quotas
from accounts.selectors import team_of
from negotiation.coalitions import selectors
from negotiation.coalitions.forms import CoalitionForm, turn_from
from negotiation.coalitions.pages import DebriefPage
from negotiation.coalitions.services import deal_act, deal_create
from negotiation.engine.coalition import SEATS, coalition_scenarios
from negotiation.engine.deal import personas
from negotiation.engine.deal.errors import ActionRefused
from negotiation.table.errors import MoveRefused
from negotiation.views import signed_in

NO_SUCH_DEAL = "There is no such deal of yours."


@require_http_methods(["GET", "HEAD", "POST"])
def coalition_new(request: HttpRequest) -> HttpResponse:
    """Choose a seat and who sits in the other two."""
    form = CoalitionForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        user = signed_in(request)
        quotas.spend(request, "deals")
        deal = deal_create(
            player=user,
            team=team_of(user),
            scenario=form.cleaned_data["scenario"],
            seat=form.cleaned_data["seat"],
            opponents=form.opponents,
        )
        return redirect("coalition-table", deal_id=deal.id)
    scenario = next(iter(coalition_scenarios().values()))
    usual = dict(zip(SEATS, ("shark", "diplomat", "veteran"), strict=True))
    seats = [
        {
            "id": seat,
            "company": scenario.seats[seat].company,
            "role": scenario.seats[seat].role,
            "goals": scenario.seats[seat].goals,
            "persona": form.data.get(f"persona_{seat}") or usual[seat],
            "chosen": seat == (form.data.get("seat") or "seller"),
        }
        for seat in SEATS
    ]
    context = {"form": form, "scenario": scenario, "seats": seats, "personas": personas().values()}
    return render(request, "coalition/new.html", context, status=422 if form.is_bound else 200)


@never_cache
@require_safe
def coalition_table(request: HttpRequest, deal_id: uuid.UUID) -> HttpResponse:
    """The table, for the one who plays there. Others are not told that it exists."""
    deal = selectors.deal_of_player(deal_id, signed_in(request))
    if deal is None:
        raise Http404(NO_SUCH_DEAL)
    if deal.kept_debrief is not None:
        return redirect("coalition-debrief", deal_id=deal.id)
    scenario = coalition_scenarios()[deal.scenario]
    context: dict[str, Any] = {
        "deal": deal,
        "scenario": scenario,
        "brief": selectors.brief_of(deal),
        "seats": selectors.seats_of(deal, scenario),
        "bootstrap": selectors.bootstrap_of(deal),
    }
    return render(request, "coalition/table.html", context)


@never_cache
@require_safe
def coalition_log(request: HttpRequest, deal_id: uuid.UUID) -> HttpResponse:
    """What happened since the event that the page names."""
    deal = selectors.deal_of_player(deal_id, signed_in(request))
    since = request.GET.get("since", "0")
    if deal is None or deal.kept_debrief is not None or not since.isdecimal() or len(since) > 9:
        raise Http404(NO_SUCH_DEAL)
    return JsonResponse(selectors.update_of(deal, int(since)))


@require_POST
def coalition_act(request: HttpRequest, deal_id: uuid.UUID) -> HttpResponse:
    """Take a turn; the answer is what it led to, as far as the player may see it."""
    try:
        turn = turn_from(json.loads(request.body))
        deal = deal_act(
            deal_id=deal_id, player=signed_in(request), action_id=turn.action_id, action=turn.action
        )
    except (ValueError, RecursionError) as refused:
        if not isinstance(refused, MoveRefused | ActionRefused):
            refused = ActionRefused("bad_turn", "A turn is a JSON object.", None)
        answer = {"code": refused.code, "message": refused.message, "field": refused.field}
        return JsonResponse(answer, status=404 if refused.code == "no_such_game" else 422)
    return JsonResponse(selectors.update_of(deal, turn.since))


@never_cache
@require_safe
def coalition_debrief(request: HttpRequest, deal_id: uuid.UUID) -> HttpResponse:
    """How it went, and what theory says of it."""
    user = signed_in(request)
    deal = selectors.deal_to_debrief(deal_id, user)
    if deal is None:
        raise Http404(NO_SUCH_DEAL)
    if deal.is_live:
        return redirect("coalition-table", deal_id=deal.id) if deal.player_id == user.pk else redirect("home")
    scenario = coalition_scenarios()[deal.scenario]
    seats = selectors.seats_of(deal, scenario)
    found = selectors.debrief_of(deal)
    page = DebriefPage(found, scenario, seats)
    context = {
        "deal": deal,
        "scenario": scenario,
        "seats": seats,
        "debrief": found,
        "headline": page.headline(),
        "rows": page.rows(),
        "bootstrap": {"seat": deal.seat, "seats": seats, "currency": scenario.currency, "debrief": found},
    }
    return render(request, "coalition/debrief.html", context)
