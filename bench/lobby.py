"""What keeping a manager's lobby fresh costs, and how late it is: asked for anew, asked for what changed, and pushed.

    python -m bench.lobby [--tables 50] [--rounds 5] [--rehearse] [--output bench/results/lobby.json]

A real server (Daphne, Redis, SQLite) and real sockets. All tables belong to one team and are played at a human pace while
one manager looks at its lobby: first the page as it was once (the whole moving part every four seconds), then asking for
what changed every four seconds, as the page does while it has no socket, then over its socket. Told are bytes a minute,
the seconds from a move's acknowledgement to its figure on the manager's page, and the web process's processor time
over the same with nobody looking.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import statistics
import tempfile
import time
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

from bench.experiment import Figures, Given, experiment, option
from bench.live import percentile
from tests.clients import Person, line
from tests.servers import Stack

TURNS = 2
THINK_SECONDS = (10.0, 30.0)
ASKED_EVERY = 4.0
MANAGER = "manager@demo.local"


class Look:
    """What a manager's page has been sent, and when each move's figure was on it."""

    def __init__(self) -> None:
        self.bytes = 0
        self.moved: dict[str, float] = {}
        self.late: list[float] = []

    def move(self, offer: int) -> None:
        """A move was acknowledged."""
        self.moved[f"${offer:,}"] = time.perf_counter()

    def shows(self, html: str) -> None:
        """The page has been sent this."""
        self.bytes += len(html.encode())
        now = time.perf_counter()
        for figure in [each for each in self.moved if each in html]:
            self.late.append(now - self.moved.pop(figure))


Looker = Callable[[Stack, Person, str, Look], Coroutine[Any, Any, None]]


async def nobody(stack: Stack, manager: Person, team: str, look: Look) -> None:
    """No page is open."""


async def asked_anew(stack: Stack, manager: Person, team: str, look: Look) -> None:
    """The whole moving part each time."""
    while True:
        look.shows((await asyncio.to_thread(manager.get, f"/team/{team}/?part=1")).text)
        await asyncio.sleep(ASKED_EVERY)


async def asked_what_changed(stack: Stack, manager: Person, team: str, look: Look) -> None:
    """The rows that the page does not show yet."""
    have: list[str] = []
    while True:
        path = f"/team/{team}/?part=1&have={','.join(have)}"
        html = (await asyncio.to_thread(manager.get, path)).text
        look.shows(html)
        have = re.findall(r'data-(?:mark|held)="(\w+)"', html)
        await asyncio.sleep(ASKED_EVERY)


async def pushed(stack: Stack, manager: Person, team: str, look: Look) -> None:
    """Over the page's socket."""
    async with line(stack.url, f"/ws/team/{team}/", cookies=manager.cookies()) as socket:
        while True:
            frame = await socket.until(lambda frame: frame.get("type") == "now")
            look.shows(frame["data"]["html"])


WAYS: dict[str, Looker] = {
    "nobody": nobody,
    "asked_anew": asked_anew,
    "asked_what_changed": asked_what_changed,
    "pushed": pushed,
}


async def played(
    stack: Stack,
    people: list[Person],
    way: Looker,
    manager: Person,
    team: str,
    pace: tuple[float, float],
    seed: int,
) -> tuple[Look, float]:
    """All tables play their turns beside one manager's page; what it was sent, and the seconds that it took."""
    games = [person.sit_down() for person in people]
    look = Look()
    over: list[tuple[Person, str]] = []

    async def one(person: Person, game: str, number: int) -> None:
        rng = random.Random(1000 * seed + number)  # noqa: S311
        async with line(stack.url, f"/ws/deals/{game}/", cookies=person.cookies()) as table:
            await table.until(lambda frame: frame.get("type") == "turn_closed")
            for turn in range(TURNS):
                await asyncio.sleep(rng.uniform(*pace))
                offer = 190_000 - 1_500 * turn - 7 * number - seed
                look.moved.pop(f"${offer:,}", None)
                if await table.turn_unless_over(text="We moved.", offer=offer, confirmed=True) is None:
                    return
                look.move(offer)
            over.append((person, game))

    looking = asyncio.create_task(way(stack, manager, team, look))
    began = time.perf_counter()
    await asyncio.gather(*(one(p, g, n) for n, (p, g) in enumerate(zip(people, games, strict=True))))
    lasted = time.perf_counter() - began
    await asyncio.sleep(ASKED_EVERY + 1)
    looking.cancel()
    await asyncio.gather(*(leave(stack, *each) for each in over))  # the next way finds none of these tables
    return look, lasted


async def leave(stack: Stack, person: Person, game: str) -> None:
    """A table is over."""
    async with line(stack.url, f"/ws/deals/{game}/", cookies=person.cookies()) as table:
        await table.ask("walk_away")


def processor_seconds(stack: Stack) -> float:
    """What the web process has used so far."""
    assert stack.web is not None
    fields = Path(f"/proc/{stack.web.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(tables: int, rounds: int, pace: tuple[float, float], ways: Sequence[str]) -> dict[str, Any]:
    found: dict[str, Any] = {"tables": tables, "rounds": rounds, "turns": TURNS, "ways": {}}
    runs: dict[str, list[dict[str, float]]] = {name: [] for name in ways}
    with tempfile.TemporaryDirectory() as folder:
        stack = Stack(Path(folder)).start()
        try:
            page = Person(stack.url).login(MANAGER).get("/team/")
            team = re.search(r"/team/(\d+)/", page.url)
            assert team, page.url
            manager = Person(stack.url).login(MANAGER)
            people = [Person(stack.url).login("rep@demo.local")] * tables  # one rep, at as many tables
            for seed in range(1, rounds + 1):
                for name in ways:
                    before = processor_seconds(stack)
                    look, lasted = asyncio.run(
                        played(stack, people, WAYS[name], manager, team[1], pace, seed)
                    )
                    used = processor_seconds(stack) - before
                    runs[name].append(
                        {
                            "kb_a_minute": round(60 * look.bytes / lasted / 1000, 1),
                            "late_p50": round(percentile(look.late, 0.5), 3) if look.late else 0.0,
                            "late_p95": round(percentile(look.late, 0.95), 3) if look.late else 0.0,
                            "unseen": len(look.moved) if name != "nobody" else 0,
                            "processor_seconds": round(used, 2),
                        }
                    )
        finally:
            stack.stop()
    for name, listed in runs.items():
        found["ways"][name] = {
            "rounds": listed,
            "median": {key: round(statistics.median(run[key] for run in listed), 3) for key in listed[0]},
        }
    return found


@experiment(
    "lobby.json",
    option("--tables", type=int, default=50),
    option("--rounds", type=int, default=5),
    rehearsal=True,
)
def main(chosen: Given) -> Figures:
    if chosen.rehearse:
        return measure(1, 1, (0.1, 0.2), ["pushed"])
    return measure(chosen.tables, chosen.rounds, THINK_SECONDS, list(WAYS))


if __name__ == "__main__":
    main()
