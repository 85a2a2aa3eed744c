"""Talking to a socket of this process: a frame, its answer, a whole turn, the end."""

from __future__ import annotations

import uuid
from typing import Any

from tests.web.conftest import OpenSocket, Socket


def frame(kind: str, **data: Any) -> dict[str, Any]:
    return {"id": str(uuid.uuid4()), "type": kind, "data": data}


async def ask(socket: Socket, sent: dict[str, Any]) -> dict[str, Any]:
    await socket.send_json_to(sent)
    while True:
        answer = await socket.frame()
        if answer.get("id") == sent["id"]:
            return answer


async def play(socket: Socket, **data: Any) -> dict[str, Any]:
    """A whole turn; returns the persona's move."""
    answer = await ask(socket, frame("act", **data))
    assert answer["type"] == "ack", answer
    moved: dict[str, Any] = await socket.until("opponent_moved")
    await socket.until("turn_closed")
    assert set(await socket.frame()) == {"seq"}
    return moved


async def close_code_of(open_socket: OpenSocket, path: str, **options: str) -> tuple[str, int]:
    socket = await open_socket(path, **options)
    closing = await socket.until("closing")
    assert closing["data"]["message"]
    return closing["data"]["code"], await socket.close_code()
