"""Where a request comes from: a named proxy is believed, and nobody else."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
from asgiref.sync import sync_to_async
from channels.testing import HttpCommunicator
from django.core.cache import cache
from django.core.handlers.asgi import ASGIHandler

from negotiation.table import attempts
from parlay_web.proxies import App, NamedProxies

PROXY, CLIENT, OTHER = "10.0.0.5", "192.0.2.7", "198.51.100.9"


def seen(peer: str | None, proxies: list[str], *headers: tuple[str, str]) -> tuple[str, list[bytes]]:
    """The client that the application is told of, and the names of the headers that it gets."""
    found: dict[str, Any] = {}

    async def app(scope: Any, receive: Any, send: Any) -> None:
        found.update(scope)

    scope = {
        "type": "http",
        "client": (peer, 1234) if peer is not None else None,
        "headers": [(name.encode(), value.encode()) for name, value in headers],
    }
    asyncio.run(NamedProxies(app, proxies)(scope, None, None))
    return (found["client"] or ("", 0))[0], [name for name, _ in found["headers"]]


@pytest.mark.parametrize(
    ("peer", "proxies", "told", "client"),
    [
        (PROXY, [PROXY], CLIENT, CLIENT),
        (PROXY, ["10.0.0.0/24"], CLIENT, CLIENT),
        (OTHER, [PROXY], CLIENT, OTHER),
        (OTHER, [], CLIENT, OTHER),
        (PROXY, [PROXY], f"{OTHER}, {CLIENT}", CLIENT),
        (PROXY, ["10.0.0.0/24"], f"{OTHER}, {CLIENT}, 10.0.0.9", CLIENT),
        (PROXY, [PROXY], "nonsense", PROXY),
        (PROXY, [PROXY], "", PROXY),
        (PROXY, [PROXY], f"{CLIENT}, <script>", PROXY),
        ("127.0.0.1", ["localhost"], CLIENT, CLIENT),
        (OTHER, ["localhost", "no.such.name.invalid"], CLIENT, OTHER),
        (None, [PROXY], CLIENT, ""),
        ("::1", ["::1"], "2001:db8::1", "2001:db8::1"),
    ],
)
def test_a_client_is_who_the_named_proxy_says(
    peer: str | None, proxies: list[str], told: str, client: str
) -> None:
    assert seen(peer, proxies, ("x-forwarded-for", told))[0] == client


def test_several_headers_are_one_list() -> None:
    assert seen(PROXY, [PROXY], ("x-forwarded-for", OTHER), ("x-forwarded-for", CLIENT))[0] == CLIENT


def test_whether_it_was_https_is_believed_of_the_same_alone() -> None:
    header = ("x-forwarded-proto", "https")
    assert seen(PROXY, [PROXY], header)[1] == [b"x-forwarded-proto"]
    assert seen(OTHER, [PROXY], header)[1] == []


@pytest.mark.django_db(transaction=True)
async def test_a_forged_address_changes_no_counter() -> None:
    await sync_to_async(cache.clear)()
    handler = cast("App", ASGIHandler())  # its stubs ask for a dict where the protocol has a mapping
    application = NamedProxies(handler, [PROXY])

    async def miss(peer: str) -> int:
        headers = [(b"host", b"testserver"), (b"x-forwarded-for", CLIENT.encode())]
        asked = HttpCommunicator(application, "GET", "/watch/nothing/", headers=headers)
        asked.scope["client"] = (peer, 1234)
        return int((await asked.get_response(timeout=10))["status"])

    for _ in range(attempts.ALLOWED):
        assert await miss(OTHER) == 404
    assert await miss(OTHER) == 429
    assert not await sync_to_async(attempts.too_many)(CLIENT)
    for _ in range(attempts.ALLOWED):
        assert await miss(PROXY) == 404
    assert await sync_to_async(attempts.too_many)(CLIENT)
    assert not await sync_to_async(attempts.too_many)(PROXY)
    await sync_to_async(cache.clear)()
