"""The board's sockets: contiguous frames, answers by id, resending, and a reading before anything binds."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from accounts.models import User
from negotiation.diplomacy.models import BoardGame
from negotiation.diplomacy.selectors import frames_of, log_after
from tests.web.conftest import OpenSocket, Socket
from tests.web.test_diplomacy_table import PEACE, begin

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def board(rep: User) -> BoardGame:
    return begin(rep)


async def until_seq(socket: Socket, last: int) -> list[dict[str, Any]]:
    """The frames of the log up to a number."""
    frames: list[dict[str, Any]] = []
    while not frames or frames[-1]["seq"] < last:
        frame = await socket.frame()
        if "seq" in frame and frame.get("type") != "ack":
            frames.append(frame)
    return frames


async def sent(
    socket: Socket, kind: str, data: dict[str, Any], frame_id: str | None = None
) -> dict[str, Any]:
    """Send a frame; the server's answer to it."""
    frame_id = frame_id or str(uuid.uuid4())
    await socket.send_json_to({"id": frame_id, "type": kind, "data": data})
    while True:
        frame = await socket.frame()
        if frame.get("id") == frame_id:
            return frame


async def test_the_socket_sends_what_the_page_holds_and_again_on_asking(
    board: BoardGame, session: str, open_socket: OpenSocket
) -> None:
    socket = await open_socket(f"/ws/diplomacy/{board.pk}/", session=session)
    hello = await socket.until("hello")
    assert hello["data"]["role"] == "FRANCE"
    frames = await until_seq(socket, board.last_seq)
    rows = await sync_to_async(log_after)(board.pk, 0)
    assert frames == frames_of(rows, "FRANCE")
    await socket.send_json_to({"id": str(uuid.uuid4()), "type": "resume", "data": {"since": 2}})
    assert [frame["seq"] for frame in await until_seq(socket, board.last_seq)] == list(
        range(3, board.last_seq + 1)
    )


async def test_what_is_sent_twice_is_acknowledged_twice_and_happens_once(
    board: BoardGame, session: str, open_socket: OpenSocket
) -> None:
    socket = await open_socket(f"/ws/diplomacy/{board.pk}/?since={board.last_seq}", session=session)
    await socket.until("hello")
    data, frame_id = {"to": "GERMANY", "text": PEACE}, str(uuid.uuid4())
    first = await sent(socket, "say", data, frame_id)
    again = await sent(socket, "say", data, frame_id)
    assert first["type"] == again["type"] == "ack"
    assert first["seq"] == again["seq"]
    rows = await sync_to_async(log_after)(board.pk, board.last_seq)
    assert [row.data["by"] for row in rows if row.type == "said"] == ["FRANCE", "GERMANY"]


async def test_orders_are_refused_in_words_or_played_with_the_next_options(
    board: BoardGame, session: str, open_socket: OpenSocket
) -> None:
    socket = await open_socket(f"/ws/diplomacy/{board.pk}/?since={board.last_seq}", session=session)
    await socket.until("options")
    refused = await sent(socket, "order", {"orders": ["A PAR - MOS"]})
    assert (refused["type"], refused["data"]["code"], refused["data"]["field"]) == (
        "error",
        "bad_orders",
        "orders",
    )
    refused = await sent(socket, "order", {"orders": "A PAR - BUR"})
    assert refused["data"]["code"] == "bad_field"
    assert (await sent(socket, "withdraw", {}))["data"]["code"] == "nothing_to_withdraw"
    assert (await sent(socket, "order", {"orders": ["A PAR - BUR"]}))["type"] == "ack"
    while True:
        options = await socket.until("options")
        if options["data"]["phase"] == "F1901M":
            break
    assert "A BUR - MUN" in options["data"]["units"]["A BUR"]


@pytest.mark.parametrize(
    "edit", [{"dropped": [-1]}, {"dropped": "0"}, {"until": {"x": 1}}, {"until": {"0": "1"}}, {"until": [1]}]
)
async def test_a_correction_that_is_none_is_refused_and_nothing_is_said(
    board: BoardGame, session: str, open_socket: OpenSocket, edit: dict[str, Any]
) -> None:
    socket = await open_socket(f"/ws/diplomacy/{board.pk}/?since={board.last_seq}", session=session)
    await socket.until("hello")
    answer = await sent(socket, "say", {"to": "GERMANY", "text": PEACE, **edit})
    assert (answer["type"], answer["data"]["code"]) == ("error", "bad_field")
    assert await sync_to_async(log_after)(board.pk, board.last_seq) == []


async def test_a_message_is_read_back_before_it_is_sent_and_leaves_no_trace(
    board: BoardGame, session: str, open_socket: OpenSocket
) -> None:
    socket = await open_socket(f"/ws/diplomacy/{board.pk}/?since={board.last_seq}", session=session)
    await socket.until("hello")
    text = "I will not attack you until fall 1902. Please keep out of Burgundy."
    reading = (await sent(socket, "preview", {"to": "GERMANY", "text": text}))["data"]
    assert [one["summary"] for one in reading["promises"]] == ["No attack on Germany, until Fall 1902"]
    assert [one["summary"] for one in reading["asks"]] == ["Keeps out of Burgundy, until Fall 1901"]
    assert await sync_to_async(log_after)(board.pk, board.last_seq) == []
