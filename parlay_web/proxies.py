"""Where a request comes from: what a proxy says of it is believed of the proxies that the settings name, and of nobody else.

Limits by address and whether a page was asked for over https hang on this. Entries are addresses, networks, and names,
which are looked up anew now and then: a container's address changes.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import time
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
App = Callable[[Scope, Any, Any], Awaitable[None]]
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

BY_FILE = "unix"
"""The entry for who comes over a socket file, and so has no address: a process of our own."""
LOOK_UP_EVERY = 2.0
"""Seconds; it happens beside the requests, but for the first."""


class NamedProxies:
    """ASGI middleware: puts the client that a named proxy tells of in the proxy's place."""

    def __init__(self, app: App, proxies: Iterable[str]) -> None:
        self.app = app
        self.networks: list[Network] = []
        self.names: list[str] = []
        proxies = list(proxies)
        self.by_file = BY_FILE in proxies
        for entry in proxies:
            if entry == BY_FILE:
                continue
            try:
                self.networks.append(ipaddress.ip_network(entry, strict=False))
            except ValueError:
                self.names.append(entry)
        self.resolved: dict[str, frozenset[str]] = {}
        self.resolved_at: float | None = None
        self.looking: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Pass the request on, with what is true of it."""
        if scope["type"] in ("http", "websocket"):
            scope = await self._told(scope)
        await self.app(scope, receive, send)

    async def _told(self, scope: Scope) -> Scope:
        peer = (scope.get("client") or ("", 0))[0]
        headers = scope["headers"]
        if not await self._trusts(peer):
            # The header of the address stays: that somebody sent it is no secret, and nobody believes it.
            kept = [(name, value) for name, value in headers if name.lower() != b"x-forwarded-proto"]
            return {**scope, "headers": kept}
        told = b",".join(value for name, value in headers if name.lower() == b"x-forwarded-for")
        for address in reversed([part.strip() for part in told.decode("latin1").split(",")]):
            if not _is_address(address):
                break
            scope = {**scope, "client": (address, 0)}
            if not await self._trusts(address):
                break
        return scope

    async def _trusts(self, address: str) -> bool:
        if not address:
            return self.by_file
        if not _is_address(address):
            return False
        known = ipaddress.ip_address(address)
        if any(known in network for network in self.networks):
            return True
        return bool(self.names) and address in await self._addresses()

    async def _addresses(self) -> frozenset[str]:
        stale = self.resolved_at is None or time.monotonic() - self.resolved_at > LOOK_UP_EVERY
        if stale and self.looking is None:
            self.looking = asyncio.create_task(self._look_up())
        if self.resolved_at is None and self.looking is not None:
            await asyncio.shield(self.looking)
        return frozenset(address for found in self.resolved.values() for address in found)

    async def _look_up(self) -> None:
        for name in self.names:
            try:
                rows = await asyncio.get_running_loop().getaddrinfo(name, None, type=socket.SOCK_STREAM)
            except OSError:
                continue  # what it was stays: a name server that stumbles must not close the house
            self.resolved[name] = frozenset(str(row[4][0]) for row in rows)
        self.resolved_at, self.looking = time.monotonic(), None


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
