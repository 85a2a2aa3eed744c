"""What stands in Redis is read as data: a pickle planted there is neither run nor a reason for an error."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from kombu.exceptions import ContentDisallowed
from kombu.serialization import loads
from redis import Redis

from accounts.models import User
from parlay_web.celery import app

pytestmark = pytest.mark.django_db

PAGES = (
    "/watch/abc/",
    "/board-watch/abc/",
    "/coalition-watch/abc/",
    "/pair-watch/abc/",
    "/pairs/join/abc/",
    "/join/abc/",
    "/accounts/login/",
    "/accounts/signup/",
)


class Marker:
    """Leaves a file where it is unpickled."""

    def __init__(self, at: Path) -> None:
        self.at = at

    def __reduce__(self) -> tuple[Any, tuple[str, int]]:
        return os.mknod, (str(self.at), 0o100600)


def plant(value: bytes) -> int:
    """Put a value under every key of the cache that there is; how many."""
    with Redis.from_url(settings.REDIS_URL) as client:
        keys = list(client.scan_iter("parlay:*"))
        for key in keys:
            client.set(key, value)
        return len(keys)


def visit(client: Client) -> list[int]:
    seen = [client.get(path).status_code for path in PAGES]
    form = {"login": "rep@example.com", "password": "wrong", "password1": "wrong", "email": "new@example.com"}
    return seen + [client.post(path, form).status_code for path in ("/accounts/login/", "/accounts/signup/")]


@pytest.mark.parametrize("junk", [b"{", b"[" * 100_000, b"\xff\x00", b'"text"', b"null", b"{}"])
def test_junk_under_a_key_is_a_miss(junk: bytes) -> None:
    cache.set("asked", [1, 2], 60)
    with Redis.from_url(settings.REDIS_URL) as client:
        client.set(cache.make_key("asked"), junk)
    assert cache.get("asked", "none") in ("none", "text", None, {})
    cache.delete("asked")


def test_no_key_that_a_page_reads_is_ever_unpickled(rep: User, tmp_path: Path) -> None:
    mark = tmp_path / "run"
    client = Client()
    first = visit(client)
    assert max(first) < 500
    assert plant(pickle.dumps(Marker(mark))) >= 3, "of links that failed, of sign-in and of sign-up"
    assert max(visit(client)) < 500
    assert not mark.exists()
    pickle.loads(pickle.dumps(Marker(mark)))  # noqa: S301  # it would have left its mark
    assert mark.exists()
    cache.clear()


def test_values_come_back_as_they_were_set_and_can_be_counted() -> None:
    for value in (1, 1.5, "word", [1, [2.5, None]], {"a": True}, None):
        cache.set("kept", value, 60)
        assert cache.get("kept", "missing") == value
    cache.set("count", 1, 60)
    assert cache.incr("count") == 2
    assert cache.get_many(["count", "nothing"]) == {"count": 2}
    cache.clear()


def test_the_worker_takes_json_alone() -> None:
    assert list(app.conf.accept_content) == ["json"]
    with pytest.raises(ContentDisallowed):
        loads(b"x", "application/x-python-serialize", "binary", accept=app.conf.accept_content)


def test_sessions_are_json_in_the_database() -> None:
    assert settings.SESSION_ENGINE.endswith(".db")
    assert settings.SESSION_SERIALIZER.endswith(".JSONSerializer")
