"""Any part of a house is killed, or hangs, at any time under play: nothing acknowledged is lost or
doubled, nobody waits long.

Which part, how and when is drawn from a seed that a failure names: ``PARLAY_CHAOS=SEED`` draws the same again.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.crowd import Seen, ledger
from bench.house import ROOT, House
from bench.kills import UNLIMITED, guests
from parlay_web.silence import in_line

pytestmark = [pytest.mark.faults, pytest.mark.slow, pytest.mark.timeout(420)]

TABLES = 6
FAULTS = 8
PARTS = ("web", "pages", "redis", "urgent", "worker")
WAYS = (signal.SIGKILL, signal.SIGSTOP)
APART = (13.0, 18.0)
"""Seconds between two faults: ``bin/play`` gives up what ends five times in a minute."""
LONGEST_WAIT = 5.0
"""What may pass between a move and its acknowledgement, but for what the machine's other load explains."""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    opened = House(ROOT, environment={"PARLAY_VAR": str(tmp_path / "var"), "PARLAY_QUOTAS": UNLIMITED})
    try:
        opened.wait_for("Ctrl-C stops it")
        yield opened
    finally:
        opened.stop()


def lines(house: House) -> dict[int, float]:
    """For how long whoever serves, would serve next, brings parts back or plays has stood in line so far."""
    web = [house.part("web"), *house.spares()]
    return {pid: in_line(pid) for pid in (*(each.pid for each in web), house.process.pid, os.getpid())}


async def chaos(house: House, rng: random.Random) -> list[tuple[str, Seen, float]]:
    """Of every fault what it was, what was seen until the next one, and for how long the house stood in line meanwhile."""
    crowd = guests(f"http://127.0.0.1:{house.port}")
    found = []
    await crowd.open(TABLES)
    await crowd.during(rng.uniform(*APART))
    for _ in range(FAULTS):
        part, number = rng.choice(PARTS), rng.choice(WAYS)
        before = lines(house)
        struck = asyncio.create_task(asyncio.to_thread(house.strike, part, number))
        seen = await crowd.during(rng.uniform(*APART))
        await struck
        now = lines(house)
        serving = (house.part("web").pid, house.process.pid, os.getpid())
        line = sum(now[pid] - before.get(pid, 0.0) for pid in serving)
        found.append((f"{part} {signal.Signals(number).name}", seen, line))
    crowd.seen = Seen()
    await crowd.close()
    return [*found, ("the end", crowd.seen, 0.0)]


def test_nothing_is_lost_or_doubled_and_nobody_waits_for_more_than_five_seconds(house: House) -> None:
    seed = int(os.environ.get("PARLAY_CHAOS") or random.SystemRandom().randrange(10**6))
    found = asyncio.run(chaos(house, random.Random(seed)))
    told = [(what, round(max(seen.waits, default=0.0), 2), round(line, 2)) for what, seen, line in found]
    held = ledger(house.var / "parlay.sqlite3", [seen for _, seen, _ in found])
    assert held["acknowledged"] > 0, (seed, told)
    assert held["lost"] == held["doubled"] == held["logs_with_a_gap"] == 0, (seed, held, told)
    assert all(wait < LONGEST_WAIT + line for _, wait, line in told[:-1]), (seed, told)
