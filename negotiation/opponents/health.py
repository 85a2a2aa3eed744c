"""How a model server fares, as plain data: for metrics, the admin page and the arena."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass

from negotiation.opponents.resilience import BreakerState

KEPT = 256
RATE_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class ServerHealth:
    """What one process has seen of the server. Seconds; shares in [0, 1]; ``None`` where nothing was measured yet."""

    url: str
    breaker: BreakerState
    under_way: int
    waiting: int
    asked: int
    failed: int
    retried: int
    called_off: int
    retries_left: float
    tokens_per_second: float
    first_token_p50: float | None
    first_token_p95: float | None
    total_p50: float | None
    total_p95: float | None
    last_error: str
    last_error_at: float | None
    """Seconds since the epoch."""


class Record:
    """Counts and the latest waits."""

    def __init__(self) -> None:
        self.asked = self.failed = self.retried = self.called_off = 0
        self.last_error, self.last_error_at = "", 0.0
        self._first: deque[float] = deque(maxlen=KEPT)
        self._total: deque[float] = deque(maxlen=KEPT)
        self._tokens: deque[tuple[float, int]] = deque(maxlen=KEPT)

    def went_well(self, first: float | None, total: float, tokens: int) -> None:
        """A request was answered."""
        if first is not None:
            self._first.append(first)
        self._total.append(total)
        self._tokens.append((time.monotonic(), tokens))

    def went_wrong(self, why: str) -> None:
        """A request was not."""
        self.failed += 1
        self.last_error, self.last_error_at = why, time.time()

    def health(
        self, url: str, breaker: BreakerState, under_way: int, waiting: int, retries_left: float
    ) -> ServerHealth:
        """All of it, as it stands."""
        return ServerHealth(
            url=url,
            breaker=breaker,
            under_way=under_way,
            waiting=waiting,
            asked=self.asked,
            failed=self.failed,
            retried=self.retried,
            called_off=self.called_off,
            retries_left=retries_left,
            tokens_per_second=self._rate(),
            first_token_p50=_quantile(self._first, 0.5),
            first_token_p95=_quantile(self._first, 0.95),
            total_p50=_quantile(self._total, 0.5),
            total_p95=_quantile(self._total, 0.95),
            last_error=self.last_error,
            last_error_at=self.last_error_at or None,
        )

    def _rate(self) -> float:
        """Tokens a second over the last minute."""
        since = time.monotonic() - RATE_SECONDS
        return sum(tokens for at, tokens in self._tokens if at >= since) / RATE_SECONDS


def _quantile(values: deque[float], share: float) -> float | None:
    if not values:
        return None
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
