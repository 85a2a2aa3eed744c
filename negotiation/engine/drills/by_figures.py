"""A player of books, hats and balls that decides by the round and its own figures alone, surely: its whole play is a table.

One row for each of the 66 ways to value the kinds, 64 piles, and four rounds: 16,896 demands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from negotiation.engine.drills.books_hats_balls import MOST, TOTAL_VALUE, VALUATIONS, BooksHatsBalls, encode
from negotiation.engine.drills.types import Floats, Ints, Seen, Strategy

PILES = tuple(product(range(1, MOST + 1), repeat=3))
SHAPE = (BooksHatsBalls.rounds, len(PILES), len(VALUATIONS))

_PLACES = np.zeros((TOTAL_VALUE + 1, TOTAL_VALUE + 1), dtype=np.intp)
for _place, (_books, _hats, _) in enumerate(VALUATIONS):
    _PLACES[_books, _hats] = _place


def rows() -> Iterator[tuple[int, tuple[int, ...]]]:
    """(round, what the player was told) of every row, in the order of the table."""
    for round_ in range(BooksHatsBalls.rounds):
        for pile, values in product(PILES, VALUATIONS):
            yield round_, (*pile, *values)


@dataclass(frozen=True)
class FiguresStrategy(Strategy):
    """A strategy that is such a table."""

    demands: npt.NDArray[np.int8]
    """(rounds, piles, valuations), as :func:`encode` counts them."""


def by_figures(name: str, title: str, says: str, demands: npt.NDArray[np.int8]) -> FiguresStrategy:
    """The player whose demands, as :func:`encode` counts them, these are.

    Args:
        demands: (rounds, piles, valuations).

    Raises:
        ValueError: for a table of another shape, or one that asks for more than there is.
    """
    if demands.shape != SHAPE:
        raise ValueError(f"{name}: a table of shape {demands.shape}, not {SHAPE}")
    most = np.array([encode(pile) for pile in PILES])
    if not all(_fits(demands[:, place], int(most[place])) for place in range(len(PILES))):
        raise ValueError(f"{name} asks for more than there is")

    def choose(seen: Seen, number: Floats) -> Ints:
        pile = seen.private[:3].astype(np.intp) - 1
        values = seen.private[3:].astype(np.intp)
        piles = (pile[0] * MOST + pile[1]) * MOST + pile[2]
        return np.asarray(demands[seen.round, piles, _PLACES[values[0], values[1]]])

    return FiguresStrategy(name, title, says, choose, demands)


def _fits(demands: npt.NDArray[np.int8], most: int) -> bool:
    """Whether every demand lies within the pile, digit by digit."""
    base = MOST + 1
    return all(
        bool(((demands // base**digit % base) <= (most // base**digit % base)).all())
        and bool((demands >= 0).all())
        for digit in range(3)
    )
