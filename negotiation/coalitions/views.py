"""The pages of a deal for three: sit down, play, have it watched, look back. Turns go over its socket (``consumers``)."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import quotas
from accounts.models import User
from accounts.selectors import team_of
from negotiation.coalitions import links, selectors
from negotiation.coalitions.events import REVEAL
from negotiation.coalitions.forms import CoalitionForm, action_from, posted, scope_from
from negotiation.coalitions.models import CoalitionDeal
from negotiation.coalitions.pages import DebriefPage
from negotiation.coalitions.plain import PlainTable
from negotiation.coalitions.services import deal_act, deal_create
from negotiation.engine.coalition import SEATS, coalition_scenarios
from negotiation.engine.deal import personas
from negotiation.engine.deal.errors import ActionRefused
from negotiation.table.errors import MoveRefused
from negotiation.table.links import LinkRefused, guarded
from negotiation.table.watching import address_of, closed, private, viewer_of
from negotiation.views import signed_in

Refused = MoveRefused | ActionRefused

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
    return _shown(request, deal)


def _shown(request: HttpRequest, deal: CoalitionDeal, refused: Refused | None = None) -> HttpResponse:
    """The table; with what was wrong with a turn that came as a form."""
    scenario = coalition_scenarios()[deal.scenario]
    bootstrap = selectors.bootstrap_of(deal)
    context: dict[str, Any] = {
        "deal": deal,
        "scenario": scenario,
        "brief": selectors.brief_of(deal),
        "seats": bootstrap["seats"],
        "plain": PlainTable(bootstrap, scenario),
        "action_id": uuid.uuid4(),
        "refused": refused,
        "typed": request.POST.get("text", ""),
        "bootstrap": bootstrap,
    }
    return render(request, "coalition/table.html", context, status=422 if refused else 200)


@require_POST
def coalition_act(request: HttpRequest, deal_id: uuid.UUID) -> HttpResponse:
    """Take a turn that was sent as a form, and go to what it led to; with scripts a turn goes over the socket."""
    user = signed_in(request)
    deal = selectors.deal_of_player(deal_id, user)
    if deal is None or deal.kept_debrief is not None:
        raise Http404(NO_SUCH_DEAL)
    try:
        action = action_from(posted(request.POST))
        deal_act(deal_id=deal_id, player=user, action_id=_action_id(request.POST), action=action)
    except (MoveRefused, ActionRefused) as refused:
        return _shown(request, deal, refused)
    return redirect("coalition-table", deal_id=deal_id)


def _action_id(form: QueryDict) -> uuid.UUID:
    try:
        return uuid.UUID(form.get("action_id", ""))
    except ValueError:
        raise MoveRefused("bad_action_id", "A turn carries a UUID of its own.", "action_id") from None


@require_POST
def coalition_link(request: HttpRequest, deal_id: uuid.UUID) -> HttpResponse:
    """A link for a spectator; its address is told this once."""
    user = signed_in(request)
    deal = _to_share(deal_id, user)
    try:
        scope = scope_from(request.POST.get("scope", "watch"))
    except MoveRefused as refused:
        return JsonResponse({"field": refused.field, "message": refused.message}, status=422)
    quotas.spend(request, "links")
    link, token = links.link_create(deal=deal, created_by=user, scope=scope)
    url = request.build_absolute_uri(reverse("coalition-watch", args=[token]))
    answer = {"url": url, "scope": link.scope, "expires_at": link.expires_at.isoformat()}
    return JsonResponse(answer, status=201)


@require_POST
def coalition_links_revoke(request: HttpRequest, deal_id: uuid.UUID) -> HttpResponse:
    """Withdraw one's links to this deal."""
    user = signed_in(request)
    return JsonResponse({"revoked": links.links_revoke(deal=_to_share(deal_id, user), user=user)})


def _to_share(deal_id: uuid.UUID, user: User) -> CoalitionDeal:
    deal = selectors.deal_to_share(deal_id, user)
    if deal is None:
        raise Http404(NO_SUCH_DEAL)
    return deal


@login_not_required
@require_safe
def coalition_watch(request: HttpRequest, token: str) -> HttpResponse:
    """A deal through a link. The page holds no truth; that comes over the socket, which marks the deal."""
    viewer = viewer_of(request)
    try:
        opened = guarded(address_of(request), lambda: selectors.link_opened(token, viewer))
    except LinkRefused as refused:
        return closed(request, refused)
    deal = opened.link.deal
    bootstrap = selectors.bootstrap_of(deal, role=opened.role, ws_url=f"/ws/coalition-watch/{token}/")
    context = {
        "deal": deal,
        "scenario": coalition_scenarios()[deal.scenario],
        "seats": bootstrap["seats"],
        "reveals": opened.role == REVEAL,
        "bootstrap": bootstrap,
    }
    return private(render(request, "coalition/watch.html", context))


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
