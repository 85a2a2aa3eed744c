"""Players whose whole play is a table: by the round, what they are told now, and the last rounds that they remember.

A round as such a player remembers it is one number: its own action, the other's, and the figure that it was told then, of
which there is one at most. That is enough for the auction (the own value) and the pie (no figure).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from negotiation.engine.drills.auction import BIDS, HIGH_VALUE, LOW_VALUE
from negotiation.engine.drills.pie import DEMANDS
from negotiation.engine.drills.simultaneous import SimultaneousGame
from negotiation.engine.drills.types import Floats, Ints, Seen, Strategy

Table = npt.NDArray[np.float64]
MOST_TOLD = 2
"""Rounds remembered, at most: with three the tables of the pie would have millions of rows."""


@dataclass(frozen=True, slots=True)
class Memory:
    """What there is to be remembered of a round. Actions are whole numbers in a row."""

    actions: tuple[int, ...]
    figures: tuple[int, ...] = ()
    """What a player may be told in a round, all equally likely; empty where nothing is hidden."""

    @property
    def kinds(self) -> int:
        """How many figures there are to tell apart; one where nothing is hidden."""
        return max(1, len(self.figures))

    @property
    def codes(self) -> int:
        """How many rounds there are to tell apart."""
        return len(self.actions) ** 2 * self.kinds

    def pair(self, own: npt.ArrayLike, other: npt.ArrayLike) -> npt.NDArray[np.intp]:
        """Both actions of a round as one number."""
        first = self.actions[0]
        mine, theirs = (np.asarray(part, dtype=np.intp) - first for part in (own, other))
        return np.asarray(mine * len(self.actions) + theirs)

    def figure(self, told: npt.ArrayLike) -> npt.NDArray[np.intp]:
        """Which of the figures it was."""
        return np.asarray(np.searchsorted(self.figures, told), dtype=np.intp)

    def shape(self, known: int) -> tuple[int, ...]:
        """Of the table of a round before which ``known`` rounds are remembered."""
        return (*(self.codes,) * known, self.kinds, len(self.actions))


MEMORIES: dict[str, Memory] = {
    "auction": Memory(BIDS, (LOW_VALUE, HIGH_VALUE)),
    "pie": Memory(DEMANDS),
}
"""By name of the game."""


@dataclass(frozen=True)
class TableStrategy(Strategy):
    """A strategy that is a table. ``plays`` holds, by round, how likely each action is: indexed by the remembered rounds,
    the last one last, and by what is told now; places that its own play never comes to are empty."""

    plays: tuple[Table, ...]


def by_table(
    game: SimultaneousGame, name: str, title: str, says: str, plays: Sequence[Table]
) -> TableStrategy:
    """The player that these tables are. In a place that its own play never comes to, it plays evenly.

    Raises:
        ValueError: for tables that are not of the game's shape, or hold no probabilities.
    """
    memory = MEMORIES[game.name]
    whole = tuple(_filled(memory, table, name) for table in plays)
    if len(whole) != game.rounds or any(_known(table) > min(at, MOST_TOLD) for at, table in enumerate(whole)):
        raise ValueError(f"{name}: a table for each of {game.rounds} rounds, of rounds that are over by then")

    def choose(seen: Seen, number: Floats) -> Ints:
        likely = whole[seen.round][_index(memory, seen, _known(whole[seen.round]))]
        place = (number[:, None] >= likely.cumsum(axis=1)[:, :-1]).sum(axis=1)
        return np.asarray(memory.actions[0] + place, dtype=np.int8)

    return TableStrategy(name, title, says, choose, tuple(plays))


def _known(table: Table) -> int:
    """How many rounds a table remembers."""
    return table.ndim - 2


def _filled(memory: Memory, table: Table, name: str) -> Table:
    if table.shape != memory.shape(_known(table)):
        raise ValueError(f"{name}: a table of shape {table.shape} is of another game")
    total = table.sum(axis=-1, keepdims=True)
    if (table < 0).any() or not np.all(np.isclose(total, 1) | (total == 0)):
        raise ValueError(f"{name}: probabilities of a row lie between 0 and 1 and sum to 1")
    return np.where(total > 0, table, 1 / len(memory.actions))


def _index(memory: Memory, seen: Seen, known: int) -> tuple[Any, ...]:
    """Where in a round's table each column is."""
    figures = (
        memory.figure(seen.private) if memory.figures else np.zeros((seen.round + 1, seen.count), np.intp)
    )
    rounds = range(seen.round - known, seen.round)
    codes = (memory.pair(seen.own[at], seen.other[at]) * memory.kinds + figures[at] for at in rounds)
    return (*codes, figures[seen.round])


@dataclass(frozen=True, slots=True)
class Asked:
    """One row of a table, as a match that leads there: own and other's actions so far, and the figures told up to now."""

    own: tuple[int, ...]
    other: tuple[int, ...]
    figures: tuple[int, ...]


Ask = Callable[[list[Asked]], list[dict[int, float]]]
"""How likely each action is in each of these places."""


def read_off(game: SimultaneousGame, told: int, ask: Ask) -> list[Table]:
    """The tables of a player that remembers ``told`` rounds: asked wherever its own play can come to, round by round.

    Chances are rounded to a thousandth, so that what it does less often counts as never.
    """
    memory = MEMORIES[game.name]
    tables: list[Table] = []
    reached: list[tuple[int, ...]] = [()]
    for round_ in range(game.rounds):
        rows = [(*codes, figure) for codes in reached for figure in range(memory.kinds)]
        asked = [_leading_to(memory, row, round_) for row in rows]
        table = np.zeros(memory.shape(min(told, round_)))
        for row, likely in zip(rows, ask(asked), strict=True):
            table[row] = _thousandths([likely.get(action, 0.0) for action in memory.actions])
        tables.append(table)
        reached = sorted({after for row in rows for after in _after(memory, row, table[row], told)})
    return tables


def _thousandths(likely: Sequence[float]) -> Table:
    """Rounded so that they still sum to one: what is missing goes to the likeliest."""
    rounded = np.round(np.asarray(likely) / sum(likely), 3)
    rounded[rounded.argmax()] += 1 - rounded.sum()
    return rounded.round(3)


def _after(memory: Memory, row: tuple[int, ...], likely: Table, told: int) -> set[tuple[int, ...]]:
    """What may be remembered after a round that began at this row."""
    *codes, figure = row
    count = len(memory.actions)
    own = [place for place in range(count) if likely[place] > 0]
    latest = [(mine * count + theirs) * memory.kinds + figure for mine in own for theirs in range(count)]
    return {(*codes, code)[-told:] if told else () for code in latest}


def _leading_to(memory: Memory, row: tuple[int, ...], round_: int) -> Asked:
    """A match that comes to this row; rounds that are forgotten by then are filled in."""
    *codes, figure = row
    count, idle = len(memory.actions), round_ - len(codes)
    pairs = [divmod(code // memory.kinds, count) for code in codes]
    first = memory.actions[0]
    kinds = [*(code % memory.kinds for code in codes), figure]
    return Asked(
        (*(first,) * idle, *(first + mine for mine, _ in pairs)),
        (*(first,) * idle, *(first + theirs for _, theirs in pairs)),
        (*memory.figures[:1] * idle, *(memory.figures[kind] for kind in kinds)) if memory.figures else (),
    )
