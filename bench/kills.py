"""Tables that go on while ``bin/play`` loses its parts: what was acknowledged, and what the log holds of it afterwards.

``python -m bench.kills``. A ``bin/play`` of its own, in a folder of its own, seats people at as many tables. They play
without a pause; a line that breaks is opened again, and the move that was under way is sent again under its own
identifier, as the page does. Meanwhile web, Redis and worker are killed in turn, as a machine would. In the end every
acknowledged move must stand in the log once, and every log must be without a gap.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import tempfile
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.exceptions import WebSocketException

from bench.experiment import Figures, Given, experiment, option
from bench.house import ROOT, House
from parlay_web.env import QUOTAS
from tests.clients import Person, line

PARTS = ("web", "redis", "web", "worker")
"""What is killed, in this order, again and again."""
UNLIMITED = ",".join(f"{name}=1000000" for name in QUOTAS)


@dataclass
class Seen:
    """What one person saw."""

    acknowledged: list[str] = field(default_factory=list)
    broken: int = 0
    games: set[str] = field(default_factory=set)
    longest: float = 0.0
    """Seconds from a move's first sending to its acknowledgement."""


async def play(url: str, until: float) -> Seen:
    """Deal after deal until the time is up."""
    seen, person, game, pending = Seen(), Person(url), "", None
    while time.monotonic() < until:
        try:
            if not game:
                person = Person(url)  # a guest plays one deal
                game = await asyncio.to_thread(person.sit_down_as_guest)
                seen.games.add(game)
            async with line(url, f"/ws/deals/{game}/", cookies=person.cookies()) as table:
                while time.monotonic() < until:
                    pending = pending or (str(uuid.uuid4()), time.monotonic())
                    action, began = pending
                    answer = await table.ask(
                        "act", action, text="What matters most to you here?", confirmed=True
                    )
                    if answer["type"] == "error":
                        if answer["data"]["code"] == "game_over":
                            game, pending = "", None
                            break
                        await asyncio.sleep(0.05)
                        continue
                    seen.acknowledged.append(action)
                    seen.longest = max(seen.longest, time.monotonic() - began)
                    pending = None
                    await table.until_closed(answer["seq"])
        except (OSError, TimeoutError, WebSocketException, AssertionError):
            seen.broken += 1
            await asyncio.sleep(0.2)
    return seen


def held(database: Path, games: set[str], acknowledged: list[str]) -> dict[str, int]:
    """What the log says of the acknowledged moves, and whether it is whole."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        rows = connection.execute("SELECT game_id, seq, action_id FROM negotiation_event").fetchall()
    logs: dict[str, list[int]] = {}
    counts: dict[str, int] = {}
    for game, seq, action in rows:
        logs.setdefault(str(uuid.UUID(game)), []).append(seq)
        if action is not None:
            name = str(uuid.UUID(action))
            counts[name] = counts.get(name, 0) + 1
    return {
        "acknowledged": len(acknowledged),
        "lost": sum(counts.get(action, 0) == 0 for action in acknowledged),
        "doubled": sum(counts.get(action, 0) > 1 for action in acknowledged),
        "logs": len(games),
        "logs_with_a_gap": sum(
            sorted(logs.get(game, [])) != list(range(1, len(logs.get(game, [])) + 1)) for game in games
        ),
    }


async def through(
    house: House, tables: int, rounds: int, pause: float
) -> tuple[list[Seen], dict[str, list[float]]]:
    """Play at all tables while parts are killed; what everybody saw, and how long each part was gone."""
    url = f"http://127.0.0.1:{house.port}"
    gone: dict[str, list[float]] = {}
    until = time.monotonic() + rounds * len(PARTS) * (pause + 4)
    people = [asyncio.create_task(play(url, until)) for _ in range(tables)]
    for part in PARTS * rounds:
        await asyncio.sleep(pause)
        gone.setdefault(part, []).append(await asyncio.to_thread(house.kill, part))
    return list(await asyncio.gather(*people)), gone


@experiment(
    "kills.json",
    option("--tables", type=int, default=10),
    option("--rounds", type=int, default=3, help=f"each kills {', '.join(PARTS)}"),
    option(
        "--pause",
        type=float,
        default=16,
        help="seconds between two kills; bin/play gives up what dies too often",
    ),
)
def main(chosen: Given) -> Figures:
    with tempfile.TemporaryDirectory(prefix="parlay-kills-") as var:
        house = House(ROOT, environment={"PARLAY_VAR": var, "PARLAY_QUOTAS": UNLIMITED})
        try:
            house.wait_for("Ctrl-C stops it")
            people, gone = asyncio.run(through(house, chosen.tables, chosen.rounds, chosen.pause))
        finally:
            house.stop()
        moves = [action for each in people for action in each.acknowledged]
        games = {game for each in people for game in each.games}
        found: dict[str, Any] = {
            **held(Path(var) / "parlay.sqlite3", games, moves),
            "broken_lines": sum(each.broken for each in people),
            "longest_wait": round(max(each.longest for each in people), 2),
            "gone": gone,
            "load": [round(load, 2) for load in os.getloadavg()],
        }
    if found["lost"] or found["doubled"] or found["logs_with_a_gap"]:
        raise SystemExit("bench.kills: a move was lost or doubled.")
    return found


if __name__ == "__main__":
    main()
