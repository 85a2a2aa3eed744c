"""What pages of managers and admins cost the tables beside them, with pages in the tables' process and in one of their own.

    python -m bench.planes [--tables 12] [--rounds 5] [--turns 8] [--rehearse] [--output bench/results/planes.json]

Real servers (Daphne, Redis, SQLite) and real sockets; the players and whoever opens the pages share the machine with
them. In every round the houses are asked in turns: first with nobody but the players, then with one page after the
other opened without a pause by somebody who leads the team or administers the house, of a team that has four weeks
behind it. The third house is as one with a proxy before it and cores to spare: pages are asked of the process that makes
them, as Caddy does, and it has a core of its own with whoever opens them; tables, players and Redis have the other one.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import re
import socket
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from typing import Any

from bench.experiment import Figures, Given, experiment, option
from bench.live import percentile, play
from tests.clients import Person, line
from tests.servers import Stack

TURNS = 8
THINK_SECONDS = (0.5, 1.5)
MANAGER, ADMIN = "manager@demo.local", "admin@demo.local"
PAGES = {
    "lobby": (MANAGER, "/team/{team}/"),
    "lobby, moving part": (MANAGER, "/team/{team}/?part=1"),
    "assignments": (MANAGER, "/team/{team}/assignments/"),
    "progress": (MANAGER, "/team/{team}/progress/"),
    "datasets": (ADMIN, "/trainer/data/datasets/new/"),
    "administration": (ADMIN, "/admin/negotiation/game/"),
}
"""What is opened, and by whom."""
TOGETHER, APART, SPARE = "together", "apart", "apart, a core to spare"
HOUSES = (TOGETHER, APART, SPARE)
TABLES_CORE, PAGES_CORE = {0}, {1}
Cores = set[int] | None


class ByFile(HTTPConnection):
    """HTTP over a socket file, as a proxy asks the process behind it."""

    def __init__(self, file: Path) -> None:
        super().__init__("localhost")
        self._file = file

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(str(self._file))

    def status_of(self, path: str, cookies: str) -> int:
        """Open a page."""
        self.request("GET", path, headers={"Cookie": cookies, "Host": "127.0.0.1", "Connection": "close"})
        answer = self.getresponse()
        answer.read()
        self.close()
        return answer.status


def keep_to(pid: int, cores: Cores) -> None:
    """Every thread of a process, and those that they start, on these cores; on all where it is ``None``."""
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with suppress(ProcessLookupError):  # it has ended meanwhile
            os.sched_setaffinity(int(thread.name), cores or range(os.cpu_count() or 1))


def open_again_and_again(
    person: Person, path: str, times: Synchronized[int], cores: Cores, file: Path | None
) -> None:
    """Somebody at a browser of their own, whose processor is not the house's: it gives way to all others here."""
    os.nice(10)
    keep_to(os.getpid(), cores)
    straight = ByFile(file) if file else None
    while True:
        status = straight.status_of(path, person.cookies()) if straight else person.get(path).status
        assert status == 200, (path, status)
        times.value += 1
        person.pages.clear()


@contextmanager
def opened(person: Person, path: str, cores: Cores, file: Path | None) -> Iterator[Synchronized[int]]:
    """A page is opened without a pause; how often is in what this yields."""
    ways = multiprocessing.get_context("fork")
    times = ways.Value("i", 0)
    somebody = ways.Process(target=open_again_and_again, args=(person, path, times, cores, file), daemon=True)
    somebody.start()
    yield times
    somebody.kill()
    somebody.join()


async def turns_of(stack: Stack, people: list[Person], turns: int, seed: int) -> list[float]:
    """Seconds of each turn at as many tables as there are people, each at a table of the team."""
    games = [person.sit_down() for person in people]
    took: list[float] = []

    async def one(person: Person, game: str, number: int) -> None:
        async with line(stack.url, f"/ws/deals/{game}/", cookies=person.cookies()) as table:
            await table.until(lambda frame: frame.get("type") == "turn_closed")
            await play(table, turns, THINK_SECONDS, took, random.Random(1000 * seed + number))  # noqa: S311

    await asyncio.gather(*(one(p, g, n) for n, (p, g) in enumerate(zip(people, games, strict=True))))
    return took


