"""Pages in another process: what is passed on, and what comes of it where that process is away or dies."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from parlay_web.env import parse_neighbour
from parlay_web.planes import PagesElsewhere
from parlay_web.proxies import NamedProxies
from tests.clients import Person, line
from tests.servers import Stack

HERE = (b"x-made", b"here")


async def here(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [HERE]})
    await send({"type": "http.response.body", "body": b"made here"})


async def ask(app: Any, method: str = "GET", *body: bytes, **more: Any) -> list[dict[str, Any]]:
    """What ``app`` sends to a request for /a path?b=1 from 203.0.113.9."""
    sent: list[dict[str, Any]] = []
    parts = [{"type": "http.request", "body": part, "more_body": True} for part in body]
    parts.append({"type": "http.request", "body": b"", "more_body": False})

    async def receive() -> dict[str, Any]:
        return parts.pop(0)

    async def send(event: dict[str, Any]) -> None:
        sent.append(event)

    length = [(b"content-length", str(sum(map(len, body))).encode())] if body else []
    headers = [
        (b"host", b"parlay.example"),
        (b"x-forwarded-for", b"10.0.0.1"),
        (b"connection", b"keep-alive"),
        *length,
    ]
    scope = {
        **{
            "type": "http",
            "method": method,
            "path": "/a path",
            "raw_path": b"/a%20path",
            "query_string": b"b=1",
        },
        **{"headers": headers, "client": ("203.0.113.9", 5000)},
        **more,
    }
    await app(scope, receive, send)
    return sent


def whole(sent: list[dict[str, Any]]) -> bytes:
    return b"".join(event.get("body", b"") for event in sent)


@asynccontextmanager
async def neighbour(file: Path, *answer: bytes) -> AsyncIterator[list[bytes]]:
    """Somebody who answers every request with those bytes, whatever they are; what was asked is in the list."""
    asked: list[bytes] = []

    async def answering(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = [row for row in head.split(b"\r\n") if row.lower().startswith(b"content-length")]
        asked.append(head + (await reader.readexactly(int(length[0].split()[1])) if length else b""))
        for part in answer:
            writer.write(part)
            await writer.drain()
        writer.close()

    async with await asyncio.start_unix_server(answering, file):
        yield asked


async def test_a_request_is_passed_on_with_who_asked_and_nothing_between_neighbours(tmp_path: Path) -> None:
    head = b"HTTP/1.1 201 Created\r\nContent-Length: 5\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nConnection: close\r\n\r\n"
    async with neighbour(tmp_path / "s", head, b"there") as asked:
        sent = await ask(PagesElsewhere(here, f"unix:{tmp_path / 's'}"), "POST", b"one ", b"two")
    head, body = asked[0].lower().split(b"\r\n\r\n")
    assert head.startswith(b"post /a%20path?b=1 http/1.1\r\n")
    assert b"\r\nx-forwarded-for: 203.0.113.9" in head
    assert b"10.0.0.1" not in head, "what the client says of itself is not passed on"
    assert b"keep-alive" not in head
    assert body == b"one two"
    assert sent[0]["status"] == 201
    assert sent[0]["headers"] == [(b"content-length", b"5"), (b"set-cookie", b"a=1"), (b"set-cookie", b"b=2")]
    assert whole(sent) == b"there"


async def test_a_long_answer_is_passed_on_part_by_part(tmp_path: Path) -> None:
    parts = (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"3\r\none\r\n",
        b"3\r\ntwo\r\n",
        b"0\r\n\r\n",
    )
    async with neighbour(tmp_path / "s", *parts):
        sent = await ask(PagesElsewhere(here, f"unix:{tmp_path / 's'}"))
    assert sent[0]["headers"] == []
    assert whole(sent) == b"onetwo"
    assert [event.get("more_body") for event in sent][-1] is False


@pytest.mark.parametrize(
    "more",
    [{}, {"path": "/healthz"}, {"headers": []}],
    ids=["nobody there", "a probe is of this process", "not a request that can be passed on"],
)
async def test_what_is_not_passed_on_is_answered_here(tmp_path: Path, more: dict[str, Any]) -> None:
    async with neighbour(tmp_path / "s", b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"):
        address = tmp_path / ("s" if more else "nobody")
        assert whole(await ask(PagesElsewhere(here, f"unix:{address}"), **more)) == b"made here"


@pytest.mark.parametrize(
    ("method", "status", "words"), [("GET", 200, b"made here"), ("POST", 503, b"whether it was done")]
)
async def test_who_dies_before_it_answers_is_asked_again_only_where_that_does_nothing_twice(
    tmp_path: Path, method: str, status: int, words: bytes
) -> None:
    async with neighbour(tmp_path / "s", b""):
        sent = await ask(PagesElsewhere(here, f"unix:{tmp_path / 's'}"), method)
    assert sent[0]["status"] == status
    assert words in whole(sent)


async def test_half_an_answer_is_not_taken_for_a_whole_one(tmp_path: Path) -> None:
    async with neighbour(tmp_path / "s", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"):
        with pytest.raises(Exception, match="without sending complete message body"):
            await ask(PagesElsewhere(here, f"unix:{tmp_path / 's'}"))


@pytest.mark.parametrize(("proxies", "client"), [(["unix"], "198.51.100.7"), ([], None)])
async def test_who_comes_over_a_socket_file_is_believed_only_where_that_is_said(
    proxies: list[str], client: str | None
) -> None:
    seen: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope.get("client"))

    headers = [(b"x-forwarded-for", b"198.51.100.7")]
    await NamedProxies(app, proxies)({"type": "http", "headers": headers, "client": None}, None, None)
    assert (seen[0] or (None,))[0] == client


@pytest.mark.parametrize(
    ("raw", "fine"),
    [("unix:/var/pages.sock", True), ("http://pages:8000", True), ("pages", False), ("unix:pages", False)],
)
def test_where_pages_are_made_is_an_address_or_a_file(raw: str, fine: bool) -> None:
    if fine:
        assert parse_neighbour(raw) == raw
        return
    with pytest.raises(ValueError, match="expected"):
        parse_neighbour(raw)


@pytest.fixture
def two_planes(tmp_path: Path) -> Iterator[Stack]:
    """A house whose pages are made by a process of their own."""
    stack = Stack(tmp_path)
    try:
        yield stack.start(planes=True)
    finally:
        stack.stop()


async def test_a_deal_is_set_up_in_one_process_and_played_in_the_other_and_goes_on_without_the_first(
    two_planes: Stack,
) -> None:
    person = Person(two_planes.url).login("rep@demo.local")
    game = person.sit_down()
    assert two_planes.pages is not None
    async with line(two_planes.url, f"/ws/deals/{game}/", cookies=person.cookies()) as table:
        await table.until(lambda frame: frame["type"] == "hello")
        two_planes.pages.kill()
        two_planes.pages.wait()
        await table.turn(text="What goes wrong today?", offer=190_000)
    assert person.get(f"/deals/{game}/").status == 200
