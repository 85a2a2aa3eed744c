"""The pages of a deal between two people: invite, sit down, play, have it watched, look back. Moves go over its socket."""

from __future__ import annotations

import uuid
from typing import Any

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import quotas
from accounts.models import User
from accounts.services import guest_create
from negotiation import catalogue
from negotiation.engine.deal.tension import HOT
from negotiation.engine.deal.types import OTHER_SEAT, Seat
from negotiation.pairs import links, selectors, services
from negotiation.pairs.events import WATCHES
from negotiation.pairs.forms import PairForm, scope_from
from negotiation.pairs.models import PairDeal, PairLink
from negotiation.pairs.pages import DebriefPage, person_card
from negotiation.pairs.selectors import Side
from negotiation.pairs.sessions import scenario_of
from negotiation.public import scenario_card, seat_brief
from negotiation.table.errors import MoveRefused
from negotiation.table.links import LinkRefused, guarded
from negotiation.table.watching import address_of, closed, private, viewer_of
from negotiation.views import signed_in

NO_SUCH_DEAL = "There is no such deal of yours."
_INVITED = "pair-invitations"
"""In a browser's session: the tokens of the invitations that were made there, by deal, for the waiting page."""


@require_http_methods(["GET", "HEAD", "POST"])
def pair_new(request: HttpRequest) -> HttpResponse:
    """Choose a deal and a seat, and get a link for whoever is to sit across."""
    form = PairForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        quotas.spend(request, "deals")
        deal, token = services.pair_open(opener=signed_in(request), **form.cleaned_data)
        _keep_token(request, deal, token)
        return redirect("pair-table", deal_id=deal.id)
    scenarios = [scenario_card(scenario) for scenario in catalogue.playable().values()]
    context = {"form": form, "scenarios": scenarios, "paces": services.PACES}
    return render(request, "pairs/new.html", context, status=422 if form.is_bound else 200)


def _keep_token(request: HttpRequest, deal: PairDeal, token: str) -> None:
    request.session[_INVITED] = {**request.session.get(_INVITED, {}), str(deal.pk): token}


@never_cache
@require_safe
def pair_table(request: HttpRequest, deal_id: uuid.UUID) -> HttpResponse:
    """The table, for the two who sit there; until the second has come, the invitation. Others are not told of it."""
    user = signed_in(request)
    deal = selectors.deal_of_player(deal_id, user)
    seat = None if deal is None else selectors.seat_of(deal, user)
    if deal is None or seat is None or deal.status == PairDeal.Status.WITHDRAWN:
        raise Http404(NO_SUCH_DEAL)
    if deal.status == PairDeal.Status.WAITING:
        return _waiting(request, deal, seat)
    scenario, other = scenario_of(deal), OTHER_SEAT[seat]
    bootstrap = selectors.bootstrap_of(deal, role=seat, ws_url=f"/ws/pairs/{deal.pk}/")
    context = {
        "pair": True,
        "game": {"seat": seat, "id": deal.pk},
        "deal": deal,
        "scenario": scenario_card(scenario),
        "persona": person_card(selectors.name_of(deal, other), scenario, other),
        "brief": seat_brief(scenario, seat),
        "burns_from": round(HOT),
        "watchers": selectors.watchers_of(deal, seat),
        "bootstrap": bootstrap,
    }
    return render(request, "pairs/table.html", context)


def _waiting(request: HttpRequest, deal: PairDeal, seat: Seat) -> HttpResponse:
    scenario = scenario_of(deal)
    token = request.session.get(_INVITED, {}).get(str(deal.pk))
    invitation = request.build_absolute_uri(reverse("pair-join", args=[token])) if token else ""
    context = {
        "deal": deal,
        "scenario": scenario_card(scenario),
        "brief": seat_brief(scenario, seat),
        "across": seat_brief(scenario, OTHER_SEAT[seat]),
        "pace": services.PACES[deal.move_within],
        "invitation": invitation,
        "days": services.INVITED_FOR.days,
        "bootstrap": {"ws_url": f"/ws/pairs/{deal.pk}/", "last_seq": 0},
    }
    return _secret_with_a_form(render(request, "pairs/waiting.html", context))


def _secret_with_a_form(response: HttpResponse) -> HttpResponse:
    """A page that names an invitation: its address is told to this house alone, which asks where a form comes from."""
    response = private(response)
    response["Referrer-Policy"] = "same-origin"
    return response


@require_POST
def pair_invite(request: HttpRequest, deal_id: uuid.UUID) -> HttpResponse:
    """Another invitation; the one before opens no more."""
    quotas.spend(request, "links")
    user = signed_in(request)
    try:
        token = services.invitation_renew(deal_id=deal_id, opener=user)
    except MoveRefused as refused:
        return _no_longer(deal_id, refused)
    deal = selectors.deal_of_player(deal_id, user)
    if deal is not None:
        _keep_token(request, deal, token)
    return redirect("pair-table", deal_id=deal_id)


@require_POST
def pair_withdraw(request: HttpRequest, deal_id: uuid.UUID) -> HttpResponse:
    """Clear a table at which nobody has come to sit."""
    try:
        services.pair_withdraw(deal_id=deal_id, opener=signed_in(request))
    except MoveRefused as refused:
        return _no_longer(deal_id, refused)
    return redirect("home")


def _no_longer(deal_id: uuid.UUID, refused: MoveRefused) -> HttpResponse:
    """Somebody was faster: to the table, where it is one's own."""
    if refused.code == "no_such_game":
        raise Http404(NO_SUCH_DEAL)
    return redirect("pair-table", deal_id=deal_id)


