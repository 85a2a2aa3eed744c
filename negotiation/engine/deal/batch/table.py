"""The state of many games, one row each: what ``state.py`` holds for one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from negotiation.engine.cards import DEADLINE, GIFT
from negotiation.engine.deal.batch.moves import CARD_IDS
from negotiation.engine.deal.cards import CARDS, POINTS_PER_TURN, STARTING_POINTS
from negotiation.engine.deal.chance import Array
from negotiation.engine.deal.hidden import MarketSchedules, SeatTruths
from negotiation.engine.deal.rows import Ints, Mask, Rows
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.tension import Tension
from negotiation.engine.deal.types import SIGN, CardId, Seat

if TYPE_CHECKING:
    from negotiation.engine.deal.batch.talk import Talks

CARD_COSTS = np.array([CARDS[card].cost for card in CARD_IDS])
CARD_LIMITS = np.array([CARDS[card].limit for card in CARD_IDS])


@dataclass(slots=True)
class Sides(Rows):
    """One side of the table in every game. NaN is no offer and no open claim; deadline 0 is none."""

    points: Ints
    standing: Array
    offer: Array
    bundle: Ints
    open_claim: Array
    claim_turn: Ints
    claim_limit: Array
    """The true limits as they were when the claims were made."""
    deadline: Ints
    played: Ints
    """Shape ``(n, cards)``."""
    holds: Ints
    sweetened: Array
    sweetener_cost: Array

    @classmethod
    def at_start(cls, games: int) -> Sides:
        return cls(
            points=np.full(games, STARTING_POINTS),
            standing=np.ones(games),
            offer=np.full(games, np.nan),
            bundle=np.zeros(games, dtype=np.int64),
            open_claim=np.full(games, np.nan),
            claim_turn=np.zeros(games, dtype=np.int64),
            claim_limit=np.zeros(games),
            deadline=np.zeros(games, dtype=np.int64),
            played=np.zeros((games, len(CARD_IDS)), dtype=np.int64),
            holds=np.zeros(games, dtype=np.int64),
            sweetened=np.zeros(games),
            sweetener_cost=np.zeros(games),
        )

    def can_play(self, card: CardId, sweeteners: int | None = None) -> Mask:
        """Where the card can be played; ``sweeteners`` is the stock that the side began with."""
        at = CARD_IDS.index(card)
        can: Mask = (self.points >= CARD_COSTS[at]) & (self.played[:, at] < CARD_LIMITS[at])
        if card == GIFT:
            can &= self.played[:, at] < (sweeteners or 0)
        return can

    def lose_standing(self, factor: float, where: Mask) -> None:
        self.standing = np.where(where, self.standing * factor, self.standing)
        cap = np.rint(STARTING_POINTS * self.standing).astype(np.int64)
        self.points = np.where(where, np.minimum(self.points, cap), self.points)

    def recover(self) -> None:
        cap = np.rint(STARTING_POINTS * self.standing).astype(np.int64)
        self.points = np.minimum(cap, self.points + POINTS_PER_TURN)

    def play(self, cards: Ints, scenario: Scenario, seat: Seat, deadline: Ints) -> None:
        """Pay for the cards and book what they put on the table; ``deadline`` is the turn that one would name."""
        rows = np.flatnonzero(cards >= 0)
        if not len(rows):
            return
        played = cards[rows]
        stock = scenario.sweeteners_of(seat)
        sweet = rows[played == CARD_IDS.index(GIFT)]
        if len(sweet):
            used = self.played[sweet, CARD_IDS.index(GIFT)]
            for name, share in (("sweetened", "worth"), ("sweetener_cost", "cost")):
                given = np.array([getattr(each, share) for each in stock])[used] * scenario.nominal_width
                getattr(self, name)[sweet] += given
        self.points[rows] -= CARD_COSTS[played]
        self.played[rows, played] += 1
        timed = rows[played == CARD_IDS.index(DEADLINE)]
        self.deadline[timed] = deadline[timed]


@dataclass(slots=True)
class Heat(Rows):
    """Tension and who caused it."""

    base: float
    value: Array
    hot_streak: Ints
    by_player: Array
    by_opponent: Array

    @classmethod
    def at_start(cls, aggression: float, games: int) -> Heat:
        start = Tension.at_start(aggression).value
        return cls(
            base=start,
            value=np.full(games, start),
            hot_streak=np.zeros(games, dtype=np.int64),
            by_player=np.zeros(games),
            by_opponent=np.zeros(games),
        )


@dataclass(slots=True)
class Table(Rows):
    """Everything that changes during the games.

    ``game`` is each row's number in the batch, ``line`` the line of chance that its persona draws from.
    """

    game: Ints
    line: Ints
    truths: dict[Seat, SeatTruths]
    initial: dict[Seat, Array]
    """Walk-aways at the start."""
    worths: dict[Seat, Array]
    """Shape ``(n, bundles)``."""
    market: MarketSchedules
    joint_gain: Array
    """The most that terms beside the price add for both together."""
    scale: Array
    zone: Array
    """What there was to share at the start; negative when there was nothing."""
    player: Sides
    opponent: Sides
    heat: Heat
    eroded: Array
    news_shift: Array
    news: Mask
    """Where a headline came with this turn."""
    talks: Talks | None = None
    """The cases behind the deals, where there are any."""
    turn: int = 1

    def zone_now(self) -> Array:
        """What there is to share now, in money."""
        price: Array = self.truths["buyer"].walk_away - self.truths["seller"].walk_away
        return price + self.joint_gain

    def price_worth(self, price: Array, bundle: Ints, seat: Seat) -> Array:
        """What packages are worth to ``seat``, as a price on the first terms."""
        worth: Array = price + SIGN[seat] * self.worths[seat][np.arange(len(price)), bundle]
        return worth

    def worth(self, side: Sides, seat: Seat) -> Array:
        """As :meth:`price_worth`, of a side's standing packages; NaN where there is none."""
        return self.price_worth(side.offer, side.bundle, seat)
