"""Whether memory stays where it is: every process of a house, over an hour of many tables at a human pace.

    python -m bench.soak [--seconds 3600] [--tables 200] [--every 60] [--rehearse] [--output bench/results/soak.json]

A ``bin/play`` of its own, with its planes and workers, in a folder of its own. People of the demo team play one deal after
the other, a turn in 30 s each, while its manager's lobby is open over its socket and he opens one page after the other. Each
minute the resident memory of every process is taken down. Told is the least, the median and the most of each quarter of the
time, and of the web process how much it grew from the second quarter to the last, by their medians. In the end every
acknowledged move must stand in its log once and every log must be whole. Other work on the machine does not change it.
"""

from __future__ import annotations

import asyncio
import re
import statistics
import tempfile
import time
from contextlib import suppress
from itertools import cycle, pairwise
from pathlib import Path
from typing import Any

from bench.crowd import TROUBLE, Crowd, Seen, ledger
from bench.experiment import Figures, Given, experiment, option
from bench.house import ROOT, House
from bench.live import resident_mb
from bench.planes import MANAGER, PAGES
from parlay_web.env import QUOTAS
from tests.clients import Person, line

PACE = (20.0, 40.0)
PROCESSES = ("web", "pages", "urgent", "worker", "redis")
PAGE_EVERY = 10.0
UNLIMITED = ",".join(f"{name}=1000000" for name in QUOTAS)


async def lobby(url: str, team: str, manager: Person) -> None:
    """The manager's lobby stays open, over its socket."""
    while True:
        with suppress(*TROUBLE):
            async with line(url, f"/ws/team/{team}/", cookies=manager.cookies()) as socket:
                async for _ in socket.socket:
                    pass


async def pages(team: str, manager: Person, opened: list[int]) -> None:
    """One of his pages after the other."""
    for email, path in cycle(PAGES.values()):
        if email == MANAGER:
            page = await asyncio.to_thread(manager.get, path.format(team=team))
            opened.append(page.status)
            manager.pages.clear()
            await asyncio.sleep(PAGE_EVERY)


async def soaked(house: House, tables: int, seconds: float, every: float) -> dict[str, Any]:
    """Play so long, taking down every now and then what each process holds."""
    url = f"http://127.0.0.1:{house.port}"
    rep, manager = (Person(url).login(email) for email in ("rep@demo.local", MANAGER))
    team = re.search(r"/team/(\d+)/", manager.get("/team/").url)
    assert team, manager.pages[-1].url

    def sit() -> tuple[Person, str]:
        game = rep.sit_down()
        rep.pages.clear()
        return rep, game

    crowd, opened = Crowd(url, sit, PACE), list[int]()
    await crowd.open(tables)
    beside = [
        asyncio.create_task(each) for each in (lobby(url, team[1], manager), pages(team[1], manager, opened))
    ]
    held: dict[str, list[float]] = {name: [] for name in PROCESSES}
    seen: list[Seen] = []
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        seen.append(await crowd.during(every))
        assert house.process.poll() is None, house.said[-20:]
        for name in PROCESSES:
            held[name].append(resident_mb(house.part(name).pid))
    for task in beside:
        task.cancel()
    crowd.seen = Seen()
    await crowd.close()
    return {"held": held, "seen": [*seen, crowd.seen], "opened": opened}


def quarters(held: list[float]) -> list[dict[str, float]]:
    """The least, the median and the most megabytes of each quarter of the time."""
    cuts = [len(held) * at // 4 for at in range(5)]
    parts = [held[at:to] for at, to in pairwise(cuts)]
    return [
        {"least": min(part), "median": round(statistics.median(part), 1), "most": max(part)}
        for part in parts
        if part
    ]


@experiment(
    "soak.json",
    option("--seconds", type=float, default=3600.0),
    option("--tables", type=int, default=200),
    option("--every", type=float, default=60.0, help="seconds between two looks at the memory"),
    rehearsal=True,
)
def main(chosen: Given) -> Figures:
    tables, seconds, every = (
        (2, 8.0, 2.0) if chosen.rehearse else (chosen.tables, chosen.seconds, chosen.every)
    )
    with tempfile.TemporaryDirectory(prefix="parlay-soak-") as var:
        house = House(ROOT, environment={"PARLAY_VAR": var, "PARLAY_QUOTAS": UNLIMITED})
        try:
            house.wait_for("Ctrl-C stops it")
            ran = asyncio.run(soaked(house, tables, seconds, every))
        finally:
            replaced = [said for _, said in house.said if "starting it again" in said]
            house.stop()
        seen: list[Seen] = ran["seen"]
        held = {name: quarters(each) for name, each in ran["held"].items()}
        return {
            "tables": tables,
            "seconds": seconds,
            **ledger(Path(var) / "parlay.sqlite3", seen),
            "errors": sum(sum(each.refused.values()) for each in seen),
            "broken_lines": sum(each.broken for each in seen),
            "replaced": replaced,
            "longest_wait": round(max(max(each.waits, default=0.0) for each in seen), 2),
            "pages_opened": len(ran["opened"]),
            "pages_failed": sum(status != 200 for status in ran["opened"]),
            "memory_mb": held,
            "last_over_second_quarter": {
                name: round(each[-1]["median"] / each[min(1, len(each) - 1)]["median"], 3)
                for name, each in held.items()
            },
            "each_look_mb": ran["held"],
        }


if __name__ == "__main__":
    main()
