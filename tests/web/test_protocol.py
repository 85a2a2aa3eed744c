"""The protocol over real sockets, against a real server."""

from __future__ import annotations

import contextlib
import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from negotiation.events import fold
from tests.clients import Person, line
from tests.servers import Stack


@pytest.fixture
def guest(server: Stack) -> tuple[Person, str]:
    person = Person(server.url)
    return person, person.sit_down_as_guest()


def answering(sent: str) -> Callable[[dict[str, Any]], bool]:
    """Whether a frame answers what was sent under this id."""
    return lambda frame: frame.get("id") == sent


async def test_a_whole_deal(server: Stack, guest: tuple[Person, str]) -> None:
    """Concede until one side takes the other's offer; the log folds to what the page would start from."""
    person, game_id = guest
    async with line(server.url, f"/ws/deals/{game_id}/", cookies=person.cookies()) as table:
        await table.until(lambda frame: frame.get("type") == "turn_closed")
        for turn in range(6):
            await table.turn(text="What matters most to you?", offer=180_000 - turn * 6_000, confirmed=True)
        closed = [frame for frame in table.log if frame.get("type") == "turn_closed"][-1]
        assert (await table.ask("accept", offer=closed["data"]["standing_offer"]))["type"] == "ack"
        ended = await table.until(lambda frame: frame.get("type") == "game_ended")
        assert ended["data"]["outcome"]["price"] == closed["data"]["standing_offer"]
        assert table.seqs == list(range(1, len(table.seqs) + 1))
        folded = fold(table.log)  # type: ignore[arg-type]
    assert json.loads(person.get(f"/api/deals/{game_id}").text)["snapshot"] == json.loads(json.dumps(folded))
    assert person.get(f"/deals/{game_id}/debrief/").status == 200


async def test_two_frames_at_once_are_one_move(server: Stack, guest: tuple[Person, str]) -> None:
    person, game_id = guest
    path = f"/ws/deals/{game_id}/"
    async with (
        line(server.url, path, cookies=person.cookies()) as one,
        line(server.url, path, cookies=person.cookies()) as two,
    ):
        same = str(uuid.uuid4())
        for table in (one, two):
            await table.send("act", same, text="Hello", offer=180_000)
        answers = [await table.until(lambda frame: frame.get("id") == same) for table in (one, two)]
        assert [answer["type"] for answer in answers] == ["ack", "ack"]
        assert answers[0]["seq"] == answers[1]["seq"]
        await one.until_closed(answers[0]["seq"])
        ids = [await table.send("act", text="Next", offer=175_000) for table in (one, two)]
        kinds = [
            (await table.until(answering(sent)))["type"] for table, sent in zip((one, two), ids, strict=True)
        ]
        assert "ack" in kinds
        moved = server.rows(
            "SELECT count(*) FROM negotiation_event WHERE game_id = ? AND type = 'player_moved'",
            game_id.replace("-", ""),
        )[0][0]
        assert moved == 1 + kinds.count("ack")


async def test_a_cut_line_resumes_without_a_gap(server: Stack, guest: tuple[Person, str]) -> None:
    """The line is cut right after a move was sent; coming back, the retry is acked and nothing is missing."""
    person, game_id = guest
    path = f"/ws/deals/{game_id}/"
    move = str(uuid.uuid4())
    async with line(server.url, path, cookies=person.cookies()) as table:
        await table.until(lambda frame: frame.get("type") == "turn_closed")
        await table.send("act", move, text="Hello", offer=180_000)
        table.socket.transport.abort()
    held = table.log
    async with line(server.url, f"{path}?since={held[-1]['seq']}", cookies=person.cookies()) as back:
        ack = await back.ask("act", move, text="Hello", offer=180_000)
        assert ack["type"] == "ack"
        await back.until_closed(ack["seq"])
        seqs = [frame["seq"] for frame in [*held, *back.log]]
        assert seqs == list(range(1, len(seqs) + 1))
    moves = server.rows(
        "SELECT count(*) FROM negotiation_event WHERE game_id = ? AND type = 'player_moved'",
        game_id.replace("-", ""),
    )
    assert moves == [(1,)]


async def test_every_spectator_hears_the_same(server: Stack, guest: tuple[Person, str]) -> None:
    person, game_id = guest
    token = person.share(game_id, "watch")
    async with line(server.url, f"/ws/deals/{game_id}/", cookies=person.cookies()) as table:
        watching = [line(server.url, f"/ws/watch/{token}/") for _ in range(5)]
        opened = [await one.__aenter__() for one in watching]
        ack = await table.turn(text="Hello", offer=180_000)
        for one in opened:
            await one.until(lambda frame: frame.get("seq") == table.log[-1]["seq"])
            assert one.seqs == table.seqs
            assert ack["seq"] in one.seqs
        for opening in watching:
            await opening.__aexit__(None, None, None)


async def test_a_frame_over_the_cap_and_bytes(server: Stack, guest: tuple[Person, str]) -> None:
    person, game_id = guest
    async with line(server.url, f"/ws/deals/{game_id}/", cookies=person.cookies()) as table:
        await table.socket.send("x" * 100_000)
        error = await table.until(lambda frame: frame.get("type") == "error")
        assert error["data"]["code"] == "frame_too_large"
        await table.socket.send(b"\x00\xff")
        error = await table.until(lambda frame: frame.get("type") == "error")
        assert error["data"]["code"] == "binary_frame"
        await table.turn(text="Still here.", offer=180_000)


async def test_a_monstrous_frame_ends_only_its_own_line(server: Stack, guest: tuple[Person, str]) -> None:
    person, game_id = guest
    path = f"/ws/deals/{game_id}/"
    async with line(server.url, path, cookies=person.cookies()) as table:
        with contextlib.suppress(ConnectionClosed):
            await table.socket.send("x" * 3_000_000)
        with pytest.raises(ConnectionClosed):
            await table.until(lambda frame: False)
    async with line(server.url, path, cookies=person.cookies()) as back:
        await back.turn(text="Back again.", offer=180_000)


@pytest.mark.parametrize("origin", ["http://evil.example", "null"])
async def test_other_sites_are_refused(server: Stack, guest: tuple[Person, str], origin: str) -> None:
    person, game_id = guest
    with pytest.raises(InvalidStatus) as refused:
        async with line(server.url, f"/ws/deals/{game_id}/", cookies=person.cookies(), origin=origin):
            pass
    assert refused.value.response.status_code == 403


async def test_signing_out_closes_the_table(server: Stack) -> None:
    person = Person(server.url).login("rep@demo.local")
    game_id = person.sit_down()
    async with line(server.url, f"/ws/deals/{game_id}/", cookies=person.cookies()) as table:
        await table.until(lambda frame: frame.get("type") == "turn_closed")
        person.post("/accounts/logout/")
        await table.send("act", text="Hello", offer=180_000)
        closing = await table.until(lambda frame: frame.get("type") == "closing")
        assert closing["data"]["code"] == "not_signed_in"
        with pytest.raises(ConnectionClosed) as closed:
            await table.next()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4401
