"""The whole state of a game in play, both sides of the table. Mutable; owned by ``Negotiation`` alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from negotiation.engine.cards import GIFT
from negotiation.engine.deal.cards import CARDS, POINTS_PER_TURN, STARTING_POINTS
from negotiation.engine.deal.reward import is_bluff
from negotiation.engine.deal.tension import Tension
from negotiation.engine.deal.types import SIGN, CardId, Headline, LimitMove, Move, Seat, SeatTruth, Term

CAUGHT_FACTOR = 0.5
"""What is left of a side's standing after a called bluff, for the rest of the game (Schelling 1960)."""
BROKEN_DEADLINE_FACTOR = 0.85


@dataclass(slots=True)
class Deadline:
    """A deadline that a side has named: the last turn it says it will stay for."""

    turn: int


@dataclass(slots=True)
class SideState:
    """What one side has on the table and in hand."""

    points: int = STARTING_POINTS
    standing: float = 1.0
    offer: float | None = None
    bundle: int = 0
    """The terms that go with the offer."""
    conceded: float = 0.0
    open_claim: float | None = None
    claim_turn: int = 0
    claim_limit: float = 0.0
    """The true limit as it was when the claim was made: news that comes later makes nobody a liar."""
    deadline: Deadline | None = None
    played: dict[CardId, int] = field(default_factory=dict)
    holds: int = 0
    sweetened: float = 0.0
    """Net worth in money of the sweeteners this side gave to the other, from the other's view."""
    sweetener_cost: float = 0.0

    @property
    def package(self) -> tuple[float, int] | None:
        """What stands: a price and the number of its terms."""
        return None if self.offer is None else (self.offer, self.bundle)

    @property
    def cap(self) -> int:
        return round(STARTING_POINTS * self.standing)

    @property
    def claim_is_bluff(self) -> bool | None:
        """Whether the open claim is false; ``None`` where there is none."""
        return None if self.open_claim is None else is_bluff(self.open_claim, self.claim_limit)

    def play(self, card: CardId) -> None:
        self.points -= CARDS[card].cost
        self.played[card] = self.played.get(card, 0) + 1

    def recover(self) -> None:
        self.points = min(self.cap, self.points + POINTS_PER_TURN)

    def lose_standing(self, factor: float) -> None:
        self.standing *= factor
        self.points = min(self.points, self.cap)

    def put(self, offer: float, bundle: int, sign: int, worths: Sequence[float]) -> float:
        """Put a package on the table.

        Args:
            worths: what each bundle is worth to this side, in money.

        Returns:
            What this side gave up against its last package, in money; negative when it asked for more.
        """
        conceded = 0.0
        if self.offer is not None:
            conceded = sign * (self.offer - offer) + worths[self.bundle] - worths[bundle]
        self.conceded += conceded
        self.offer, self.bundle = offer, bundle
        return conceded

    def can_play(self, card: CardId, sweeteners_left: int) -> bool:
        if card == GIFT and sweeteners_left <= 0:
            return False
        return self.points >= CARDS[card].cost and self.played.get(card, 0) < CARDS[card].limit


@dataclass(slots=True)
class Adaptation:
    """Whether the player changed course after a drift event: judged by what it does, not by keywords."""

    turn: int
    seen: bool = False


@dataclass(slots=True)
class State:
    """Everything that changes during a game."""

    truths: dict[Seat, SeatTruth]
    initial: dict[Seat, SeatTruth]
    worths: dict[Seat, tuple[float, ...]]
    """What each bundle of terms is worth to each seat, in money beyond the first bundle."""
    scale: float
    """Money that shares are taken of: the original zone, or the nominal one where there was none."""
    tension: Tension
    turn: int = 1
    eroded: float = 0.0
    player: SideState = field(default_factory=SideState)
    opponent: SideState = field(default_factory=SideState)
    transcript: list[Move] = field(default_factory=list)
    headlines: list[Headline] = field(default_factory=list)
    limit_moves: dict[Seat, list[LimitMove]] = field(default_factory=lambda: {"seller": [], "buyer": []})
    """What moved each seat's limit since the turn before."""
    pending_estimate: str | None = None
    pending_effect: float | None = None
    adaptations: list[Adaptation] = field(default_factory=list)
    said: set[str] = field(default_factory=set)
    grades: list[tuple[Term, ...]] = field(default_factory=list)
    total_reward: float = 0.0

    @property
    def joint_worths(self) -> list[float]:
        """What each bundle of terms is worth to both seats together."""
        return [one + other for one, other in zip(self.worths["seller"], self.worths["buyer"], strict=True)]

    @property
    def zone(self) -> float:
        """What there is to share now, in money: the price zone and the best terms. Negative when nothing."""
        return self.truths["buyer"].walk_away - self.truths["seller"].walk_away + max(self.joint_worths)

    def worth(self, side: SideState, seat: Seat) -> float | None:
        """What a side's standing package is worth to ``seat``, as a price on the first terms."""
        return None if side.offer is None else self.price_worth(side.offer, side.bundle, seat)

    def price_worth(self, price: float, bundle: int, seat: Seat) -> float:
        """What a package is worth to ``seat``, as a price on the first terms."""
        return price + SIGN[seat] * self.worths[seat][bundle]