@never_cache
@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def pair_join(request: HttpRequest, token: str) -> HttpResponse:
    """What an invitation leads to, and the seat to take. Nothing is taken by looking at it."""
    viewer = viewer_of(request)
    taken = selectors.taken_by(token, viewer)
    if taken is not None:
        return redirect("pair-table", deal_id=taken.pk)
    try:
        link = guarded(address_of(request), lambda: selectors.invitation(token))
        if selectors.seat_of(link.deal, viewer) is not None:
            raise LinkRefused("own_invitation")
        if request.method == "POST" and (viewer is not None or settings.DEMO):
            return _seated(request, link, viewer)
    except LinkRefused as refused:
        return closed(request, refused)
    deal = link.deal
    seat: Seat = "seller" if link.seat == "seller" else "buyer"
    scenario = scenario_of(deal)
    context = {
        "scenario": scenario_card(scenario),
        "host": selectors.name_of(deal, OTHER_SEAT[seat]),
        "brief": seat_brief(scenario, seat),
        "pace": services.PACES[deal.move_within],
        "token": token,
        "viewer": viewer,
    }
    return _secret_with_a_form(render(request, "pairs/join.html", context))


def _seated(request: HttpRequest, link: PairLink, viewer: User | None) -> HttpResponse:
    """Sit down, as a guest where nobody is signed in."""
    if viewer is None:
        quotas.spend(request, "guests")
        viewer = guest_create()
        deal = services.pair_join(link=link, user=viewer)
        login(request, viewer, backend=settings.AUTHENTICATION_BACKENDS[0])
    else:
        quotas.spend(request, "deals")
        deal = services.pair_join(link=link, user=viewer)
    return redirect("pair-table", deal_id=deal.pk)


@require_POST
def pair_link(request: HttpRequest, deal_id: uuid.UUID) -> HttpResponse:
    """A link for somebody who looks on at one side; its address is told this once."""
    side = _side(request, deal_id)
    try:
        scope = scope_from(request.POST.get("scope", "watch"))
    except MoveRefused as refused:
        return JsonResponse({"field": refused.field, "message": refused.message}, status=422)
    quotas.spend(request, "links")
    link, token = links.link_create(
        deal=side.deal, seat=side.seat, created_by=signed_in(request), scope=scope
    )
    url = request.build_absolute_uri(reverse("pair-watch", args=[token]))
    answer = {"url": url, "scope": link.scope, "expires_at": link.expires_at.isoformat()}
    return JsonResponse(answer, status=201)


@require_POST
def pair_links_revoke(request: HttpRequest, deal_id: uuid.UUID) -> HttpResponse:
    """Withdraw one's links to this deal."""
    side = _side(request, deal_id)
    return JsonResponse({"revoked": links.links_revoke(deal=side.deal, user=signed_in(request))})


def _side(request: HttpRequest, deal_id: uuid.UUID) -> Side:
    """The side that is asked for by ``?seat=``, where somebody may look at several; the first otherwise."""
    sides = selectors.sides_of(deal_id, signed_in(request))
    asked = request.GET.get("seat")
    found = next((side for side in sides if side.seat == asked), sides[0] if sides and not asked else None)
    if found is None or found.deal.status in (PairDeal.Status.WAITING, PairDeal.Status.WITHDRAWN):
        raise Http404(NO_SUCH_DEAL)
    return found


@login_not_required
@require_safe
def pair_watch(request: HttpRequest, token: str) -> HttpResponse:
    """One side of a deal through a link. The page holds no sheet; that comes over the socket, which notes who looked."""
    viewer = viewer_of(request)
    try:
        opened = guarded(address_of(request), lambda: selectors.link_opened(token, viewer))
    except LinkRefused as refused:
        return closed(request, refused)
    deal = opened.link.deal
    scenario = scenario_of(deal)
    other: Seat = "buyer" if opened.link.seat == "seller" else "seller"
    seat = OTHER_SEAT[other]
    context: dict[str, Any] = {
        "scenario": scenario_card(scenario),
        "persona": person_card(selectors.name_of(deal, other), scenario, other),
        "brief": seat_brief(scenario, seat),
        "role": "watcher",
        "bootstrap": selectors.watch_bootstrap_of(
            deal,
            role=opened.role,
            ws_url=f"/ws/pair-watch/{token}/",
            open_sheet=not opened.role.startswith(WATCHES),
        ),
    }
    return private(render(request, "watch/watch.html", context))


@never_cache
@require_safe
def pair_debrief(request: HttpRequest, deal_id: uuid.UUID) -> HttpResponse:
    """How it went, from one side of the table."""
    side = _side(request, deal_id)
    if side.deal.is_live:
        return redirect("pair-table", deal_id=deal_id) if side.own else redirect("home")
    sides = selectors.sides_of(deal_id, signed_in(request))
    context = {"deal": side.deal, "side": side, "sides": sides, "page": DebriefPage(side)}
    return render(request, "pairs/debrief.html", context)


@require_POST
def pair_cards(request: HttpRequest, deal_id: uuid.UUID) -> HttpResponse:
    """Agree to lay one's cards open."""
    try:
        services.cards_open(deal_id=deal_id, player=signed_in(request))
    except MoveRefused as refused:
        raise Http404(refused.message) from None
    return redirect("pair-debrief", deal_id=deal_id)
