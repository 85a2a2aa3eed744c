"""The lobby of a team: who plays now, who is stuck, one click to watch."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.selectors import teams_led_by
from coaching.models import SpectatorLink
from coaching.room.access import led_game, led_team
from coaching.room.lobby import around, live_deals, with_held
from coaching.services import link_create
from negotiation.views import signed_in


@require_safe
def room(request: HttpRequest) -> HttpResponse:
    """``/team/``: the first team that one leads; who leads none finds the leaderboard."""
    team = teams_led_by(signed_in(request)).order_by("name").first()
    return redirect("room-lobby", team_id=team.pk) if team else redirect("leaderboard")


@never_cache
@require_safe
def lobby(request: HttpRequest, team_id: int) -> HttpResponse:
    """Who of the team plays now. ``?part=1`` gives the moving part alone, for the page to refresh itself: of the tables
    that ``have`` names by their marks only their places, for the page shows them already."""
    team = led_team(request, team_id)
    moving = around(team)
    if request.GET.get("part"):
        deals = with_held(live_deals(team), request.GET.get("have", "").split(","))
        return render(request, "room/_live.html", {**moving, "deals": deals})
    still = {"teams": teams_led_by(signed_in(request)).order_by("name"), "section": "lobby"}
    return render(request, "room/lobby.html", {**moving, **still, "deals": live_deals(team)})


@require_POST
def watch(request: HttpRequest, team_id: int, game_id: uuid.UUID) -> HttpResponse:
    """Make a link to a table of the team and go there. With both sides shown the deal counts no more."""
    game = led_game(led_team(request, team_id), game_id)
    both_hands = request.POST.get("scope") == SpectatorLink.Scope.COACH
    live = SpectatorLink.Scope.COACH if both_hands else SpectatorLink.Scope.WATCH
    scope = live if game.is_live else SpectatorLink.Scope.REPLAY
    _, token = link_create(game=game, created_by=signed_in(request), scope=scope)
    return redirect("watch", token=token)
