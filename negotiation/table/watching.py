"""The page and the socket behind a secret link, whatever is watched."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.models import User
from accounts.selectors import session_key_of, user_of_session
from negotiation.table import wire
from negotiation.table.links import LinkRefused, Refusal, guarded
from negotiation.table.sockets import Denied, GameSocket

_STATUS: dict[Refusal, int] = {
    "unknown": 404,
    "expired": 410,
    "revoked": 410,
    "taken": 410,
    "own_invitation": 403,
    "at_your_table": 403,
    "forgotten": 410,
    "own_live_game": 403,
    "not_over_yet": 403,
    "too_many_attempts": 429,
}
_CLOSE: dict[Refusal, int] = {
    "own_live_game": wire.NOT_YOURS,
    "own_invitation": wire.NOT_YOURS,
    "at_your_table": wire.NOT_YOURS,
    "not_over_yet": wire.NOT_YOURS,
    "too_many_attempts": wire.TOO_MANY_FRAMES,
}


def viewer_of(request: HttpRequest) -> User | None:
    """Who looks, if somebody is signed in."""
    return request.user if isinstance(request.user, User) else None


def address_of(request: HttpRequest) -> str:
    """Where a request comes from, for counting tries."""
    return str(request.META.get("REMOTE_ADDR", "unknown"))


def private(response: HttpResponse) -> HttpResponse:
    """A page whose address is a secret: it is never sent on as a referrer, nor indexed, nor stored."""
    response["Referrer-Policy"] = "no-referrer"
    response["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    response["Cache-Control"] = "no-store, private"
    return response


def closed(request: HttpRequest, refused: LinkRefused) -> HttpResponse:
    """The page of a link that does not open."""
    status = _STATUS[refused.reason]
    template = "errors/403.html" if status == 403 else "watch/gone.html"
    context = {"reason": refused.reason, "message": refused.message}
    return private(render(request, template, context, status=status))


class LinkSocket(GameSocket):
    """A socket of those who watch: the link is the permission; who is signed in only adds a name.

    A kind's ``authorize`` calls ``opened``, and asks the link again each time, so that expiry and withdrawal end open
    sockets too.
    """

    def found(self, token: str, viewer: User | None) -> Any:
        """What a token opens for somebody, or ``LinkRefused``: the kind's to say."""
        raise NotImplementedError

    def opened(self) -> tuple[Any, User | None]:
        """What the link in the URL opens, and for whom; ``Denied`` in words otherwise."""
        address = (self.scope.get("client") or ("unknown", 0))[0]
        token = self.scope["url_route"]["kwargs"]["token"]
        viewer = user_of_session(session_key_of(self.scope.get("cookies", {})))
        try:
            return guarded(address, lambda: self.found(token, viewer)), viewer
        except LinkRefused as refused:
            code = _CLOSE.get(refused.reason, wire.LINK_GONE)
            raise Denied(code, refused.reason, refused.message) from None
