"""How much one guest may ask for: by its token and by its address, so that nobody crowds out the rest."""

from __future__ import annotations

import asyncio
import hashlib
import ipaddress
import multiprocessing
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from negotiation.table.throttle import TokenBucket

UNAUTHORIZED, FULL, IDLE = "unauthorized", "CAPACITY_REACHED", "idle_timeout"
"""What a guest is told before the socket closes; the second is the ``openenv`` library's own word."""
SLOTS = 65_536
"""Guests are counted by hash; two that share a slot share its limit, which hurts neither below half of it."""
REMEMBERED = 4096
"""Allowances beyond this number are forgotten, those first that are full."""
SHORTEST_WAIT = 0.001
"""Seconds; rounding could otherwise leave a wait that no clock can tell from none."""
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


class TooMany(Exception):
    """No room for another session."""


class Visit:
    """One request or session, counted against its token and its address."""

    def __init__(self, allowances: Sequence[TokenBucket]) -> None:
        self._allowances = allowances

    def may_ask(self) -> bool:
        """Take one message from every allowance; False when one of them is used up."""
        return all(allowance.take() for allowance in self._allowances)

    async def wait_turn(self) -> None:
        """Wait for the allowance of one message: who is too fast is answered later, not refused."""
        for allowance in self._allowances:
            while not allowance.take():  # noqa: ASYNC110 - another session of this guest may have been quicker
                await asyncio.sleep(max(SHORTEST_WAIT, (1 - allowance.tokens) / allowance.rate))


class House:
    """All guests, and the sessions they hold.

    Sessions are counted in memory that the workers share, since they are forked after this is made; a guest's rate
    is shared out among the workers.
    """

    def __init__(self, limits: Limits, workers: int = 1, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits
        self._clock = clock
        self._rate = max(1.0, limits.rate / workers)
        self._held = multiprocessing.RawArray("i", SLOTS + 1)  # the last is for all guests together
        self._lock = multiprocessing.Lock()
        self._allowances: dict[str, TokenBucket] = {}

    @property
    def sessions(self) -> int:
        """Sessions held now, by all guests, at all workers."""
        return self._held[SLOTS]

    def visit(self, names: Sequence[str]) -> Visit:
        """A request by the guest of these names."""
        return Visit([self._allowance(name) for name in names])

    @contextmanager
    def session(self, names: Sequence[str]) -> Iterator[Visit]:
        """Hold a session for the guest of these names.

        Raises:
            TooMany: when the house is full, or the guest has all it may have.
        """
        slots = {_slot(name) for name in names}
        with self._lock:
            if self._held[SLOTS] >= self.limits.sessions:
                raise TooMany(f"All {self.limits.sessions} sessions are taken. Try again later.")
            if any(self._held[slot] >= self.limits.per_guest for slot in slots):
                raise TooMany(f"You hold {self.limits.per_guest} sessions, as many as one guest may.")
            self._count(slots, +1)
        try:
            yield self.visit(names)
        finally:
            with self._lock:
                self._count(slots, -1)

    def _count(self, slots: set[int], by: int) -> None:
        for slot in (*slots, SLOTS):
            self._held[slot] += by

    def _allowance(self, name: str) -> TokenBucket:
        allowance = self._allowances.get(name)
        if allowance is None:
            if len(self._allowances) >= REMEMBERED:
                self._allowances = {n: a for n, a in self._allowances.items() if a.tokens < a.burst - 1}
            allowance = self._allowances[name] = TokenBucket(
                rate=self._rate, burst=self._rate, clock=self._clock
            )
        return allowance


def _slot(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8]) % SLOTS


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
