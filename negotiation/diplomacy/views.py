"""The pages of the board: the lobby, the table, invitations, spectators, what-ifs."""

from __future__ import annotations

import json
import uuid
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import quotas
from accounts.models import User
from negotiation.diplomacy import forks, links, pages, selectors, services
from negotiation.diplomacy.models import BoardFork
from negotiation.diplomacy.selectors import Place
from negotiation.diplomacy.wording import phase_title
from negotiation.engine.diplomacy import POWERS
from negotiation.table.errors import MoveRefused
from negotiation.views import signed_in

INVITES = "board-invitations"
"""Where a session keeps the links that it was given once, by game."""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def board_games(request: HttpRequest) -> HttpResponse:
    """One's games, and a new one."""
    user, refused = signed_in(request), None
    if request.method == "POST":
        try:
            with quotas.spending(request, "deals"):
                return _begun(request, user)
        except MoveRefused as error:
            refused = error
    context = {**pages.lobby(user), "refused": refused}
    return render(request, "diplomacy/games.html", context, status=422 if refused else 200)


def _begun(request: HttpRequest, user: User) -> HttpResponse:
    chosen = {name: request.POST.get(f"seat-{name}", "") for name in POWERS}
    game, tokens = services.game_create(
        host=user,
        power=request.POST.get("power", ""),
        bots={name: bot for name, bot in chosen.items() if bot and bot != pages.INVITE},
        invited=[
            name for name, bot in chosen.items() if bot == pages.INVITE and name != request.POST.get("power")
        ],
        years=pages.whole(request.POST.get("years", "6")),
        seconds=pages.whole(request.POST.get("seconds", "0")),
    )
    if tokens:
        links = {name: reverse("board-join", args=[token]) for name, token in tokens.items()}
        request.session[INVITES] = {**request.session.get(INVITES, {}), str(game.pk): links}
    return redirect("board-table", game_id=game.pk)


