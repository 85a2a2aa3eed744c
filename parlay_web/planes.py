"""Pages in a process of their own: what comes over HTTP is passed on, so that no page of a manager or an admin holds up a
table.

The process that people reach keeps the sockets and answers the probes. Pages are made by another one, which is the same
program behind a socket file or an address (``PAGES_AT``), at a lower priority. While that one is away, starting or being
started again, pages are made here. Where a proxy stands before the house it can do this by itself (``deploy/Caddyfile``).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote, urlsplit

import h11

from parlay_web.probes import PROBES
from parlay_web.proxies import App, Scope

BY_FILE = "unix:"
_HOP = frozenset(
    (b"connection", b"keep-alive", b"upgrade", b"te", b"trailer", b"expect", b"proxy-connection")
)
"""Headers that are between two neighbours, and end with them."""
_TOLD_BY_US = frozenset((b"x-forwarded-for",))
_CONNECT_WITHIN = 2.0
_AWAY_SECONDS = 1.0
"""So long nobody is asked who could not be reached."""
_AT_ONCE = 65536
_SAFE = frozenset(("GET", "HEAD", "OPTIONS"))
"""What may be asked a second time."""
Headers = list[tuple[bytes, bytes]]


class PagesElsewhere:
    """ASGI middleware: has HTTP requests answered by another process, and by ``app`` where that one can't be reached.

    Args:
        app: what answers otherwise: probes, sockets, and pages while nobody else makes them.
        address: ``unix:/path/of.sock`` or ``http://host:port``.
    """

    def __init__(self, app: App, address: str) -> None:
        self.app = app
        self.file = address.removeprefix(BY_FILE) if address.startswith(BY_FILE) else ""
        parts = urlsplit("" if self.file else address)
        self.host, self.port = parts.hostname or "", parts.port or 80
        self.away_until = 0.0

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Pass the request on, with who asked."""
        here = scope["type"] != "http" or scope["path"] in PROBES
        if here or time.monotonic() < self.away_until:
            await self.app(scope, receive, send)
            return
        try:
            reader, writer = await asyncio.wait_for(self._connected(), _CONNECT_WITHIN)
        except (OSError, TimeoutError):
            self.away_until = time.monotonic() + _AWAY_SECONDS
            await self.app(scope, receive, send)
            return
        passage = _Passage(scope, receive, send, reader, writer)
        try:
            await passage.go()
        except h11.LocalProtocolError:
            if passage.asked:
                raise
            await self.app(scope, receive, send)  # which says what is wrong with it
        except (OSError, h11.RemoteProtocolError):
            if passage.answering:
                raise  # half an answer can't be taken back: the line is cut
            if scope["method"] in _SAFE:
                await self.app(scope, receive, send)
            else:
                await _apologise(send)
        finally:
            writer.close()

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self.file:
            return await asyncio.open_unix_connection(self.file)
        return await asyncio.open_connection(self.host, self.port)


class _Passage:
    """One request on its way there (``asked``, once that began) and its answer on the way back (``answering``)."""

    def __init__(
        self,
        scope: Scope,
        receive: Any,
        send: Any,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        self.scope, self.receive, self.send = scope, receive, send
        self.reader, self.writer = reader, writer
        self.talk = h11.Connection(h11.CLIENT)
        self.asked = self.answering = False

    async def go(self) -> None:
        await self._ask()
        while True:
            event = self.talk.next_event()
            if event is h11.NEED_DATA:
                self.talk.receive_data(await self.reader.read(_AT_ONCE))
            elif isinstance(event, h11.Response):
                self.answering = True
                head = {"status": event.status_code, "headers": _without(event.headers, b"transfer-encoding")}
                await self.send({"type": "http.response.start", **head})
            elif isinstance(event, h11.Data):
                await self.send({"type": "http.response.body", "body": bytes(event.data), "more_body": True})
            elif isinstance(event, h11.EndOfMessage):
                await self.send({"type": "http.response.body", "body": b"", "more_body": False})
                return

    async def _ask(self) -> None:
        """The request with its body, part by part as it comes in."""
        self._write(h11.Request(method=self.scope["method"], target=self._target(), headers=self._headers()))
        self.asked = more = True
        while more:
            part = await self.receive()
            if part["type"] != "http.request":
                raise ConnectionAbortedError  # whoever asked is gone
            if part.get("body"):
                self._write(h11.Data(data=part["body"]))
            more = part.get("more_body", False)
            await self.writer.drain()
        self._write(h11.EndOfMessage())
        await self.writer.drain()

    def _write(self, event: h11.Request | h11.Data | h11.EndOfMessage) -> None:
        told = self.talk.send(event)
        if told:
            self.writer.write(told)

    def _target(self) -> bytes:
        path = self.scope.get("raw_path") or quote(self.scope["path"]).encode()
        query = self.scope.get("query_string", b"")
        return path + b"?" + query if query else path

    def _headers(self) -> Headers:
        client = (self.scope.get("client") or ("",))[0]
        told = [(b"x-forwarded-for", client.encode())] if client else []
        return [*_without(self.scope["headers"], *_TOLD_BY_US), *told, (b"connection", b"close")]


def _without(headers: Iterable[tuple[bytes, bytes]], *names: bytes) -> Headers:
    return [
        (name, value) for name, value in headers if name.lower() not in _HOP and name.lower() not in names
    ]


async def _apologise(send: Any) -> None:
    """Whether it was done can't be told: nothing is tried twice."""
    words = b"The page was cut off. Look whether it was done, then try again."
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(words)).encode())]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": words})
