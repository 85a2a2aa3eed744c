"""The whole state of a game in play, both sides of the table. Mutable; owned by ``Negotiation`` alone."""

from __future__ import annotations

from dataclasses import dataclass, field

from negotiation.engine.deal.cards import CARDS, POINTS_PER_TURN, STARTING_POINTS
from negotiation.engine.deal.tension import Tension
from negotiation.engine.deal.types import CardId, Headline, Move, Seat, SeatTruth, Term

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
    conceded: float = 0.0
    open_claim: float | None = None
    claim_turn: int = 0
    deadline: Deadline | None = None
    played: dict[CardId, int] = field(default_factory=dict)
    holds: int = 0
    sweetened: float = 0.0
    """Net worth in money of the sweeteners this side gave to the other, from the other's view."""
    sweetener_cost: float = 0.0

    @property
    def cap(self) -> int:
        return round(STARTING_POINTS * self.standing)

    def play(self, card: CardId) -> None:
        self.points -= CARDS[card].cost
        self.played[card] = self.played.get(card, 0) + 1

    def recover(self) -> None:
        self.points = min(self.cap, self.points + POINTS_PER_TURN)

    def lose_standing(self, factor: float) -> None:
        self.standing *= factor
        self.points = min(self.points, self.cap)

    def put(self, offer: float, sign: int) -> float:
        """Put an offer on the table; returns the concession in money (negative when it went back)."""
        conceded = 0.0 if self.offer is None else sign * (self.offer - offer)
        self.conceded += conceded
        self.offer = offer
        return conceded

    def can_play(self, card: CardId, sweeteners_left: int) -> bool:
        if card == "sweetener" and sweeteners_left <= 0:
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
    scale: float
    """Money that shares are taken of: the original width, or the nominal one where there was no zone."""
    tension: Tension
    turn: int = 1
    eroded: float = 0.0
    player: SideState = field(default_factory=SideState)
    opponent: SideState = field(default_factory=SideState)
    transcript: list[Move] = field(default_factory=list)
    headlines: list[Headline] = field(default_factory=list)
    pending_estimate: str | None = None
    pending_effect: float | None = None
    adaptations: list[Adaptation] = field(default_factory=list)
    said: set[str] = field(default_factory=set)
    grades: list[tuple[Term, ...]] = field(default_factory=list)
    total_reward: float = 0.0
