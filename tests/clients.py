"""People for the tests: a browser without a screen, and a line to a table."""

from __future__ import annotations

import asyncio
import http.cookiejar
import json
import re
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

PATIENCE = 30.0
DEMO_PASSWORD = "parlay-demo"


@dataclass
class Page:
    """What a request brought back."""

    status: int
    url: str
    text: str
    headers: dict[str, str]


class Person:
    """Someone with cookies. Keeps every page seen."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.jar = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        self.pages: list[Page] = []

    def get(self, path: str) -> Page:
        return self._open(urllib.request.Request(self._absolute(path)))  # noqa: S310

    def post(self, path: str, **data: str) -> Page:
        """Post a form, as a page of this site would."""
        if not self.cookie("csrftoken"):
            self.get("/accounts/login/")
        body = urllib.parse.urlencode({"csrfmiddlewaretoken": self.cookie("csrftoken"), **data}).encode()
        return self._open(
            urllib.request.Request(self._absolute(path), data=body, headers={"Referer": self.url})  # noqa: S310
        )

    def login(self, email: str, password: str = DEMO_PASSWORD) -> Person:
        page = self.post("/accounts/login/", login=email, password=password)
        assert self.cookie("sessionid"), page.text[-2000:]
        return self

    def sit_down(self, **choice: str) -> str:
        """Start a deal; returns its id."""
        chosen = {"scenario": "saas_enterprise", "persona": "diplomat", "seat": "seller", "difficulty": "0.5"}
        page = self.post("/deals/new/", **{**chosen, **choice})
        found = re.search(r"/deals/([0-9a-f-]{36})/", page.url)
        assert found, (page.status, page.url)
        return found.group(1)

    def sit_down_as_guest(self) -> str:
        """One click: a guest at a table."""
        page = self.post("/guest/")
        found = re.search(r"/deals/([0-9a-f-]{36})/", page.url)
        assert found, (page.status, page.url, page.text[:2000])
        return found.group(1)

    def share(self, game_id: str, scope: str) -> str:
        """Make a link; returns its token."""
        page = self.post(f"/deals/{game_id}/links/", scope=scope)
        return str(json.loads(page.text)["url"]).rstrip("/").rsplit("/", 1)[-1]

    def cookie(self, name: str) -> str:
        return next((cookie.value or "" for cookie in self.jar if cookie.name == name), "")

    def cookies(self) -> str:
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.jar)

    def _absolute(self, path: str) -> str:
        return path if path.startswith("http") else f"{self.url}{path}"

    def _open(self, request: urllib.request.Request) -> Page:
        try:
            with self.opener.open(request, timeout=PATIENCE) as answer:
                page = Page(answer.status, answer.url, answer.read().decode(), dict(answer.headers))
        except urllib.error.HTTPError as error:
            page = Page(error.code, error.url, error.read().decode(), dict(error.headers))
        self.pages.append(page)
        return page


@dataclass
class Line:
    """A socket with a memory: every frame in order, log frames apart from answers."""

    socket: ClientConnection
    raw: list[str] = field(default_factory=list)
    log: list[dict[str, Any]] = field(default_factory=list)
    control: list[dict[str, Any]] = field(default_factory=list)

    async def next(self) -> dict[str, Any]:
        text = await asyncio.wait_for(self.socket.recv(), PATIENCE)
        assert isinstance(text, str)
        self.raw.append(text)
        frame: dict[str, Any] = json.loads(text)
        (self.control if "id" in frame or "seq" not in frame else self.log).append(frame)
        return frame

    async def until(self, met: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Read on to the first frame that meets the condition."""
        async with asyncio.timeout(PATIENCE):
            while True:
                frame = await self.next()
                if met(frame):
                    return frame

    async def send(self, kind: str, frame_id: str | None = None, **data: Any) -> str:
        frame_id = frame_id or str(uuid.uuid4())
        await self.socket.send(json.dumps({"id": frame_id, "type": kind, "data": data}))
        return frame_id

    async def ask(self, kind: str, frame_id: str | None = None, **data: Any) -> dict[str, Any]:
        """Send, and read on to the answer."""
        frame_id = await self.send(kind, frame_id, **data)
        return await self.until(lambda frame: frame.get("id") == frame_id)

    async def turn(self, frame_id: str | None = None, kind: str = "act", **data: Any) -> dict[str, Any]:
        """A whole turn: the move, its ack, and the log up to the closed turn."""
        ack = await self.turn_unless_over(frame_id, kind, **data)
        assert ack is not None, "the deal is over"
        return ack

    async def turn_unless_over(
        self, frame_id: str | None = None, kind: str = "act", **data: Any
    ) -> dict[str, Any] | None:
        """As ``turn``; None when the last turn turns out to have ended the deal."""
        answer = await self.ask(kind, frame_id, **data)
        if answer["type"] == "error" and answer["data"]["code"] == "game_over":
            return None
        assert answer["type"] == "ack", answer
        await self.until_closed(answer["seq"])
        return answer

    async def until_closed(self, seq: int) -> None:
        while not any(f["seq"] > seq and f.get("type") == "turn_closed" for f in self.log):
            await self.next()
        # A bare number stands for the grading, which the player may not see.
        while self.log[-1].get("type") == "turn_closed":
            await self.next()

    @property
    def seqs(self) -> list[int]:
        return [frame["seq"] for frame in self.log]


@asynccontextmanager
async def line(url: str, path: str, *, cookies: str = "", origin: str | None = None) -> AsyncIterator[Line]:
    """Open a socket like a page of the site does."""
    address = f"{url.replace('http', 'ws', 1)}{path}"
    headers = {"Cookie": cookies} if cookies else {}
    said = Origin(origin if origin is not None else url)
    async with connect(address, origin=said, additional_headers=headers, max_size=2**22) as socket:
        yield Line(socket)
