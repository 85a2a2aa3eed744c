"""Who is asking, and may they: bearer tokens, addresses, and plain HTTP requests that ask for too much."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping, Sequence

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from negotiation.openenv.limits import House, address_name

CONTROLS = ("/reset", "/step", "/state")
"""What a token opens beside the socket. The rest describes the server and is open to all."""


TOKENS = "PARLAY_AGENT_TOKENS"
SHORTEST_TOKEN = 16


def tokens_from(environment: Mapping[str, str]) -> list[str]:
    """The bearer tokens that the environment names, with commas between them; none lets everybody in.

    Raises:
        ValueError: for a token that could be guessed. It is not repeated.
    """
    tokens = [token.strip() for token in environment.get(TOKENS, "").split(",") if token.strip()]
    if any(len(token) < SHORTEST_TOKEN for token in tokens):
        raise ValueError(f"{TOKENS}: a token needs at least {SHORTEST_TOKEN} characters")
    return tokens


class Unwelcome(Exception):
    """Tokens are asked for, and this guest has shown none that is known."""


class Door:
    """Knows the guests.

    Args:
        house: where they are counted.
        tokens: the secrets that open the door; with none it stands open.
    """

    def __init__(self, house: House, tokens: Sequence[str] = ()) -> None:
        self.house = house
        self.limits = house.limits
        self._tokens = [_digest(token) for token in tokens]

    def names(self, scope: Scope) -> list[str]:
        """What the guest's limits go by: its address, and its token where tokens are asked for.

        Raises:
            Unwelcome: without a token that is known.
        """
        names = [_address(scope)]
        if self._tokens:
            names.append(self._token(scope))
        return names

    def _token(self, scope: Scope) -> str:
        scheme, _, secret = Headers(scope=scope).get("authorization", "").partition(" ")
        shown = _digest(secret.strip())
        known = [hmac.compare_digest(shown, digest) for digest in self._tokens]
        if scheme.lower() != "bearer" or not any(known):
            raise Unwelcome("This server asks for a bearer token.")
        return f"token {shown}"


class HttpDoor:
    """In front of every plain HTTP request; sockets are let in by ``session.py``."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self._app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(scope) if scope["type"] == "http" else None
        await (refusal or self._app)(scope, receive, send)

    def _refusal(self, scope: Scope) -> JSONResponse | None:
        headers, door = Headers(scope=scope), self._door
        if "transfer-encoding" in headers or int(headers.get("content-length", 0)) > door.limits.frame:
            return refusal_response(
                413, "too_long", f"Send at most {door.limits.frame:,} bytes, and say how many."
            )
        try:
            needs_token = scope["path"].endswith(CONTROLS)
            names = door.names(scope) if needs_token else [_address(scope)]
        except Unwelcome as error:
            return refusal_response(401, "unauthorized", str(error))
        if not door.house.visit(names).may_ask():
            return refusal_response(429, "too_fast", f"Ask at most {door.limits.rate:g} times a second.")
        return None


def refusal_response(status: int, code: str, message: str, field: str | None = None) -> JSONResponse:
    """A refusal over HTTP, in the same words as over the socket."""
    return JSONResponse({"error": {"code": code, "message": message, "field": field}}, status)


def _address(scope: Scope) -> str:
    client = scope.get("client")
    return f"address {address_name(client[0]) if client else 'unknown'}"


def _digest(secret: str) -> str:
    """Secrets are compared and remembered by digest, so that neither time nor memory gives them away."""
    return hashlib.sha256(secret.encode()).hexdigest()
