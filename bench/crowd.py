"""People at many tables, as the page would have them there: each plays at a pace, takes the next deal when one is over,
comes back when a line breaks, and sends again, under its own identifier, what was not acknowledged.

Of every move it is known when it was sent first, when it was acknowledged and when its reply was complete; ``ledger`` says
afterwards what the log holds of the acknowledged ones.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.exceptions import WebSocketException

from tests.clients import Line, Person, line

WORDS = (
    "What drives your timeline?",
    "We moved, now it is your turn.",
    "I understand the pressure. What would help?",
    "How is the budget decided on your side?",
)
TROUBLE = (OSError, TimeoutError, WebSocketException, AssertionError)
"""What a line that breaks may bring."""
ANSWER_WITHIN, PATIENCE_AT_MOST = 3.5, 30.0
"""Seconds of silence after which a line is given up, twice as long each time: as the page (``static/js/socket.js``)."""
BACK_WITHIN, SOON, SOON_WAIT, MOST_WAIT = 0.125, 10.0, 1.0, 8.0
"""Seconds before the next try to come back, twice as long each time, but so long at most in the first ten seconds and after
them: as the page."""
ONCE_MORE = 0.05
"""Seconds before a move that was refused is sent again."""
LAST_ANSWERS = 120.0
"""Seconds that the last answers may take."""

Sit = Callable[[], tuple[Person, str]]
"""Somebody sits down: who, and at which table."""


@dataclass
class Seen:
    """What a crowd saw."""

    acknowledged: list[str] = field(default_factory=list)
    games: set[str] = field(default_factory=set)
    waits: list[float] = field(default_factory=list)
    """Seconds from each move's first sending to its acknowledgement."""
    turns: list[float] = field(default_factory=list)
    """Seconds from each move's first sending to its complete reply."""
    broken: int = 0
    """Lines that broke."""
    refused: Counter[str] = field(default_factory=Counter)
    """Errors that a move was answered with, but for the deal's being over."""


@dataclass
class Move:
    """Something that is said, until it is acknowledged."""

    words: str
    offer: int | None
    began: float = field(default_factory=time.monotonic)
    name: str = field(default_factory=lambda: str(uuid.uuid4()))


class Crowd:
    """People who sit down, each at a table of their own, and play while their tables are open.

    Args:
        url: of the house.
        sit: how somebody sits down to a new deal; it may take its time.
        pace: the least and the most seconds that somebody thinks before a move.
        offers: whether they name prices; who only asks plays longer deals.
    """

    def __init__(
        self, url: str, sit: Sit, pace: tuple[float, float], *, seed: int = 0, offers: bool = True
    ) -> None:
        self.url, self.sit, self.pace, self.offers = url, sit, pace, offers
        self.seed = seed
        self.seen = Seen()
        """What is seen now; ``during`` puts a fresh one there."""
        self.players: list[Player] = []
        self.leaving = asyncio.Event()
        self._at_play: list[asyncio.Task[None]] = []

    async def seat(self, count: int) -> None:
        """Have people sit down until there are so many."""
        missing = range(len(self.players), count)
        seats = await asyncio.gather(*(self._seated() for _ in missing))
        self.players += [Player(self, at, *seat) for at, seat in zip(missing, seats, strict=True)]

    async def _seated(self) -> tuple[Person, str]:
        """Somebody sits down, and tries again where a busy house turned them away."""
        while True:
            try:
                return await asyncio.to_thread(self.sit)
            except TROUBLE:
                self.seen.broken += 1
                await asyncio.sleep(SOON_WAIT)

    async def open(self, count: int) -> None:
        """The first ``count`` open their tables and begin to play."""
        await self.seat(count)
        # Each time on the loop that runs now.
        self.leaving = asyncio.Event()
        chosen = self.players[:count]
        for player in chosen:
            player.arrived = asyncio.Event()
        self._at_play = [asyncio.create_task(player.play()) for player in chosen]
        await asyncio.gather(*(player.arrived.wait() for player in chosen))

    async def close(self) -> None:
        """They leave their tables as they are, once what they have sent is answered."""
        self.leaving.set()
        async with asyncio.timeout(LAST_ANSWERS):
            await asyncio.gather(*self._at_play)

    async def during(self, seconds: float) -> Seen:
        """What they see in so many seconds."""
        self.seen = seen = Seen()
        await asyncio.sleep(seconds)
        self.seen = Seen()
        return seen


