"""The front door: the landing page or the lobby, and what operators ask a server."""

from __future__ import annotations

import ipaddress
from typing import Any

import structlog
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden, JsonResponse
from django.shortcuts import render
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from redis import Redis, RedisError

from accounts.models import User
from accounts.selectors import teams_led_by
from coaching.live.selectors import unread_of
from coaching.room.assignment_selectors import standings_for
from negotiation.guide import first_deal_card
from negotiation.models import Game
from negotiation.selectors import games_of, games_of_teams
from negotiation.table import kinds

log = structlog.get_logger(__name__)


@login_not_required
@never_cache
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The landing page; signed in, the lobby: one's own deals, and for a manager the team's."""
    user = request.user
    if not isinstance(user, User):
        return render(request, "pages/landing.html", {"first": first_deal_card()})
    teams = list(teams_led_by(user))
    return render(
        request,
        "pages/lobby.html",
        {
            "active_games": games_of(user, status=Game.Status.LIVE),
            "finished_games": games_of(user, status=Game.Status.FINISHED),
            "standings": standings_for(user),
            "unread": unread_of(user),
            "is_manager": bool(teams),
            "team_games": games_of_teams(teams) if teams else [],
            "doors": [kind.door for kind in kinds.every() if kind.door],
            "parts": kinds.parts("lobby", user),
        },
    )


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers."""
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """The process can serve: the database and Redis answer."""
    checks = {"database": _database_answers(), "redis": _redis_answers()}
    ready = all(checks.values())
    return JsonResponse({"ready": ready, **checks}, status=200 if ready else 503)


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM negotiation_game LIMIT 1")
    except DatabaseError:
        log.warning("database_not_ready")
        return False
    return True


def _redis_answers() -> bool:
    try:
        with Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2) as client:
            return bool(client.ping())
    except (RedisError, OSError):
        log.warning("redis_not_ready")
        return False


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Prometheus. With METRICS_TOKEN only for its bearer, without one only for this very machine."""
    if not _may_scrape(request):
        return HttpResponseForbidden("metrics are for the operator's scraper")
    return HttpResponse(generate_latest(), content_type=CONTENT_TYPE_LATEST)


def _may_scrape(request: HttpRequest) -> bool:
    if settings.METRICS_TOKEN:
        given = request.headers.get("Authorization", "").removeprefix("Bearer ")
        return constant_time_compare(given, settings.METRICS_TOKEN)
    if "X-Forwarded-For" in request.headers:
        return False
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


def forbidden(request: HttpRequest, exception: Any = None) -> HttpResponse:
    """403."""
    return render(request, "errors/403.html", status=403)


def not_found(request: HttpRequest, exception: Any = None) -> HttpResponse:
    """404."""
    return render(request, "errors/404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """500. Asks nothing of the database, which may be the trouble."""
    return render(request, "errors/500.html", status=500)
