"""How fast a live table is.

    python -m bench.live [--tables 50] [--spectators 200] [--rehearse] [--output bench/results/live.json]

A real server (Daphne, Redis, SQLite in WAL mode) on this machine, and real sockets from this process, which
takes its share of the same cores. Three questions: how long a turn takes while many tables play, how late an
event reaches the many spectators of one table, and how much memory the web process holds at rest.
"""

from __future__ import annotations

import asyncio
import random
import re
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.crowd import WORDS
from bench.experiment import Figures, Given, experiment, option
from tests.clients import Line, Person, line
from tests.servers import Stack

TURNS = 12
THINK_SECONDS = (1.0, 3.0)
REHEARSED_TURNS, NO_THOUGHT = 2, (0.0, 0.0)


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def summary(seconds: list[float]) -> dict[str, float]:
    """Milliseconds, and how many were measured."""
    return {
        "n": len(seconds),
        "p50_ms": round(1000 * percentile(seconds, 0.5), 1),
        "p95_ms": round(1000 * percentile(seconds, 0.95), 1),
        "p99_ms": round(1000 * percentile(seconds, 0.99), 1),
        "max_ms": round(1000 * max(seconds), 1),
    }


def resident_mb(pid: int) -> float:
    """Megabytes that are in memory for a process, what it shares with others among it."""
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found
    return round(int(found.group(1)) / 1024, 1)


def server_seconds(person: Person, name: str) -> list[tuple[float, float]]:
    """A histogram of the server's own: (upper bound, how many at or under it)."""
    text = person.get("/metrics").text
    rows = re.findall(rf'^{name}_bucket{{le="([^"]+)"}} (\S+)$', text, re.M)
    return [(float(bound.replace("+Inf", "inf")), float(count)) for bound, count in rows]


def share_under(histogram: list[tuple[float, float]], bound: float) -> float:
    """The share of measurements at or under a bucket's bound."""
    total = histogram[-1][1]
    return round(next(count for upper, count in histogram if upper >= bound) / total, 4) if total else 0.0


async def play(
    table: Line, turns: int, think: tuple[float, float], took: list[float], rng: random.Random
) -> None:
    """One player: think, move, wait for the complete reply."""
    for turn in range(turns):
        await asyncio.sleep(rng.uniform(*think))
        began = time.perf_counter()
        move: dict[str, Any] = {
            "text": WORDS[turn % 4],
            "offer": 185_000 - 1_500 * turn,
            "confirmed": True,
        }
        if await table.turn_unless_over(**move) is None:
            return
        took.append(time.perf_counter() - began)


async def tables(stack: Stack, count: int, turns: int, think: tuple[float, float]) -> list[float]:
    """Many tables at once."""
    people = [Person(stack.url) for _ in range(count)]
    games = [person.sit_down_as_guest() for person in people]
    took: list[float] = []

    async def one(person: Person, game: str, seed: int) -> None:
        async with line(stack.url, f"/ws/deals/{game}/", cookies=person.cookies()) as table:
            await table.until(lambda frame: frame.get("type") == "turn_closed")
            await play(table, turns, think, took, random.Random(seed))  # noqa: S311

    await asyncio.gather(*(one(p, g, n) for n, (p, g) in enumerate(zip(people, games, strict=True))))
    return took


async def spectators(stack: Stack, count: int, turns: int) -> list[float]:
    """One table, many spectators: from the writing of each event to its arrival at each of them."""
    person = Person(stack.url)
    game = person.sit_down_as_guest()
    token = person.share(game, "coach")
    arrived: list[tuple[int, float]] = []
    ready = asyncio.Semaphore(0)
    over = asyncio.Event()

    async def watch() -> None:
        async with line(stack.url, f"/ws/watch/{token}/") as watcher:
            await watcher.until(lambda frame: frame.get("type") == "assisted")
            ready.release()
            while not over.is_set():
                try:
                    frame = await asyncio.wait_for(watcher.next(), 1)
                except TimeoutError:
                    continue
                if "seq" in frame:  # hints and drafts are of no moment in the log
                    arrived.append((frame["seq"], time.time()))

    watching = [asyncio.create_task(watch()) for _ in range(count)]
    for _ in watching:
        await ready.acquire()
    async with line(stack.url, f"/ws/deals/{game}/", cookies=person.cookies()) as table:
        await table.until(lambda frame: frame.get("type") == "assisted")
        for turn in range(turns):
            move: dict[str, Any] = {"text": WORDS[turn % 4], "offer": 185_000 - 500 * turn, "confirmed": True}
            if await table.turn_unless_over(**move) is None:
                break
            await asyncio.sleep(1)
    over.set()
    await asyncio.gather(*watching)
    written = {
        seq: datetime.fromisoformat(at).replace(tzinfo=UTC).timestamp()
        for seq, at in stack.rows(
            "SELECT seq, created_at FROM negotiation_event WHERE game_id = ?", game.replace("-", "")
        )
    }
    expected = max(seq for seq, _ in arrived) * count
    assert len(arrived) <= expected
    return [at - written[seq] for seq, at in arrived]


async def measure(count: int, watchers: int, turns: int, think: tuple[float, float]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        stack = Stack(Path(folder))
        try:
            stack.start()
            operator = Person(stack.url)
            operator.get("/")
            operator.get("/accounts/login/")
            assert stack.web is not None
            at_rest = resident_mb(stack.web.pid)
            paced = await tables(stack, count, turns, think)
            histogram = server_seconds(operator, "parlay_turn_seconds")
            began = time.perf_counter()
            flat_out = await tables(stack, count, turns, (0.0, 0.0))
            flat_out_seconds = time.perf_counter() - began
            lags = await spectators(stack, watchers, turns)
            return {
                "tables": {
                    "count": count,
                    "think_seconds": think,
                    "client_side": summary(paced),
                    "server_share_within_60_ms": share_under(histogram, 0.06),
                    "server_share_within_30_ms": share_under(histogram, 0.03),
                },
                "tables_without_a_pause": {
                    "count": count,
                    "turns_per_second": round(len(flat_out) / flat_out_seconds, 1),
                    "client_side": summary(flat_out),
                },
                "spectators": {"count": watchers, "event_lag": summary(lags)},
                "memory_mb": {"at_rest": at_rest, "after": resident_mb(stack.web.pid)},
            }
        finally:
            stack.stop()


@experiment(
    "live.json",
    option("--tables", type=int, default=50),
    option("--spectators", type=int, default=200),
    rehearsal=True,
)
def main(chosen: Given) -> Figures:
    if chosen.rehearse:
        found = asyncio.run(measure(1, 1, REHEARSED_TURNS, NO_THOUGHT))
    else:
        found = asyncio.run(measure(chosen.tables, chosen.spectators, TURNS, THINK_SECONDS))
    return found


if __name__ == "__main__":
    main()
