"""Django's cache in Redis, in JSON: what stands there is data, whoever wrote it, and is never run."""

from __future__ import annotations

import json
from typing import Any

from django.core.cache.backends.redis import RedisCache, RedisCacheClient


class Unreadable(ValueError):
    """What stands under a key was not written by us."""


class JsonSerializer:
    """Whole numbers stay plain, so that Redis itself can count them; everything else is JSON."""

    def dumps(self, value: Any) -> int | bytes:
        """What is sent to Redis."""
        return value if type(value) is int else json.dumps(value).encode()

    def loads(self, data: bytes) -> Any:
        """What Redis sent, or ``Unreadable``."""
        try:
            return json.loads(data)
        except (ValueError, RecursionError):
            raise Unreadable("not JSON") from None


class JsonCacheClient(RedisCacheClient):
    """A value that can't be read is a miss: it is no reason to refuse somebody a page."""

    def get(self, key: Any, default: Any) -> Any:
        """The value, or the default where there is none that is ours."""
        try:
            return super().get(key, default)
        except Unreadable:
            self.delete(key)
            return default

    def get_many(self, keys: Any) -> dict[Any, Any]:
        """The values that are there and ours."""
        missing = object()
        found = {key: self.get(key, missing) for key in keys}
        return {key: value for key, value in found.items() if value is not missing}


class JsonRedisCache(RedisCache):
    """``CACHES`` names this."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        options = {**params.get("OPTIONS", {}), "serializer": JsonSerializer}
        super().__init__(server, {**params, "OPTIONS": options})
        self._class = JsonCacheClient
