"""What is exchanged at a table of three: seats, proposals, actions, and what a seat gets to see.

A proposal says who takes part and what each buyer in it pays a year. Who the money goes to follows from who takes
part: to the seller where it is in, to the builder of the depot where the two buyers go without it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Seat = Literal["seller", "buyer_a", "buyer_b"]
SEATS: Final[tuple[Seat, ...]] = ("seller", "buyer_a", "buyer_b")
BUYERS: Final[tuple[Seat, ...]] = ("buyer_a", "buyer_b")
SEAT_INDEX: Final[dict[Seat, int]] = {seat: index for index, seat in enumerate(SEATS)}

Coalition = frozenset[Seat]
EVERYONE: Final[Coalition] = frozenset(SEATS)
COALITIONS: Final[tuple[Coalition, ...]] = (
    frozenset({"seller", "buyer_a"}),
    frozenset({"seller", "buyer_b"}),
    frozenset(BUYERS),
    EVERYONE,
)
"""All that can close a deal: anything but a seat on its own."""

Arrangement = Literal["alone", "shared", "depot"]
ARRANGEMENTS: Final[tuple[Arrangement, ...]] = ("alone", "shared", "depot")


def arrangement_of(members: Coalition) -> Arrangement:
    """What a coalition does with itself."""
    if members == EVERYONE:
        return "shared"
    return "alone" if "seller" in members else "depot"


def in_order(members: Coalition) -> tuple[Seat, ...]:
    """Members in the order of the seats."""
    return tuple(seat for seat in SEATS if seat in members)


@dataclass(frozen=True, slots=True)
class Proposal:
    """Who takes part, and what each buyer among them pays a year, in money."""

    members: Coalition
    pays: tuple[tuple[Seat, float], ...]

    @classmethod
    def of(cls, members: Coalition, **pays: float) -> Proposal:
        """A proposal with its payments by seat, in the order of the seats."""
        return cls(members, tuple((seat, float(pays[seat])) for seat in BUYERS if seat in pays))

    def pay_of(self, seat: Seat) -> float:
        """What ``seat`` pays; 0 for the seller and for those left out."""
        return dict(self.pays).get(seat, 0.0)

    @property
    def money(self) -> float:
        """All payments together."""
        return sum(pay for _, pay in self.pays)


@dataclass(frozen=True, slots=True)
class Claim:
    """ "``rival`` offers me ``price``": said, not proven. For the seller a rent, for a buyer what it would pay."""

    rival: Seat
    price: float


@dataclass(frozen=True, slots=True)
class Action:
    """One seat's turn: words, and at most one of a proposal, a support and leaving.

    ``to`` makes the whole turn private to one other seat. ``knowingly`` lets a person sign below its own outside
    option, which is refused otherwise.
    """

    text: str = ""
    to: Seat | None = None
    proposal: Proposal | None = None
    support: int | None = None
    claim: Claim | None = None
    walk_away: bool = False
    knowingly: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """One turn as it was taken. ``number`` counts all turns from 1 and names the proposal made in it."""

    number: int
    round: int
    seat: Seat
    text: str
    to: Seat | None
    proposal: Proposal | None
    support: int | None
    claim: Claim | None
    walk_away: bool

    def visible_to(self, seat: Seat) -> bool:
        """Private turns are for the two concerned. That one leaves is never private."""
        return self.to is None or seat in (self.seat, self.to)


@dataclass(frozen=True, slots=True)
class Standing:
    """A proposal on the table and who stands behind it."""

    number: int
    by: Seat
    to: Seat | None
    round: int
    proposal: Proposal
    supporters: Coalition


@dataclass(frozen=True, slots=True)
class Stake:
    """What each arrangement is worth to one seat before any money moves; for the seller minus its costs."""

    alone: float
    shared: float
    depot: float


@dataclass(frozen=True, slots=True)
class Observation:
    """All that one seat knows: its own stake, and the turns and proposals that it may see."""

    seat: Seat
    own: Stake
    round: int
    horizon: int
    turn: int
    to_move: Seat | None
    present: Coalition
    entries: tuple[Entry, ...]
    standing: tuple[Standing, ...]
    depot_cost: float


EndReason = Literal["agreed", "time_up", "nobody_left"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: who signed what, what it was worth to each, and what theory says of it.

    Money throughout. ``core`` is the least and the most of each seat in the core, ``None`` when it is empty.
    ``shares`` are payoffs over the worth of all three together.
    """

    reason: EndReason
    agreement: Proposal | None
    rounds: int
    payoffs: dict[Seat, float]
    worth: dict[str, float]
    shapley: dict[Seat, float]
    nucleolus: dict[Seat, float]
    core: dict[Seat, tuple[float, float]] | None
    efficiency: float
    efficient: bool
    stable: bool