class House:
    """One installation, with or without planes, and those who use it.

    Args:
        spare: pages, and those who open them, have a core that nothing else uses, and are asked for where they are made.
    """

    def __init__(self, folder: Path, tables: int, *, planes: bool, spare: bool = False) -> None:
        self.stack = Stack(folder).start(planes=planes)
        self.tables_core: Cores = TABLES_CORE if spare else None
        self.pages_core: Cores = PAGES_CORE if spare else None
        self.pages_file = self.stack.pages_file if spare else None
        if spare:
            self._keep_apart()
        self.stack.manage("sample_team", "--later")
        team = Person(self.stack.url).login(MANAGER).get("/team/")
        found = re.search(r"/team/(\d+)/", team.url)
        assert found, team.url
        self.team = found[1]
        self.people = [Person(self.stack.url).login("rep@demo.local") for _ in range(tables)]
        self.who = {email: Person(self.stack.url).login(email) for email in (MANAGER, ADMIN)}

    def _keep_apart(self) -> None:
        assert self.stack.web is not None
        assert self.stack.redis is not None
        assert self.stack.pages is not None
        for process in (self.stack.web, self.stack.redis):
            keep_to(process.pid, self.tables_core)
        keep_to(self.stack.pages.pid, self.pages_core)

    def p95(self, turns: int, seed: int, page: str = "") -> tuple[float, int]:
        """The 95th percentile of a turn in milliseconds, and how often the page was opened beside them."""
        keep_to(os.getpid(), self.tables_core)
        if not page:
            return _p95(asyncio.run(turns_of(self.stack, self.people, turns, seed))), 0
        email, path = PAGES[page]
        page = path.format(team=self.team)
        with opened(self.who[email], page, self.pages_core, self.pages_file) as times:
            took = asyncio.run(turns_of(self.stack, self.people, turns, seed))
        return _p95(took), times.value


def _p95(seconds: list[float]) -> float:
    return 1000 * percentile(seconds, 0.95)


def measure(tables: int, rounds: int, turns: int, pages: list[str], names: tuple[str, ...]) -> dict[str, Any]:
    found: dict[str, Any] = {
        "tables": tables,
        "rounds": rounds,
        "turns": turns,
        "p95_ms": {},
        "times_idle": {},
        "opened": {},
    }
    with tempfile.TemporaryDirectory() as folder:
        houses = {
            name: House(
                Path(folder) / name.replace(" ", ""), tables, planes=name != TOGETHER, spare=name == SPARE
            )
            for name in names
        }
        try:
            for house in houses.values():
                house.p95(turns, 0)  # the first turns of a process load what the others find loaded
            for seed in range(1, rounds + 1):
                for name, house in houses.items():
                    for page in ("", *pages):
                        p95, times = house.p95(turns, seed, page)
                        key = page or "nobody"
                        found["p95_ms"].setdefault(name, {}).setdefault(key, []).append(round(p95, 1))
                        found["opened"].setdefault(name, {}).setdefault(key, []).append(times)
        finally:
            for house in houses.values():
                house.stack.stop()
    for name, by_page in found["p95_ms"].items():
        idle = statistics.median(by_page["nobody"])
        found["times_idle"][name] = {
            page: round(statistics.median(each) / idle, 2) for page, each in by_page.items()
        }
    return found


@experiment(
    "planes.json",
    option("--tables", type=int, default=12),
    option("--rounds", type=int, default=5),
    option("--turns", type=int, default=TURNS, help="at each table, in each window"),
    option("--houses", nargs="+", choices=HOUSES, default=list(HOUSES)),
    rehearsal=True,
)
def main(chosen: Given) -> Figures:
    if chosen.rehearse:
        return measure(1, 1, 1, ["lobby"], HOUSES)
    return measure(chosen.tables, chosen.rounds, chosen.turns, list(PAGES), tuple(chosen.houses))


if __name__ == "__main__":
    main()
