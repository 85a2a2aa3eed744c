"""Failed attempts to open links, counted per address. Tokens can't be guessed; this keeps the noise down."""

from __future__ import annotations

import structlog
from django.core.cache import cache
from redis.exceptions import RedisError

log = structlog.get_logger(__name__)

ALLOWED = 20
WINDOW_SECONDS = 600


def _key(address: str) -> str:
    return f"link-misses:{address}"


def too_many(address: str) -> bool:
    """True when this address has tried too many links that don't exist."""
    try:
        return int(cache.get(_key(address), 0)) >= ALLOWED
    except (RedisError, OSError, TypeError, ValueError):
        log.warning("attempts_not_counted")
        return False


def note_miss(address: str) -> None:
    """One more attempt that failed."""
    try:
        cache.add(_key(address), 0, WINDOW_SECONDS)
        cache.incr(_key(address))
    except (RedisError, OSError, ValueError):
        log.warning("attempts_not_counted")
