"""Tables that go on while ``bin/play`` loses its parts, by death or because they hang.

``python -m bench.kills``. A ``bin/play`` of its own, in a folder of its own, seats people at as many tables. They play
without a pause; a line that breaks is opened again, and the move that was under way is sent again under its own
identifier, as the page does. Meanwhile each part is killed, and stopped as one that hangs (SIGSTOP), in turn. In the end
every acknowledged move must stand in the log once, and every log must be without a gap. Told is for each fault the longest
that somebody waited for an acknowledgement, and the seconds until the part was back.
"""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
from pathlib import Path
from typing import Any

from bench.crowd import Crowd, Seen, ledger
from bench.experiment import Figures, Given, experiment, option
from bench.house import ROOT, House
from parlay_web.env import QUOTAS
from tests.clients import Person

WAYS = {"killed": signal.SIGKILL, "stopped": signal.SIGSTOP}
FAULTS = (
    ("web", "killed"),
    ("redis", "stopped"),
    ("web", "stopped"),
    ("worker", "killed"),
    ("pages", "stopped"),
    ("redis", "killed"),
    ("urgent", "stopped"),
    ("pages", "killed"),
    ("worker", "stopped"),
    ("urgent", "killed"),
)
"""What befalls whom, in this order, again and again."""
UNLIMITED = ",".join(f"{name}=1000000" for name in QUOTAS)


def guests(url: str) -> Crowd:
    """People who play without a pause, each deal as another guest."""

    def sit() -> tuple[Person, str]:
        guest = Person(url)
        return guest, guest.sit_down_as_guest()

    return Crowd(url, sit, (0.0, 0.0), offers=False)


async def through(house: House, tables: int, rounds: int, pause: float) -> tuple[list[Seen], dict[str, Any]]:
    """Play at all tables while parts are lost; what was seen, and of each fault what it cost."""
    crowd, seen = guests(f"http://127.0.0.1:{house.port}"), list[Seen]()
    found: dict[str, dict[str, list[float]]] = {}
    await crowd.open(tables)
    for part, way in FAULTS * rounds:
        befalls = asyncio.create_task(asyncio.to_thread(house.strike, part, WAYS[way]))
        during = await crowd.during(pause)
        back = await befalls
        seen.append(during)
        told = found.setdefault(f"{part} {way}", {"longest_wait": [], "back": []})
        told["longest_wait"].append(round(max(during.waits, default=pause), 2))
        told["back"].append(round(back, 2))
    crowd.seen = Seen()
    await crowd.close()
    return [*seen, crowd.seen], found


@experiment(
    "kills.json",
    option("--tables", type=int, default=10),
    option("--rounds", type=int, default=3, help="each kills and stops every part once"),
    option(
        "--pause",
        type=float,
        default=16,
        help="seconds between two faults; bin/play gives up what dies too often",
    ),
)
def main(chosen: Given) -> Figures:
    with tempfile.TemporaryDirectory(prefix="parlay-kills-") as var:
        house = House(ROOT, environment={"PARLAY_VAR": var, "PARLAY_QUOTAS": UNLIMITED})
        try:
            house.wait_for("Ctrl-C stops it")
            seen, faults = asyncio.run(through(house, chosen.tables, chosen.rounds, chosen.pause))
        finally:
            house.stop()
        found: dict[str, Any] = {
            **ledger(Path(var) / "parlay.sqlite3", seen),
            "broken_lines": sum(each.broken for each in seen),
            "longest_wait": max(max(each["longest_wait"]) for each in faults.values()),
            "faults": faults,
            "load": [round(load, 2) for load in os.getloadavg()],
        }
    if found["lost"] or found["doubled"] or found["logs_with_a_gap"]:
        raise SystemExit("bench.kills: a move was lost or doubled.")
    return found


if __name__ == "__main__":
    main()
