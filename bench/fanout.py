"""One table, a thousand who watch: how late an event reaches them, and how long its player waits.

    python -m bench.fanout [--spectators 1000] [--rounds 5] [--rehearse] [--output bench/results/fanout.json]

A real server (Daphne, Redis, SQLite) on one core, and on another the player and all who watch, over real sockets whose own
work is in the figures: all who watch in one process, which gives way to the player's. Told are the seconds from an event's
writing to its arrival at each watcher, and from the player's move to the reply complete at the player. Each round is a new
table.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import re
import statistics
import tempfile
import time
from datetime import UTC, datetime
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

from bench.crowd import WORDS
from bench.experiment import Figures, Given, experiment, option
from bench.live import resident_mb, summary
from tests.clients import Person, line
from tests.servers import Stack

TURNS = 8
THINK_SECONDS = 2.0
NUMBER = re.compile(r'"seq":(\d+)')


async def watch_all(
    url: str, token: str, watchers: int, there: Event, over: Event
) -> list[tuple[int, float]]:
    """Open the link as often as that, and take down when each event came to each, until it is over."""
    arrived: list[tuple[int, float]] = []
    waited = asyncio.Semaphore(0)

    async def one() -> None:
        async with line(url, f"/ws/watch/{token}/?batch=1") as watcher:
            await watcher.next()  # hello
            await watcher.socket.recv()  # what was there already
            waited.release()
            async for text in watcher.socket:
                now = time.time()
                # The numbers alone: to read each frame whole is a watcher's browser's work, and a thousand's here.
                arrived.extend((int(number), now) for number in NUMBER.findall(str(text)))

    watching = [asyncio.create_task(one()) for _ in range(watchers)]
    for _ in watching:
        await waited.acquire()
    there.set()
    await asyncio.to_thread(over.wait)
    for each in watching:
        each.cancel()
    await asyncio.gather(*watching, return_exceptions=True)
    return arrived


def crowd(
    url: str, token: str, watchers: int, there: Event, over: Event, told: Queue[list[tuple[int, float]]]
) -> None:
    """All who watch, in a process that gives way to the player's."""
    os.nice(10)
    told.put(asyncio.run(watch_all(url, token, watchers, there, over)))


async def play(stack: Stack, person: Person, game: str, turns: int) -> list[float]:
    """The player's moves, and how long each took to be answered."""
    replies: list[float] = []
    async with line(stack.url, f"/ws/deals/{game}/", cookies=person.cookies()) as table:
        await table.until(lambda frame: frame.get("type") == "turn_closed")
        for turn in range(turns):
            began = time.perf_counter()
            move: dict[str, Any] = {"text": WORDS[turn % 4], "offer": 185_000 - 500 * turn, "confirmed": True}
            if await table.turn_unless_over(**move) is None:
                break
            replies.append(time.perf_counter() - began)
            await asyncio.sleep(THINK_SECONDS)
    return replies


def one_round(stack: Stack, watchers: int, turns: int) -> dict[str, Any]:
    """A table that is watched from its first move to its last."""
    person = Person(stack.url)
    game = person.sit_down_as_guest()
    token = person.share(game, "watch")
    ways = multiprocessing.get_context("fork")
    there, over, told = ways.Event(), ways.Event(), ways.Queue()
    watching = ways.Process(target=crowd, args=(stack.url, token, watchers, there, over, told))
    watching.start()
    assert there.wait(120), "not all who watch got in"
    replies = asyncio.run(play(stack, person, game, turns))
    over.set()
    arrived = told.get(timeout=60)
    watching.join()
    assert stack.web is not None
    rows = stack.rows(
        "SELECT seq, created_at FROM negotiation_event WHERE game_id = ?", game.replace("-", "")
    )
    written = {seq: datetime.fromisoformat(at).replace(tzinfo=UTC).timestamp() for seq, at in rows}
    lags = [at - written[seq] for seq, at in arrived if seq in written]
    return {
        "event_lag": summary(lags),
        "reply": summary(replies),
        "missed": len({seq for seq, _ in arrived}) * watchers - len(lags),
        "memory_mb": resident_mb(stack.web.pid),
    }


def apart(stack: Stack) -> bool:
    """The server on the first core, this process on the second, where there are two."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2 or stack.web is None:
        return False
    os.sched_setaffinity(stack.web.pid, cores[:1])
    os.sched_setaffinity(0, cores[1:2])
    return True


def measure(watchers: int, rounds: int, turns: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        stack = Stack(Path(folder)).start()
        cores = os.sched_getaffinity(0)
        try:
            alone = apart(stack)
            one_round(stack, min(watchers, 20), 2)  # what the first turns load
            found = [one_round(stack, watchers, turns) for _ in range(rounds)]
        finally:
            os.sched_setaffinity(0, cores)
            stack.stop()
    return {
        "spectators": watchers,
        "server_has_a_core_of_its_own": alone,
        "rounds": found,
        "median": {
            "event_lag_p95_ms": statistics.median(each["event_lag"]["p95_ms"] for each in found),
            "reply_p95_ms": statistics.median(each["reply"]["p95_ms"] for each in found),
            "reply_p50_ms": statistics.median(each["reply"]["p50_ms"] for each in found),
        },
    }


@experiment(
    "fanout.json",
    option("--spectators", type=int, default=1000),
    option("--rounds", type=int, default=5),
    rehearsal=True,
)
def main(chosen: Given) -> Figures:
    if chosen.rehearse:
        return measure(2, 1, 2)
    return measure(chosen.spectators, chosen.rounds, TURNS)


if __name__ == "__main__":
    main()
