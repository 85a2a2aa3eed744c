"""What the other side may have been told: all that it could be, equally likely, from where one player sits."""

from __future__ import annotations

from dataclasses import dataclass

from negotiation.engine.drills.auction import HIGH_VALUE, LOW_VALUE
from negotiation.engine.drills.books_hats_balls import VALUATIONS
from negotiation.engine.drills.types import RoundView

Mind = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Minds:
    """``fresh`` ones are drawn anew each round; the others stay the same all match long."""

    possible: tuple[Mind, ...]
    fresh: bool = False

    def told(self, mind: Mind, round_: int) -> Mind:
        """What the owner of this mind has been told by ``round_``; earlier draws don't matter to any strategy."""
        return mind * (round_ + 1) if self.fresh else mind


def minds_of(game: str, view: RoundView) -> Minds:
    """Every mind the other side may have, as far as the player knows before a single move."""
    if game == "auction":
        return Minds(((LOW_VALUE,), (HIGH_VALUE,)), fresh=True)
    if game == "books_hats_balls":
        return Minds(tuple((*view.private[:3], *values) for values in VALUATIONS))
    return Minds(((),))
