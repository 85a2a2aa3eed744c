"""Where samples start: positions out of games, sorted by power and kind of phase, drawn evenly.

Positions come from bots' play, with press among them so that some promises stand, and from the policy's own play. A
curriculum is a function of seed and step, so that a run can go on anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from negotiation.engine.diplomacy.bots import DumbBot, RandomBot, TrustingBot
from negotiation.engine.diplomacy.chance import Chance
from negotiation.engine.diplomacy.geography import FIRST_YEAR, POWERS
from negotiation.engine.diplomacy.state import SPRING, WINTER, State
from trainer.domains.diplomacy.phrases import Talker
from trainer.domains.diplomacy.tables import BoardTable, BotPlayer, Sample, Start, TablePlayer, play_phase

Phase = Literal["spring", "fall", "retreats", "winter"]
PHASES: tuple[Phase, ...] = ("spring", "fall", "retreats", "winter")
TRAINING, HELD_OUT, EXAMPLES, SELF_PLAY = range(4)
"""Games of these purposes never share a seed."""


@dataclass(frozen=True, slots=True)
class PoolSettings:
    """Which positions are played from."""

    games: int = 40
    """Games of bots that positions are taken from."""
    years: int = 6
    """Positions are taken from this many game years."""
    spring: int = 3
    fall: int = 3
    retreats: int = 1
    winter: int = 1
    """How often each kind of phase is drawn, beside the others; powers are drawn evenly within each."""

    def __post_init__(self) -> None:
        for name in ("games", "years"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1")
        if min(self.shares) < 0 or not sum(self.shares):
            raise ValueError("spring, fall, retreats and winter must not be negative, nor all 0")

    @property
    def shares(self) -> tuple[int, ...]:
        """By phase."""
        return (self.spring, self.fall, self.retreats, self.winter)


def phase_of(state: State) -> Phase:
    """Which kind of phase a position is in."""
    if state.retreating:
        return "retreats"
    return "winter" if state.season == WINTER else "spring" if state.season == SPRING else "fall"


def watched(
    seats: Sequence[Sequence[TablePlayer]], years: int, seed: int, purpose: int, first: int = 0
) -> Iterator[tuple[Start, Sample]]:
    """Play games side by side; every turn in which a power had something to decide, and what it answered.

    Args:
        seats: by game and power.
        first: the number of the first game.
    """
    games = [(BoardTable(Chance(seed, purpose, first + number)), row) for number, row in enumerate(seats)]
    while games := [each for each in games if not each[0].over and each[0].state.year < FIRST_YEAR + years]:
        tables, sitting = [table for table, _ in games], [row for _, row in games]
        starts = [[each.told(power) for power in range(len(POWERS))] for each in tables]
        answers = play_phase(tables, sitting)
        for row, said in zip(starts, answers, strict=True):
            for start, sample in zip(row, said, strict=True):
                if start.lines.decides:
                    yield start, sample


def bots_at_play(settings: PoolSettings, seed: int, purpose: int) -> Iterator[tuple[Start, Sample]]:
    """Games of DumbBots, some of whom read press and some of whom blunder, all of them talking."""
    dumb, trusting, random = (Talker(BotPlayer(bot)) for bot in (DumbBot(), TrustingBot(), RandomBot()))
    rng = np.random.default_rng([seed, purpose, 7])
    seats = [
        [(dumb, trusting, random)[int(kind)] for kind in rng.choice(3, size=len(POWERS), p=(0.45, 0.45, 0.1))]
        for _ in range(settings.games)
    ]
    yield from watched(seats, settings.years, seed, purpose)


class Pool:
    """Positions by power and kind of phase."""

    def __init__(self, starts: Sequence[Start], settings: PoolSettings) -> None:
        self._cells: dict[tuple[Phase, int], list[Start]] = {}
        for start in starts:
            self._cells.setdefault((phase_of(start.state), start.power), []).append(start)
        self._order = [
            phase
            for round_ in range(max(settings.shares))
            for phase, share in zip(PHASES, settings.shares, strict=True)
            if round_ < share
        ]

    def __len__(self) -> int:
        return sum(map(len, self._cells.values()))

    def drawn(self, count: int, first: int, rng: np.random.Generator) -> list[Start]:
        """``count`` positions: kinds of phases and powers in turn, from the ``first``-th turn on."""
        found = []
        for turn in range(first, first + count):
            phase = self._order[turn % len(self._order)]
            power = (turn // len(self._order) + turn) % len(POWERS)
            cell = self._cells.get((phase, power)) or self._any(phase)
            found.append(cell[int(rng.integers(len(cell)))])
        return found

    def _any(self, phase: Phase) -> list[Start]:
        """Where no position of a power was met in a kind of phase: those of all powers, or of all kinds."""
        of_phase = [start for (kind, _), cell in self._cells.items() if kind == phase for start in cell]
        return of_phase or [start for cell in self._cells.values() for start in cell]


@dataclass(frozen=True)
class PositionTask:
    """One position to be answered several times, and the luck that the answers share."""

    start: Start
    seed: int


class Positions:
    """The curriculum: half of a step's groups from bots' games, half from the policy's own where there are any."""

    def __init__(self, settings: PoolSettings, seed: int) -> None:
        self._seed = seed
        self._settings = settings
        self._bots = Pool([start for start, _ in bots_at_play(settings, seed, TRAINING)], settings)
        self._held = Pool([start for start, _ in bots_at_play(settings, seed, HELD_OUT)], settings)
        self.own: Pool | None = None

    def tasks(self, step: int, count: int) -> list[PositionTask]:
        """The positions of a training step, one for each group."""
        rng = np.random.default_rng([self._seed, TRAINING, step])
        from_own = count // 2 if self.own else 0
        starts = self._bots.drawn(count - from_own, step * count, rng)
        if self.own:
            starts += self.own.drawn(from_own, step * count + count - from_own, rng)
        return [PositionTask(start, int(rng.integers(2**31))) for start in starts]

    def held_out(self, count: int) -> list[PositionTask]:
        """Positions of other games than those trained on, the same every time."""
        rng = np.random.default_rng([self._seed, HELD_OUT])
        return [PositionTask(start, int(rng.integers(2**31))) for start in self._held.drawn(count, 0, rng)]
