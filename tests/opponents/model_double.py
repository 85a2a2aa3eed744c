"""A stand-in for a model's brain behind a real HTTP server that speaks the OpenAI protocol.

What the product does with a model is tested against real sockets, real streaming and real broken connections; only
what the model would have said is written by the test. (The tests marked ``vllm`` use a real server and model.)
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any

Body = dict[str, Any]
PATIENCE = 60.0
"""A turn's seconds where a test is not about being too slow: a busy machine must not decide what it sees."""


@dataclass(frozen=True)
class Said:
    """What to answer: ``pieces`` with ``pause`` seconds between them, after ``wait`` seconds.

    ``status`` other than 200 is an error of the server; ``hangs_up_after`` breaks the connection after so many pieces;
    ``unfinished`` closes it in good order without having come to an end; ``reports_error_after`` so many pieces it says that
    something went wrong, in place of the next.
    """

    pieces: tuple[str, ...]
    wait: float = 0.0
    pause: float = 0.0
    status: int = 200
    hangs_up_after: int | None = None
    unfinished: bool = False
    reports_error_after: int | None = None


Brain = Callable[[Body], "Said | str"]


def in_pieces(text: str, size: int = 4) -> tuple[str, ...]:
    return tuple(text[at : at + size] for at in range(0, len(text), size))


@dataclass
class Double:
    """The running server. ``asked`` holds the bodies of all requests, ``open_now`` how many are being answered.

    ``holds`` are the models that it names, ``listed`` how often it was asked for them.
    """

    brain: Brain
    url: str = ""
    asked: list[Body] = field(default_factory=list)
    holds: list[str] = field(default_factory=lambda: ["base"])
    listed: int = 0
    open_now: int = 0
    most_open: int = 0
    cut_off: int = 0

    async def until_open(self, count: int) -> None:
        """Wait until so many requests are being answered."""
        async with asyncio.timeout(5):
            while self.open_now != count:  # noqa: ASYNC110  # counted by another task, seldom looked at
                await asyncio.sleep(0.01)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            self.cut_off += 1
        finally:
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = await reader.readline()
        if not head:
            return False
        length = 0
        while (line := await reader.readline()).strip():
            name, _, value = line.decode().partition(":")
            if name.lower() == "content-length":
                length = int(value)
        body = json.loads(await reader.readexactly(length)) if length else {}
        if b"/models" in head.split(b" ")[1]:
            self.listed += 1
            models = {
                "object": "list",
                "data": [
                    {"id": name, "object": "model", "created": 0, "owned_by": "us"} for name in self.holds
                ],
            }
            _write_json(writer, 200, models)
            await writer.drain()
            return True
        self.asked.append(body)
        self.open_now += 1
        self.most_open = max(self.most_open, self.open_now)
        try:
            return await self._answer(body, reader, writer)
        finally:
            self.open_now -= 1

    async def _answer(self, body: Body, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        answer = self.brain(body)
        said = Said(in_pieces(answer)) if isinstance(answer, str) else answer
        await self._unless_gone(asyncio.sleep(said.wait), reader)
        if said.status != 200:
            _write_json(
                writer, said.status, {"error": {"message": "scripted", "type": "x", "code": said.status}}
            )
            await writer.drain()
            return True
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        for number, piece in enumerate(said.pieces):
            if number == said.reports_error_after:
                _write_chunk(writer, b'data: {"error": {"message": "scripted"}}\n\n')
            if number == said.hangs_up_after:
                writer.transport.abort()
                return False
            _write_event(
                writer, {"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]}
            )
            await writer.drain()
            if said.pause:
                await self._unless_gone(asyncio.sleep(said.pause), reader)
        if not said.unfinished:
            _write_event(writer, {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        usage = {
            "prompt_tokens": 9,
            "completion_tokens": len(said.pieces),
            "total_tokens": 9 + len(said.pieces),
        }
        _write_event(writer, {"choices": [], "usage": usage})
        _write_chunk(writer, b"data: [DONE]\n\n")
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True

    async def _unless_gone(self, waiting: Any, reader: asyncio.StreamReader) -> None:
        """Wait, and notice when the other side hangs up meanwhile."""
        wait = asyncio.ensure_future(waiting)
        gone = asyncio.ensure_future(reader.read(1))
        done, _ = await asyncio.wait({wait, gone}, return_when=asyncio.FIRST_COMPLETED)
        if wait not in done:
            wait.cancel()
            raise ConnectionError("the other side left")
        gone.cancel()
        await asyncio.wait({gone})  # a cancelled read is still a read until the loop has seen it end


def _write_json(writer: asyncio.StreamWriter, status: int, data: Any) -> None:
    body = json.dumps(data).encode()
    head = (
        f"HTTP/1.1 {status} Scripted\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    writer.write(head.encode() + body)


def _write_event(writer: asyncio.StreamWriter, data: Body) -> None:
    whole = {"id": "x", "object": "chat.completion.chunk", "created": 0, "model": "base", **data}
    _write_chunk(writer, b"data: " + json.dumps(whole).encode() + b"\n\n")


def _write_chunk(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")


@asynccontextmanager
async def speaking(brain: Brain) -> AsyncIterator[Double]:
    """A server with this brain on the running loop."""
    double = Double(brain)
    server = await asyncio.start_server(double.serve, "127.0.0.1", 0)
    double.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    try:
        yield double
    finally:
        server.close()


@contextmanager
def speaking_apart(brain: Brain) -> Iterator[Double]:
    """The same on a thread with a loop of its own, for what is not asynchronous itself."""
    ready = threading.Event()
    running: list[Double] = []
    loop = asyncio.new_event_loop()
    over = asyncio.Event()

    async def run() -> None:
        async with speaking(brain) as double:
            running.append(double)
            ready.set()
            await over.wait()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    thread = threading.Thread(target=loop.run_until_complete, args=(run(),), daemon=True)
    thread.start()
    ready.wait(10)
    try:
        yield running[0]
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join(10)
        loop.close()
