"""How much of what costs one person, one team and one address may have; beyond it they are refused in words.

Counted by the clock's hour in Redis, which all processes share; without Redis nothing is refused. Open sockets are counted
in the process that holds them.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Literal

import structlog
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin
from redis.exceptions import RedisError

from accounts.models import User
from accounts.selectors import team_of

log = structlog.get_logger(__name__)

Kind = Literal["guests", "deals", "links", "work", "exports", "sockets"]
WINDOW = 3600
SHARED = 20
"""A team and an address stand for so many people."""
WORDS: dict[Kind, str] = {
    "guests": "Many guests came from your network this hour. Open an account, or come back later.",
    "deals": "You began many deals this hour. Finish one of them, or come back later.",
    "links": "You made many links this hour. Use one of those, or come back later.",
    "work": "You asked for much that takes the server long this hour. Come back later.",
    "exports": "You took many exports this hour. Use one of those, or come back later.",
    "sockets": "You have too many tables open at once. Close some of them.",
}


class TooMuch(Exception):
    """Somebody has had their share."""

    def __init__(self, kind: Kind) -> None:
        super().__init__(kind)
        self.kind = kind
        self.message = WORDS[kind]


def address_of(request: HttpRequest) -> str:
    """Where a request comes from; ``parlay_web.proxies`` has seen to what a proxy says."""
    return str(request.META.get("REMOTE_ADDR") or "unknown")


def spend(request: HttpRequest, kind: Kind) -> None:
    """Count one more of ``kind``, or ``TooMuch``."""
    _count(kind, _shares(request, kind))


@contextmanager
def spending(request: HttpRequest, kind: Kind) -> Iterator[None]:
    """Count one more of ``kind``, or ``TooMuch``; where what follows is refused, nothing was had and nothing counts."""
    counted = _count(kind, _shares(request, kind))
    try:
        yield
    except Exception:
        for key in counted:
            with suppress(RedisError, OSError, ValueError):
                cache.decr(key)
        raise


def _shares(request: HttpRequest, kind: Kind) -> list[tuple[str, int]]:
    """Who is charged, and how much each may have."""
    limit: int = settings.QUOTAS[kind]
    address = f"address:{address_of(request)}"
    user = request.user if isinstance(request.user, User) else None
    if kind == "guests" or user is None:
        return [(address, limit)]
    team = team_of(user)
    teams = [(f"team:{team.pk}", limit * SHARED)] if team else []
    return [(f"user:{user.pk}", limit), *teams, (address, limit * SHARED)]


def _count(kind: Kind, shares: Iterable[tuple[str, int]]) -> list[str]:
    """The keys that were counted up, one a share."""
    window, counted = int(time.time() // WINDOW), []
    try:
        for who, limit in shares:
            key = f"quota:{kind}:{who}:{window}"
            cache.add(key, 0, WINDOW)
            if cache.incr(key) > limit:
                log.info("quota_spent", kind=kind, who=who)
                raise TooMuch(kind)
            counted.append(key)
    except (RedisError, OSError, ValueError):
        log.warning("quotas_not_counted")
    return counted


@dataclass(frozen=True, slots=True)
class Holder:
    """Whose share a socket is of, beside its address'; nobody's where nobody is signed in."""

    user_id: int | None = None
    team_id: int | None = None


def holder_of(user: User | None) -> Holder:
    """The person and the team that a socket counts for."""
    if user is None:
        return Holder()
    team = team_of(user)
    return Holder(user.pk, team.pk if team else None)


class OpenSockets:
    """The sockets that are open in this process, by person, by team and by address."""

    def __init__(self) -> None:
        self.open: Counter[str] = Counter()

    def enter(self, address: str, who: Holder) -> Callable[[], None]:
        """Count one more, or ``TooMuch``; call what comes back once it is closed."""
        limit: int = settings.QUOTAS["sockets"]
        shares = {f"address:{address}": limit * SHARED}
        if who.user_id is not None:
            shares[f"user:{who.user_id}"] = limit
        if who.team_id is not None:
            shares[f"team:{who.team_id}"] = limit * SHARED
        if any(self.open[share] >= most for share, most in shares.items()):
            raise TooMuch("sockets")
        self.open.update(shares.keys())

        def leave() -> None:
            self.open.subtract(shares.keys())
            for share in shares:
                if self.open[share] <= 0:
                    del self.open[share]

        return leave


open_sockets = OpenSockets()


class QuotaMiddleware(MiddlewareMixin):
    """What is beyond somebody's share is answered 429, as a page for people and as JSON for scripts."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer ``TooMuch``, leave everything else alone."""
        return refusal(request, exception) if isinstance(exception, TooMuch) else None


def refusal(request: HttpRequest, spent: TooMuch) -> HttpResponse:
    """The answer to somebody who has had their share."""
    later = str(WINDOW - int(time.time() % WINDOW))
    if "text/html" in request.headers.get("Accept", ""):
        page = render(request, "errors/429.html", {"message": spent.message}, status=429)
        page["Retry-After"] = later
        return page
    return JsonResponse(
        {"code": "too_much", "message": spent.message, "field": None},
        status=429,
        headers={"Retry-After": later},
    )
