"""How much one guest may ask for: by its token and by its address, so that nobody crowds out the rest."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from negotiation.throttle import TokenBucket

REMEMBERED = 4096
"""Guests are forgotten beyond this number, those first who hold nothing."""
IPV6_PREFIX = 64
"""One household holds a whole /64, so single addresses would be no limit."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What the server puts up with.

    ``per_guest`` sessions and ``rate`` messages a second hold for each token and for each address. ``idle`` seconds
    without a message end a session; ``frame`` is the longest message, in bytes.
    """

    sessions: int = 256
    per_guest: int = 128
    rate: float = 5000.0
    idle: float = 600.0
    frame: int = 65_536


UNAUTHORIZED, FULL, IDLE = "unauthorized", "CAPACITY_REACHED", "idle_timeout"
"""What a guest is told before the socket closes; the second is the ``openenv`` library's own word."""


class TooMany(Exception):
    """No room for another session."""


class _Guest:
    """One token, or one address."""

    def __init__(self, rate: float) -> None:
        self.sessions = 0
        self.bucket = TokenBucket(rate=rate, burst=rate)

    @property
    def holds_nothing(self) -> bool:
        return not self.sessions and self.bucket.tokens >= self.bucket.burst - 1


class Visit:
    """One request or session, counted against its token and its address."""

    def __init__(self, guests: Sequence[_Guest]) -> None:
        self._guests = guests

    def may_ask(self) -> bool:
        """Take one message from every allowance; False when one of them is used up."""
        return all([guest.bucket.take() for guest in self._guests])

    async def wait_turn(self) -> None:
        """Wait for the allowance of one message: who is too fast is answered later, not refused."""
        for guest in self._guests:
            while not guest.bucket.take():
                await asyncio.sleep((1 - guest.bucket.tokens) / guest.bucket.rate)


class House:
    """All guests, and the sessions they hold."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.sessions = 0
        self._guests: dict[str, _Guest] = {}

    def visit(self, names: Sequence[str]) -> Visit:
        """A request by the guest of these names."""
        return Visit([self._guest(name) for name in names])

    @contextmanager
    def session(self, names: Sequence[str]) -> Iterator[Visit]:
        """Hold a session for the guest of these names.

        Raises:
            TooMany: when the house is full, or the guest has all it may have.
        """
        guests = [self._guest(name) for name in names]
        if self.sessions >= self.limits.sessions:
            raise TooMany(f"All {self.limits.sessions} sessions are taken. Try again later.")
        if any(guest.sessions >= self.limits.per_guest for guest in guests):
            raise TooMany(f"You hold {self.limits.per_guest} sessions, as many as one guest may.")
        self._count(guests, +1)
        try:
            yield Visit(guests)
        finally:
            self._count(guests, -1)

    def _count(self, guests: Sequence[_Guest], by: int) -> None:
        self.sessions += by
        for guest in guests:
            guest.sessions += by

    def _guest(self, name: str) -> _Guest:
        guest = self._guests.get(name)
        if guest is None:
            if len(self._guests) >= REMEMBERED:
                self._guests = {n: g for n, g in self._guests.items() if not g.holds_nothing}
            guest = self._guests[name] = _Guest(self.limits.rate)
        return guest


def address_name(host: str) -> str:
    """Whom an address stands for: itself, or its network where one household has many."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, IPV6_PREFIX), strict=False))
    return str(address)
