"""The pages of the small games: choose one, play it, see what it came to. Everything works without scripts."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import quotas
from accounts.models import User
from negotiation.engine.drills.books_hats_balls import ITEMS, encode
from negotiation.smallgames import selectors, services
from negotiation.smallgames.catalogue import BY_NAME, CATALOGUE
from negotiation.smallgames.models import SmallMatch
from negotiation.smallgames.opponents import model_of, suspects_of
from negotiation.smallgames.pages import MatchPage
from negotiation.table.errors import MoveRefused
from negotiation.views import signed_in

SOMEBODY = "somebody"
"""Chosen instead of a name: an opponent to be guessed."""
NO_SUCH_MATCH = "There is no such match of yours."


@never_cache
@require_safe
def small_games(request: HttpRequest) -> HttpResponse:
    """All five, with how one stands."""
    return render(request, "smallgames/games.html", {"standings": selectors.standings_of(signed_in(request))})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def small_game(request: HttpRequest, slug: str) -> HttpResponse:
    """One game: its lesson, against whom, what went before."""
    game, user = CATALOGUE.get(slug), signed_in(request)
    if game is None:
        raise Http404("There is no such game.")
    refused = None
    if request.method == "POST":
        chosen = request.POST.get("opponent", "")
        try:
            with quotas.spending(request, "deals"):
                match = services.match_create(
                    player=user, game=game.name, opponent=None if chosen == SOMEBODY else chosen
                )
            return redirect("small-match", match_id=match.id)
        except MoveRefused as error:
            refused = error
    context = {
        "game": game,
        "standing": selectors.standing_of(user, game),
        "opponents": suspects_of(game.name).values(),
        "model": model_of(game.name),
        "somebody": SOMEBODY,
        "refused": refused,
    }
    return render(request, "smallgames/game.html", context, status=422 if refused else 200)


@never_cache
@require_safe
def small_match(request: HttpRequest, match_id: uuid.UUID) -> HttpResponse:
    """A match, for the one who plays it. Others are not told that it exists."""
    return _shown(request, _own(match_id, signed_in(request)))


@require_POST
def small_act(request: HttpRequest, match_id: uuid.UUID) -> HttpResponse:
    """Take an action, and go to what came of it."""
    return _taken(
        request,
        match_id,
        lambda user, action_id, after: services.match_act(
            match_id=match_id, player=user, action_id=action_id, after=after, action=_action(request.POST)
        ),
    )


@require_POST
def small_name(request: HttpRequest, match_id: uuid.UUID) -> HttpResponse:
    """Name the opponent."""
    return _taken(
        request,
        match_id,
        lambda user, action_id, after: services.match_name(
            match_id=match_id,
            player=user,
            action_id=action_id,
            after=after,
            suspect=request.POST.get("suspect", ""),
        ),
    )


@require_POST
def small_odds(request: HttpRequest, match_id: uuid.UUID) -> HttpResponse:
    """Ask for the odds."""
    return _taken(
        request,
        match_id,
        lambda user, action_id, after: services.match_ask_odds(
            match_id=match_id, player=user, action_id=action_id, after=after
        ),
    )


def _own(match_id: uuid.UUID, user: User) -> SmallMatch:
    match = selectors.match_of(match_id, user)
    if match is None:
        raise Http404(NO_SUCH_MATCH)
    return match


def _shown(request: HttpRequest, match: SmallMatch, refused: MoveRefused | None = None) -> HttpResponse:
    if match.status == SmallMatch.Status.LEFT:
        return redirect("small-game", slug=BY_NAME[match.game].slug)
    page = MatchPage(match, selectors.sitting_of(match))
    context = {**page.context(), "refused": refused}
    if match.is_finished:
        context["standing"] = selectors.standing_of(match.player, page.game)
    return render(request, "smallgames/match.html", context, status=422 if refused else 200)


def _taken(
    request: HttpRequest, match_id: uuid.UUID, take: Callable[[User, uuid.UUID, int], SmallMatch]
) -> HttpResponse:
    """Have a service take what was posted; what it refuses is said on the page of the match."""
    user = signed_in(request)
    _own(match_id, user)
    try:
        take(user, _action_id(request.POST), _whole(request.POST, "after"))
    except MoveRefused as refused:
        return _shown(request, _own(match_id, user), refused)
    return redirect("small-match", match_id=match_id)


def _action_id(given: QueryDict) -> uuid.UUID:
    try:
        return uuid.UUID(given.get("action_id", ""))
    except ValueError:
        raise MoveRefused("bad_action_id", "A move carries a UUID of its own.", "action_id") from None


def _action(given: QueryDict) -> int:
    """The action as the engine counts it; books, hats and balls come one by one."""
    if all(kind in given for kind in ITEMS):
        counts = [_whole(given, kind) for kind in ITEMS]
        # A demand beyond any pile would be read as another demand.
        return -1 if max(counts) > 4 else encode(counts)
    if any(kind in given for kind in ITEMS):
        raise MoveRefused("incomplete", "Say for each of the three how many you want.", "action")
    return _whole(given, "action")


def _whole(given: QueryDict, name: str) -> int:
    raw = given.get(name, "")
    if not (raw.isascii() and raw.isdigit() and len(raw) < 6):
        raise MoveRefused(f"bad_{name}", "Choose one of the moves on the table.", name)
    return int(raw)
