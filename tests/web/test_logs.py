"""No secret of a link reaches a log: every route that has one is called so that it fails."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.cache import cache
from django.core.mail import send_mail
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from pytest_django import Settings

from coaching.routing import sockets as coaching_sockets
from negotiation.coalitions.routing import sockets as coalition_sockets
from negotiation.diplomacy.routing import sockets as board_sockets
from negotiation.pairs.routing import sockets as pair_sockets
from parlay_web.logs import logging_config
from tests.web.conftest import OpenSocket

pytestmark = pytest.mark.django_db(transaction=True)

SECRET = "hUsh" * 11
NO_SECRETS = {
    "path", "object_id", "app_label", "content_type_id", "slug", "kind", "url", "game_id", "adapter_id", "action",
    "dataset_id", "split", "run_id",
}  # fmt: skip
"""Names of parameters of text that are none: of pages, objects and files."""


def routes(patterns: list[Any] | None = None, before: str = "") -> Iterator[str]:
    for entry in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(entry, URLResolver):
            yield from routes(entry.url_patterns, before + str(entry.pattern))
        elif isinstance(entry, URLPattern):
            yield before + str(entry.pattern)


def texts_of(route: str) -> set[str]:
    return set(re.findall(r"<(?:str:|slug:)?(\w+)>", route))


def filled(route: str) -> str:
    path = re.sub(r"\(\?P<(\w+)>[^)]*\)|<(?:str:|slug:)?(\w+)>", SECRET, route)
    return "/" + re.sub(r"\\(.)", r"\1", path).replace("^", "").rstrip("$")


SECRET_ROUTES = sorted(route for route in routes() if texts_of(route) - NO_SECRETS)
SOCKETS = sorted(
    str(one.pattern)
    for one in (*coaching_sockets, *board_sockets, *coalition_sockets, *pair_sockets)
    if "token" in str(one.pattern)
)


@pytest.fixture
def lines() -> Iterator[Callable[[], str]]:
    """Everything that is logged, as it is written."""
    import parlay_web.asgi  # noqa: F401  # it configures the logs anew when it is first imported

    stream, root = io.StringIO(), logging.getLogger()
    handler = logging.StreamHandler(stream)
    formatter = logging_config(level="DEBUG")["formatters"]["json"]
    handler.setFormatter(formatter["()"](**{k: v for k, v in formatter.items() if k != "()"}))
    loggers = [root, *(logging.getLogger(name) for name in ("django", "django.request", "django.server"))]
    before = root.level
    for logger in loggers:
        logger.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield stream.getvalue
    root.setLevel(before)
    for logger in loggers:
        logger.removeHandler(handler)


class Breaks:
    """A middleware that fails, with the path in its words."""

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        raise RuntimeError(f"broken at {request.get_full_path()}")


def test_the_routes_with_secrets_are_those_that_are_known() -> None:
    kinds = {re.split(r"[<(]", route)[0] for route in SECRET_ROUTES}
    assert kinds == {
        "accounts/^confirm-email/", "accounts/^password/reset/key/", "board-watch/", "coalition-watch/", "diplomacy/join/",
        "join/", "pair-watch/", "pairs/join/", "shared/", "watch/",
    }, "a new one must be masked in parlay_web.logs, or its parameter is no secret"  # fmt: skip
    assert len(SOCKETS) == 4


@pytest.mark.parametrize("route", SECRET_ROUTES)
def test_no_failing_route_tells_its_secret(
    route: str,
    lines: Callable[[], str],
    settings: Settings,
    rep: Any,
    signed_in: Callable[[Any], Client],
) -> None:
    path = filled(route)
    for client in (Client(raise_request_exception=False), signed_in(rep)):
        for answer in (client.get(path), client.post(path, {}), client.get("/nowhere/", {"next": path})):
            assert answer.status_code in (200, 302) or 400 <= answer.status_code < 500, route
    settings.MIDDLEWARE = ["tests.web.test_logs.Breaks"]
    assert Client(raise_request_exception=False).get(path).status_code == 500
    logging.getLogger("any").warning("went to %s", f"https://parlay.example{path}")
    told = lines()
    assert "broken at" in told
    assert "***" in told
    assert SECRET not in told
    cache.clear()


@pytest.mark.parametrize("route", SOCKETS)
async def test_no_failing_socket_tells_its_secret(
    route: str, lines: Callable[[], str], open_socket: OpenSocket
) -> None:
    socket = await open_socket("/" + route.replace("<str:token>", SECRET))
    await socket.close_code()
    logging.getLogger("daphne").warning("dropped %s", "/" + route.replace("<str:token>", SECRET))
    assert SECRET not in lines()
    assert "***" in lines()


def test_a_letter_without_a_server_is_written_nowhere(
    settings: Settings, capfd: pytest.CaptureFixture[str]
) -> None:
    from parlay_web.settings import base

    assert django_settings.EMAIL_BACKEND.endswith("locmem.EmailBackend"), "the tests' own"
    settings.EMAIL_BACKEND = base.EMAIL_BACKEND
    send_mail("A new password", f"/accounts/password/reset/key/1-{SECRET}/", None, ["rep@example.com"])
    assert SECRET not in "".join(capfd.readouterr())


def test_a_body_that_is_too_large_is_one_line_without_a_trace(lines: Callable[[], str]) -> None:
    body = "&".join(f"f{number}=1" for number in range(django_settings.DATA_UPLOAD_MAX_NUMBER_FIELDS + 1))
    answer = Client().post("/accounts/login/", body, content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 400
    refused = [line for line in lines().splitlines() if "django.security" in line]
    assert refused
    assert all('"level": "warning"' in line and "Traceback" not in line for line in refused)