@never_cache
@require_safe
def board_table(request: HttpRequest, game_id: uuid.UUID) -> HttpResponse:
    """The table, for those who sit at it. Others are not told that it exists."""
    place = _own(game_id, signed_in(request))
    links = request.session.get(INVITES, {}).get(str(game_id), {})
    context = pages.table(place, {name: request.build_absolute_uri(link) for name, link in links.items()})
    return render(request, "diplomacy/table.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def board_join(request: HttpRequest, token: str) -> HttpResponse:
    """An invitation: what it is to, and taking the seat."""
    seat = selectors.invitation_of(token)
    if seat is None:
        raise Http404("This invitation was used, or its game is over.")
    refused = None
    if request.method == "POST":
        try:
            game = services.seat_take(token=token, user=signed_in(request))
            return redirect("board-table", game_id=game.pk)
        except MoveRefused as error:
            refused = error
    context = {"seat": seat, "phase": phase_title(seat.game.phase), "refused": refused}
    return render(request, "diplomacy/join.html", context, status=422 if refused else 200)


@require_POST
def board_leave(request: HttpRequest, game_id: uuid.UUID) -> HttpResponse:
    """Give the seat to its bot; alone at the table, end the game."""
    user = signed_in(request)
    _own(game_id, user)
    try:
        services.seat_leave(game_id=game_id, user=user, action_id=uuid.uuid4())
    except MoveRefused:
        return redirect("board-table", game_id=game_id)
    return redirect("board-table", game_id=game_id)


@require_POST
def board_link(request: HttpRequest, game_id: uuid.UUID) -> HttpResponse:
    """A link for a spectator."""
    user = signed_in(request)
    place = _own(game_id, user)
    quotas.spend(request, "links")
    _, token = links.link_create(place=place, user=user)
    url = request.build_absolute_uri(reverse("board-watch", args=[token]))
    return JsonResponse({"url": url}, status=201)


@require_POST
def board_links_revoke(request: HttpRequest, game_id: uuid.UUID) -> HttpResponse:
    """Withdraw one's links to this game."""
    user = signed_in(request)
    return JsonResponse({"revoked": links.links_revoke(place=_own(game_id, user), user=user)})


@login_not_required
@never_cache
@require_safe
def board_watch(request: HttpRequest, token: str) -> HttpResponse:
    """Watch as far as the link's maker may see; the token is the permission."""
    opened = selectors.link_opened(token)
    if opened is None:
        raise Http404("This link has expired or was withdrawn.")
    viewer = request.user if isinstance(request.user, User) else None
    if selectors.plays_live(opened.link.game, viewer):
        return render(request, "watch/gone.html", {"message": pages.OWN_GAME}, status=403)
    links.link_view(opened=opened, viewer=viewer)
    answer = render(request, "diplomacy/table.html", pages.watch(opened, token))
    answer["Referrer-Policy"] = "no-referrer"
    answer["X-Robots-Tag"] = "noindex"
    return answer


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def board_forks(request: HttpRequest, game_id: uuid.UUID) -> HttpResponse:
    """What one asked of the future; asking."""
    user = signed_in(request)
    place = _own(game_id, user)
    if request.method != "POST":
        return JsonResponse({"forks": selectors.forks_of(place.game, user)})
    try:
        number, orders = _asked(request)
        with quotas.spending(request, "work"):
            fork = forks.fork_ask(place=place, user=user, number=number, orders=orders)
    except MoveRefused as refused:
        return JsonResponse({"code": refused.code, "message": refused.message}, status=422)
    return JsonResponse(selectors.fork_page(fork), status=201)


def _asked(request: HttpRequest) -> tuple[int, list[str] | None]:
    try:
        page: Any = json.loads(request.body or b"{}")
    except (ValueError, RecursionError):
        page = None
    orders = page.get("orders") if isinstance(page, dict) else None
    number = page.get("number") if isinstance(page, dict) else None
    fits = orders is None or (isinstance(orders, list) and all(isinstance(one, str) for one in orders))
    if not isinstance(number, int) or isinstance(number, bool) or not fits:
        raise MoveRefused("bad_question", "Say which phase, by its number, and orders as a list of texts.")
    return number, orders


@never_cache
@require_safe
def board_fork(request: HttpRequest, game_id: uuid.UUID, fork_id: uuid.UUID) -> HttpResponse:
    """How far an answer has come."""
    return JsonResponse(selectors.fork_page(_own_fork(request, game_id, fork_id)))


@require_POST
def board_fork_cancel(request: HttpRequest, game_id: uuid.UUID, fork_id: uuid.UUID) -> HttpResponse:
    """Stop one."""
    fork = _own_fork(request, game_id, fork_id)
    forks.fork_cancel(fork_id=fork.pk, user=signed_in(request))
    fork.refresh_from_db()
    return JsonResponse(selectors.fork_page(fork))


@require_POST
def board_take_up(request: HttpRequest, game_id: uuid.UUID) -> HttpResponse:
    """A game of one's own from a phase on."""
    user = signed_in(request)
    place = _own(game_id, user)
    number = pages.whole(request.POST.get("number", ""))
    try:
        with quotas.spending(request, "deals"):
            game = forks.fork_take_up(place=place, user=user, number=number)
    except MoveRefused as refused:
        return render(request, "diplomacy/refused.html", {"refused": refused, "game": place.game}, status=422)
    return redirect("board-table", game_id=game.pk)


def _own(game_id: uuid.UUID, user: User) -> Place:
    place = selectors.place_of(game_id, user)
    if place is None:
        raise Http404("There is no such game of yours.")
    return place


def _own_fork(request: HttpRequest, game_id: uuid.UUID, fork_id: uuid.UUID) -> BoardFork:
    user = signed_in(request)
    fork = BoardFork.objects.filter(pk=fork_id, game=_own(game_id, user).game, owner=user).first()
    if fork is None:
        raise Http404("There is no such question of yours.")
    return fork
