"""Cross-site WebSocket hijacking is stopped here: a socket opens only for a page of this very site.

Browsers send the cookie along with a WebSocket handshake from any page, so the cookie alone proves nothing.
A client without an Origin is no browser; agents get a route of their own, so it is refused here.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host


def origin_allowed(*, origin: str, host: str) -> bool:
    """True when the handshake's Origin is the site that it asks for, or one that the settings trust."""
    parts = urlsplit(origin)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        return False
    if origin.lower() in (trusted.lower() for trusted in settings.CSRF_TRUSTED_ORIGINS):
        return True
    domain, _ = split_domain_port(host)
    hosts = settings.ALLOWED_HOSTS or (["localhost", "127.0.0.1", "[::1]"] if settings.DEBUG else [])
    return bool(domain) and validate_host(domain, hosts) and parts.netloc.lower() == host.lower()


class SameOrigin:
    """ASGI middleware that denies the handshake (HTTP 403) unless ``origin_allowed``."""

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> Any:
        headers = {name: value.decode("latin1") for name, value in scope.get("headers", [])}
        if origin_allowed(origin=headers.get(b"origin", ""), host=headers.get(b"host", "")):
            return await self.application(scope, receive, send)
        return await WebsocketDenier()(scope, receive, send)