class Player:
    """One of a crowd."""

    def __init__(self, crowd: Crowd, at: int, person: Person, game: str) -> None:
        self.crowd, self.person, self.game = crowd, person, game
        self.rng = random.Random(1000 * crowd.seed + at)  # noqa: S311
        self.move: Move | None = None
        self.arrived = asyncio.Event()
        self.turn = self.heard = 0
        self.patience = ANSWER_WITHIN
        self.tries, self.lost_at = 0, 0.0
        self.first = True

    async def play(self) -> None:
        """Until everybody leaves; a move that is under way is seen to its end."""
        self.first = True
        while self.goes_on:
            try:
                path = f"/ws/deals/{self.game}/?since={self.heard}"
                async with line(self.crowd.url, path, cookies=self.person.cookies()) as table:
                    await self._at(table)
            except TROUBLE as trouble:
                self.crowd.seen.broken += 1
                if isinstance(trouble, TimeoutError):
                    self.patience = min(2 * self.patience, PATIENCE_AT_MOST)
                await asyncio.sleep(self._pause())

    def _pause(self) -> float:
        """How long until the next try."""
        self.tries += 1
        self.lost_at = self.lost_at or time.monotonic()
        most = SOON_WAIT if time.monotonic() - self.lost_at < SOON else MOST_WAIT
        return min(most, BACK_WITHIN * 2.0 ** min(self.tries, 6)) * self.rng.uniform(0.75, 1.25)

    @property
    def goes_on(self) -> bool:
        """Whether there is something left to play or to hear of."""
        return self.move is not None or not self.crowd.leaving.is_set()

    async def _at(self, table: Line) -> None:
        """Play over this line; return where the deal is over, and the next one has another line."""
        async with asyncio.timeout(self.patience):
            await table.next()
        self.tries, self.lost_at = 0, 0.0
        self.arrived.set()
        while self.goes_on:
            if self.move is None:
                if await self._think():
                    return
                offer = 185_000 - 1_500 * self.turn if self.crowd.offers else None
                self.move = Move(WORDS[self.turn % len(WORDS)], offer)
            if not await self._said(table, self.move):
                self.move = None
                self.person, self.game = await asyncio.to_thread(self.crowd.sit)
                self.turn = self.heard = 0
                return

    async def _think(self) -> bool:
        """True where everybody leaves meanwhile. Who has just arrived is somewhere in the middle of a thought."""
        least, most = self.crowd.pace
        seconds = self.rng.uniform(*((0, (least + most) / 2) if self.first else (least, most)))
        self.first = False
        with suppress(TimeoutError):
            await asyncio.wait_for(self.crowd.leaving.wait(), seconds)
        return self.crowd.leaving.is_set()

    async def _said(self, table: Line, move: Move) -> bool:
        """Say it and hear the reply; False where the deal is over."""
        said: dict[str, Any] = {"text": move.words, "offer": move.offer, "confirmed": True}
        async with asyncio.timeout(self.patience):
            answer = await table.ask("act", move.name, **said)
        self.patience = ANSWER_WITHIN
        seen = self.crowd.seen
        if answer["type"] == "error":
            if answer["data"]["code"] == "game_over":
                return False
            seen.refused[answer["data"]["code"]] += 1
            await asyncio.sleep(ONCE_MORE)
            return True
        seen.acknowledged.append(move.name)
        seen.games.add(self.game)
        seen.waits.append(time.monotonic() - move.began)
        self.move = None
        self.turn += 1
        await table.until_closed(answer["seq"])
        seen.turns.append(time.monotonic() - move.began)
        self.heard = table.log[-1]["seq"]
        return True


def ledger(database: Path, seen: Iterable[Seen]) -> dict[str, int]:
    """What the log says of the moves that were acknowledged, and whether it is whole."""
    every = list(seen)
    acknowledged = [move for each in every for move in each.acknowledged]
    games = {game for each in every for game in each.games}
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        rows = connection.execute("SELECT game_id, seq, action_id FROM negotiation_event").fetchall()
    logs: dict[str, list[int]] = {game: [] for game in games}
    counts: Counter[str] = Counter()
    for game, seq, action in rows:
        if (name := str(uuid.UUID(game))) in logs:
            logs[name].append(seq)
        if action is not None:
            counts[str(uuid.UUID(action))] += 1
    return {
        "acknowledged": len(acknowledged),
        "lost": sum(counts[move] == 0 for move in acknowledged),
        "doubled": sum(counts[move] > 1 for move in acknowledged),
        "logs": len(games),
        "logs_with_a_gap": sum(sorted(log) != list(range(1, len(log) + 1)) for log in logs.values()),
    }
