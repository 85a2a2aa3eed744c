"""Real processes are killed under a game. It goes on, and nothing acknowledged is lost or doubled."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from tests.clients import Line, Person, line
from tests.servers import Stack

pytestmark = [pytest.mark.faults, pytest.mark.timeout(180)]


@pytest.fixture
def stack(tmp_path: Path) -> Iterator[Stack]:
    """A product of one's own, to be broken."""
    built = Stack(tmp_path / "stack")
    try:
        yield built.start()
    finally:
        built.stop()


@pytest.fixture
def seat(stack: Stack) -> tuple[Person, str]:
    person = Person(stack.url)
    return person, person.sit_down_as_guest()


def open_table(stack: Stack, seat: tuple[Person, str], since: int = 0) -> AbstractAsyncContextManager[Line]:
    person, game_id = seat
    return line(stack.url, f"/ws/deals/{game_id}/?since={since}", cookies=person.cookies())


def logged(stack: Stack, seat: tuple[Person, str]) -> list[tuple[int, str]]:
    return stack.rows(
        "SELECT seq, type FROM negotiation_event WHERE game_id = ? ORDER BY seq", seat[1].replace("-", "")
    )


def assert_whole(stack: Stack, seat: tuple[Person, str], moves: int) -> None:
    """Contiguous; as many moves as were acknowledged, each of them answered once."""
    rows = logged(stack, seat)
    assert [seq for seq, _ in rows] == list(range(1, len(rows) + 1))
    kinds = [kind for _, kind in rows]
    assert kinds.count("player_moved") == moves
    assert kinds.count("turn_closed") == moves + 1
    assert kinds.count("turn_graded") == moves + 1


async def first_turn(table: Line) -> None:
    await table.until(lambda frame: frame.get("type") == "turn_closed")
    await table.turn(text="What drives your timeline?", offer=185_000)


async def test_killed_between_turns(stack: Stack, seat: tuple[Person, str]) -> None:
    async with open_table(stack, seat) as table:
        await first_turn(table)
        stack.kill_web()
        with pytest.raises(ConnectionClosed):
            await table.next()
    stack.start_web()
    async with open_table(stack, seat, since=table.log[-1]["seq"]) as back:
        await back.turn(text="Where were we?", offer=178_000)
    assert_whole(stack, seat, moves=2)


@pytest.mark.parametrize("delay", [0.0, 0.002, 0.004, 0.006, 0.01, 0.02])
async def test_killed_inside_a_turn(stack: Stack, seat: tuple[Person, str], delay: float) -> None:
    """At whatever moment the server dies, the same move sent again ends up in the log exactly once."""
    move = str(uuid.uuid4())
    async with open_table(stack, seat) as table:
        await first_turn(table)
        await table.send("act", move, text="Closer now?", offer=178_000)
        await asyncio.sleep(delay)
        stack.kill_web()
        with pytest.raises(ConnectionClosed):
            await table.until(lambda frame: False)
    acked = [frame for frame in table.control if frame.get("id") == move]
    stack.start_web()
    async with open_table(stack, seat, since=table.log[-1]["seq"]) as back:
        again = await back.ask("act", move, text="Closer now?", offer=178_000)
        assert again["type"] == "ack"
        if acked:
            assert again["seq"] == acked[0]["seq"]
        while [f["seq"] for f in (*table.log, *back.log) if f.get("type") == "turn_closed"][-1] < again[
            "seq"
        ]:
            await back.next()
        await back.turn(text="And now?", offer=174_000)
        seqs = [frame["seq"] for frame in (*table.log, *back.log)]
        assert seqs == list(range(1, len(seqs) + 1))
    assert_whole(stack, seat, moves=3)


async def test_a_move_whose_reply_was_never_begun(stack: Stack, seat: tuple[Person, str]) -> None:
    """The move is in the log, its process is gone: the next connection has it answered."""
    async with open_table(stack, seat) as table:
        await first_turn(table)
    stack.kill_web()
    stack.manage(
        "shell",
        "-v0",
        "-c",
        f"""
import uuid
from negotiation.messages import parse_act
from negotiation.models import Game
from negotiation.services import turn_submit
game = Game.objects.get(pk="{seat[1]}")
act = parse_act({{"text": "Closer now?", "offer": 178000}})
turn_submit(game_id=game.id, player=game.player, action_id=uuid.uuid4(), act=act)
""",
    )
    assert logged(stack, seat)[-1][1] == "player_moved"
    stack.start_web()
    async with open_table(stack, seat, since=table.log[-1]["seq"]) as back:
        hello = await back.next()
        assert hello["data"]["awaiting_reply"] is True
        await back.until(lambda frame: frame.get("type") == "turn_closed")
        await back.until(lambda frame: "type" not in frame)
        await back.turn(text="And now?", offer=174_000)
    assert_whole(stack, seat, moves=3)


async def test_redis_restarts_in_mid_game(stack: Stack, seat: tuple[Person, str]) -> None:
    """Without Redis the own table goes on; once it is back, other processes' events arrive again."""
    token = seat[0].share(seat[1], "watch")
    async with open_table(stack, seat) as table, line(stack.url, f"/ws/watch/{token}/") as watcher:
        await first_turn(table)
        stack.stop_redis()
        await table.turn(text="Redis is away.", offer=178_000)
        await watcher.until(lambda frame: frame.get("seq") == table.log[-1]["seq"])
        stack.start_redis()
        await table.turn(text="Redis is back.", offer=174_000)
        await watcher.until(lambda frame: frame.get("seq") == table.log[-1]["seq"])
        assert watcher.seqs == table.seqs
        async with open_table(stack, seat) as other:
            await other.until(lambda frame: frame.get("seq") == table.log[-1]["seq"])
    assert_whole(stack, seat, moves=3)


async def test_connecting_while_redis_is_away(stack: Stack, seat: tuple[Person, str]) -> None:
    stack.stop_redis()
    async with open_table(stack, seat) as table:
        await first_turn(table)
    stack.start_redis()
    assert_whole(stack, seat, moves=1)


async def test_the_clients_line_is_cut_again_and_again(stack: Stack, seat: tuple[Person, str]) -> None:
    held: list[int] = []
    for turn in range(5):
        move = str(uuid.uuid4())
        async with open_table(stack, seat, since=held[-1] if held else 0) as table:
            await table.send("act", move, text="Still there?", offer=185_000 - turn * 1_000, confirmed=True)
            table.socket.transport.abort()
        async with open_table(stack, seat, since=held[-1] if held else 0) as back:
            ack = await back.ask(
                "act", move, text="Still there?", offer=185_000 - turn * 1_000, confirmed=True
            )
            assert ack["type"] == "ack", ack
            await back.until_closed(ack["seq"])
            held += back.seqs
    assert held == list(range(1, len(held) + 1))
    assert_whole(stack, seat, moves=5)
