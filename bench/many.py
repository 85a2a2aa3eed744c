"""Many tables at a human pace, with pages made by a process of their own and by the tables' one, side by side.

    python -m bench.many [--rounds 5] [--window 15] [--rehearse] [--output bench/results/many.json]

Two houses (Daphne, Redis, SQLite), with and without planes, are asked in turns, the same in every round: 50, 200 and 500
tables, a turn in 20 s each, first with nobody beside them; then with pages of a manager and an admin opened without a pause
by two readers, who give way to everybody; at the smaller sizes also with a manager's lobby open over its socket, where each
move is pushed. Then one table that a thousand watch, and tables that play without a pause. The players share the machine
with the houses. Told are medians over the rounds of each window's percentiles, and their ratios: of the two houses, and of
each window to the quiet one of the same size. In the end every acknowledged move must stand in its log once.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing.synchronize import Event
from pathlib import Path

from bench import fanout, lobby
from bench.crowd import Crowd, Seen, ledger
from bench.experiment import Figures, Given, experiment, option
from bench.live import percentile, resident_mb
from bench.planes import ADMIN, MANAGER, PAGES, House
from tests.clients import Person

PACE, REHEARSED_PACE = (10.0, 30.0), (0.1, 0.5)
SIZES = (50, 200, 500)
FLAT_OUT, FLAT_OUT_SECONDS = 24, 10.0
SPECTATORS, WATCHED_TURNS = 1000, 6
HOUSES = {"together": False, "apart": True}
"""Whether it has planes."""
Cell = dict[str, float]


def read_on(person: Person, paths: list[str], go: Event) -> None:
    """Somebody at a browser of their own, who opens one page after the other while ``go`` is set."""
    os.nice(10)
    while True:
        for path in paths:
            go.wait()
            page = person.get(path)
            assert page.status == 200, (path, page.status)
            person.pages.clear()


@contextmanager
def readers(house: House) -> Iterator[Event]:
    """A manager and an admin, who read while what this yields is set. They are there before anything else is under way."""
    ways = multiprocessing.get_context("fork")
    go = ways.Event()
    there = []
    for email in (MANAGER, ADMIN):
        paths = [path.format(team=house.team) for who, path in PAGES.values() if who == email]
        there.append(ways.Process(target=read_on, args=(house.who[email], paths, go), daemon=True))
        there[-1].start()
    yield go
    for each in there:
        each.kill()
        each.join()


class Measured(House):
    """One of the two houses, who plays in it, and all that was seen there."""

    def __init__(self, folder: Path, human: tuple[float, float], *, planes: bool) -> None:
        super().__init__(folder, 1, planes=planes)
        self.paced, self.hasty = (
            Crowd(self.stack.url, self.sit, pace, seed=seed)
            for seed, pace in enumerate((human, (0.0, 0.0)), start=1)
        )
        self.seen: list[Seen] = []
        self.cells: dict[str, list[Cell]] = {}

    def sit(self) -> tuple[Person, str]:
        """One rep of the team, at as many tables."""
        game = self.people[0].sit_down()
        self.people[0].pages.clear()
        return self.people[0], game

    async def window(self, name: str, crowd: Crowd, seconds: float) -> None:
        """Take down what a crowd sees now."""
        seen = await crowd.during(seconds)
        self.seen.append(seen)
        cell = {"turns": float(len(seen.turns)), "a_second": round(len(seen.turns) / seconds, 2)}
        if seen.turns:
            cell |= {f"p{at}_ms": round(1000 * percentile(seen.turns, at / 100), 1) for at in (50, 95)}
            cell["longest_ms"] = round(1000 * max(seen.turns), 1)
        self.cells.setdefault(name, []).append(cell)

    async def tables(self, sizes: tuple[int, ...], window: float, go: Event) -> None:
        """All windows of a round in which people play at many tables."""
        for size in sizes:
            await self.paced.open(size)
            await self.window(f"{size} tables", self.paced, window)
            go.set()
            await self.window(f"{size} tables beside pages", self.paced, window)
            go.clear()
            if size < max(sizes):
                looking = asyncio.create_task(
                    lobby.pushed(self.stack, self.who[MANAGER], self.team, lobby.Look())
                )
                await self.window(f"{size} tables beside a lobby", self.paced, window)
                looking.cancel()
                with suppress(asyncio.CancelledError):
                    await looking
            await self.left(self.paced)
        await self.hasty.open(min(FLAT_OUT, max(sizes)))
        await self.window("without a pause", self.hasty, min(FLAT_OUT_SECONDS, window))
        await self.left(self.hasty)

    async def left(self, crowd: Crowd) -> None:
        """Everybody leaves; what they still hear is of no window, and counts for the log."""
        crowd.seen = Seen()
        self.seen.append(crowd.seen)
        await crowd.close()

    def watched(self, spectators: int, turns: int) -> None:
        """One table that many watch."""
        found = fanout.one_round(self.stack, spectators, turns)
        self.cells.setdefault(f"watched by {spectators}", []).append(
            {
                "p50_ms": found["reply"]["p50_ms"],
                "p95_ms": found["reply"]["p95_ms"],
                "event_lag_p95_ms": found["event_lag"]["p95_ms"],
                "missed": found["missed"],
            }
        )

    def medians(self) -> dict[str, Cell]:
        """Over the rounds."""
        return {
            name: {
                key: round(statistics.median(each[key] for each in cells if key in each), 1)
                for key in cells[0]
            }
            for name, cells in self.cells.items()
        }

    def told(self) -> Figures:
        """All about it, once the rounds are over."""
        assert self.stack.web is not None
        processes = {"web": self.stack.web, "pages": self.stack.pages}
        return {
            **ledger(self.stack.directory / "parlay.sqlite3", self.seen),
            "errors": sum(sum(each.refused.values()) for each in self.seen),
            "broken_lines": sum(each.broken for each in self.seen),
            "memory_mb": {name: resident_mb(each.pid) for name, each in processes.items() if each},
            "median": self.medians(),
            "rounds": self.cells,
        }


def ratio(one: Cell, other: Cell) -> float | None:
    """Of the 95th percentiles, where both windows had turns."""
    return round(one["p95_ms"] / other["p95_ms"], 2) if "p95_ms" in one and "p95_ms" in other else None


def measure(
    pace: tuple[float, float],
    rounds: int,
    window: float,
    sizes: tuple[int, ...],
    spectators: int,
    watched_turns: int,
) -> Figures:
    with tempfile.TemporaryDirectory() as folder, ExitStack() as held:
        houses = {}
        for name, planes in HOUSES.items():
            houses[name] = Measured(Path(folder) / name, pace, planes=planes)
            held.callback(houses[name].stack.stop)
        for _ in range(rounds):
            for house in houses.values():
                with readers(house) as go:
                    asyncio.run(house.tables(sizes, window, go))
                house.watched(spectators, watched_turns)
        found = {name: house.told() for name, house in houses.items()}
    together, apart = (found[name]["median"] for name in HOUSES)
    return {
        "pace_seconds": pace,
        "rounds": rounds,
        "window_seconds": window,
        "p95_apart_over_together": {cell: ratio(apart[cell], together[cell]) for cell in apart},
        "p95_over_quiet": {
            name: {
                cell: ratio(each["median"][cell], each["median"][cell.split(" beside")[0]])
                for cell in each["median"]
                if " beside" in cell
            }
            for name, each in found.items()
        },
        **found,
    }


@experiment(
    "many.json",
    option("--rounds", type=int, default=5),
    option("--window", type=float, default=15.0, help="seconds of each window"),
    rehearsal=True,
)
def main(chosen: Given) -> Figures:
    found = (
        measure(REHEARSED_PACE, 1, 3.0, (2, 3), 3, 2)
        if chosen.rehearse
        else measure(PACE, chosen.rounds, chosen.window, SIZES, SPECTATORS, WATCHED_TURNS)
    )
    if any(found[name][what] for name in HOUSES for what in ("lost", "doubled", "logs_with_a_gap")):
        raise SystemExit("bench.many: a move was lost or doubled.")
    return found


if __name__ == "__main__":
    main()
