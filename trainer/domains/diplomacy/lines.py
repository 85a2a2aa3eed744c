"""The lines that an orders block may hold, one after another: what a decoder chooses among.

One order for each unit in the fixed order of units; in winter exactly as many lines as are due, and homes that are not
built on are passed over or waived. :mod:`.answers` writes the same language as a grammar.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from negotiation.engine.diplomacy.orders import WAIVE, text
from negotiation.engine.diplomacy.possible import possible_orders
from negotiation.engine.diplomacy.state import WINTER, State


class BlockPlace(NamedTuple):
    """Where a block stands: which row comes next, and how many lines are still due (None: one for every row)."""

    row: int
    left: int | None


@dataclass(frozen=True)
class Lines:
    """The lines of one power in one phase."""

    rows: tuple[tuple[str, ...], ...]
    """By unit or home, in order, the lines that it can be given; WAIVE apart."""
    due: int | None
    """How many lines a winter block has, below zero for disbands; None where every unit gets one."""

    @cached_property
    def start(self) -> BlockPlace:
        return BlockPlace(0, None if self.due is None else abs(self.due))

    def options(self, place: BlockPlace) -> tuple[tuple[str, BlockPlace], ...]:
        """The lines that may come next, each with where the block stands after it; none where it is complete."""
        row, left = place
        if left is None:
            following = BlockPlace(row + 1, None)
            return tuple((line, following) for line in self.rows[row]) if row < len(self.rows) else ()
        if left == 0:
            return ()
        last = len(self.rows) - (0 if self._builds else left - 1)
        found = [(line, BlockPlace(at + 1, left - 1)) for at in range(row, last) for line in self.rows[at]]
        if self._builds:
            found.append(("WAIVE", BlockPlace(len(self.rows), left - 1)))
        return tuple(found)

    @property
    def decides(self) -> bool:
        """Whether there is anything to decide."""
        if self.due is None:
            return any(len(row) > 1 for row in self.rows)
        return self.due > 0 or 0 < -self.due < len(self.rows)

    @property
    def _builds(self) -> bool:
        return self.due is not None and self.due > 0


def lines_of(state: State, power: int) -> Lines:
    """What ``power`` can be ordered in ``state``."""
    possible = possible_orders(state, power)
    rows = tuple(
        tuple(text(order) for order in possible[node] if order.kind != WAIVE) for node in sorted(possible)
    )
    return Lines(rows, state.delta(power) if state.season == WINTER else None)
