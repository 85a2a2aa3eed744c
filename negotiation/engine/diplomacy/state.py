"""A position: immutable, a few tuples of integers. A snapshot is a reference, a fork is free."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from negotiation.engine.diplomacy.geography import (
    CENTRES,
    CENTRES_TO_WIN,
    FIRST_YEAR,
    HOMES,
    NEUTRAL,
    OPENING,
    POWERS,
    PROVINCE,
)

SPRING, SPRING_RETREATS, FALL, FALL_RETREATS, WINTER, OVER = range(6)
_LETTERS = ("S{}M", "S{}R", "F{}M", "F{}R", "W{}A", "COMPLETED")


class Dislodged(NamedTuple):
    """A unit that must retreat: whose it is, where it stood, the nodes that it may go to (perhaps none)."""

    power: int
    node: int
    options: tuple[int, ...]


class State(NamedTuple):
    """Everything that the rules need to go on from here."""

    year: int
    season: int
    """SPRING, SPRING_RETREATS, FALL, FALL_RETREATS, WINTER or OVER."""
    units: tuple[tuple[int, ...], ...]
    """By power: the nodes of its units, sorted; dislodged ones are not among them."""
    owners: tuple[int, ...]
    """By centre (in the order of ``CENTRES``): the power that owns it, or NEUTRAL."""
    dislodged: tuple[Dislodged, ...] = ()

    @property
    def phase(self) -> str:
        """The usual short name: S1901M, F1901R, W1901A; COMPLETED at the end."""
        return _LETTERS[self.season].format(self.year)

    @property
    def moving(self) -> bool:
        """Whether units may be ordered to move."""
        return self.season in (SPRING, FALL)

    @property
    def retreating(self) -> bool:
        """Whether dislodged units are to retreat."""
        return self.season in (SPRING_RETREATS, FALL_RETREATS)

    @property
    def winner(self) -> int | None:
        """Who owns enough centres to have won, if anyone."""
        if self.season != OVER:
            return None
        counts = self.centre_counts()
        best = max(range(len(POWERS)), key=counts.__getitem__)
        return best if counts[best] >= CENTRES_TO_WIN else None

    def centres(self, power: int) -> tuple[int, ...]:
        """The provinces of the centres that ``power`` owns; NEUTRAL works too."""
        return tuple(province for province, owner in zip(CENTRES, self.owners, strict=True) if owner == power)

    def centre_counts(self) -> list[int]:
        """By power: how many centres it owns."""
        return [self.owners.count(power) for power in range(len(POWERS))]

    def standing(self) -> dict[int, int]:
        """Province -> node of the unit in it, dislodged ones apart."""
        return {PROVINCE[node]: node for row in self.units for node in row}

    def delta(self, power: int) -> int:
        """In winter: how many units ``power`` builds, or, below zero, disbands; limited by its free homes."""
        owned = self.owners.count(power)
        surplus = owned - len(self.units[power])
        return min(surplus, len(self.free_homes(power))) if surplus > 0 else surplus

    def free_homes(self, power: int) -> tuple[int, ...]:
        """Home centres that ``power`` owns and that stand empty: where it may build."""
        taken = {PROVINCE[node] for row in self.units for node in row}
        owned = self.centres(power)
        return tuple(home for home in HOMES[power] if home in owned and home not in taken)


def parse_phase(name: str) -> tuple[int, int]:
    """Year and season of a phase name such as ``F1903R``.

    Raises:
        ValueError: if it is no phase.
    """
    for season, letters in enumerate(_LETTERS[:OVER]):
        if name[:1] == letters[0] and name[-1:] == letters[-1] and name[1:-1].isdecimal():
            return int(name[1:-1]), season
    raise ValueError(f"{name!r} is not a phase; phases are named as S1901M, F1901R, W1901A")


@lru_cache(maxsize=1)
def opening() -> State:
    """Spring 1901."""
    owner_of = {home: power for power, homes in enumerate(HOMES) for home in homes}
    return State(FIRST_YEAR, SPRING, OPENING, tuple(owner_of.get(centre, NEUTRAL) for centre in CENTRES))
