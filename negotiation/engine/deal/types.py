"""The vocabulary of a deal: what is hidden, what is done, what is seen, what is earned.

Everything here is plain data. A sign convention runs through the engine: ``SIGN[seat]`` is +1 for the
seller (more money is better) and -1 for the buyer, so ``SIGN[seat] * (price - walk_away)`` is always
that seat's surplus in money.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from negotiation.engine.cards import CardId as CardId
from negotiation.engine.deal.case.acts import Asked, Talk
from negotiation.engine.deal.case.state import FactTruth, ObjectionTruth, Sheet, ToldFact
from negotiation.engine.deal.issues import Package, Terms

Seat = Literal["seller", "buyer"]
Side = Literal["player", "opponent"]
SIGN: dict[Seat, int] = {"seller": 1, "buyer": -1}
OTHER_SEAT: dict[Seat, Seat] = {"seller": "buyer", "buyer": "seller"}

TensionBand = Literal["calm", "warm", "strained", "critical"]
EndReason = Literal[
    "player_accepted",
    "opponent_accepted",
    "player_walked",
    "opponent_walked",
    "zone_collapsed",
    "horizon",
]


@dataclass(frozen=True, slots=True)
class SeatTruth:
    """What one seat knows about itself and nobody is told. Money in whole currency units."""

    walk_away: float
    budget: float
    urgency: float
    has_alternative: bool
    alternative_value: float | None
    values: tuple[tuple[float, ...], ...] = ()
    """For each issue beside the price, what each option is worth beyond the first."""


@dataclass(frozen=True, slots=True)
class Belief:
    """A statement about the other seat's truth; an absent part is simply not stated.

    ``confidence`` in [0, 1] is the speaker's own; ``p_alternative`` is a probability.
    """

    walk_away: float | None = None
    budget: float | None = None
    urgency: float | None = None
    p_alternative: float | None = None
    confidence: float = 0.5


@dataclass(frozen=True, slots=True)
class Action:
    """One move of the player. ``offer`` binds; ``text`` never does by itself.

    ``claim`` is the floor stated with ``batna_reveal`` (read from the text when absent).
    ``terms`` go with the offer: an issue that is not named stays as in the player's last package.
    ``alternatives`` are further packages put beside it; the opponent says which it prefers, and that one stands.
    ``challenge`` calls the opponent's open claim; ``None`` lets the words decide.
    ``event_estimate`` is the relative effect of the latest headline on the opponent's walk-away.
    ``talk`` is what the words do, at a table with a case, and ``asked`` what their questions ask for where a second ear
    heard them; ``None`` lets the words decide.
    """

    text: str = ""
    offer: float | None = None
    card: CardId | None = None
    belief: Belief | None = None
    claim: float | None = None
    challenge: bool | None = None
    event_estimate: float | None = None
    accept: bool = False
    walk_away: bool = False
    terms: Terms | None = None
    alternatives: tuple[Package, ...] = ()
    talk: tuple[Talk, ...] = field(default=(), metadata={"left_out_when_empty": True})
    asked: Asked | None = field(default=None, metadata={"left_out_when_empty": True})


@dataclass(frozen=True, slots=True)
class Reply:
    """One move of the opponent. ``text`` is what it says; ``offer`` is its standing offer after it.

    ``terms`` go with the offer. ``preferred`` says which of several packages it would rather have: 0 for the
    offer itself, 1 for the first alternative; ``None`` when there was nothing to choose. ``deadline_turns`` is how many
    turns a deadline gives that it names.
    """

    text: str = ""
    offer: float | None = None
    card: CardId | None = None
    claim: float | None = None
    challenge: bool = False
    accept: bool = False
    walk_away: bool = False
    terms: Terms | None = None
    preferred: int | None = None
    deadline_turns: int | None = None


@dataclass(frozen=True, slots=True)
class Headline:
    """News at the table. Public words only; its effects are hidden truth."""

    id: str
    kind: Literal["market", "drift"]
    turn: int
    text: str


@dataclass(frozen=True, slots=True)
class LimitMove:
    """Why a seat's own price limit is not where it was: known to that seat alone."""

    cause: Literal["news", "conflict"]
    headline: str | None
    """The id of the news."""
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Move:
    """One line of the transcript, of either side."""

    turn: int
    side: Side
    text: str
    offer: float | None
    card: CardId | None
    claim: float | None
    accept: bool
    walk_away: bool
    terms: Terms | None = None


@dataclass(frozen=True, slots=True)
class Observation:
    """All that the player may see. Holds nothing of the opponent's truth, nor anything derived from it.

    ``zopa_width_pct_remaining`` is what conflict has left of the scenario's usual width, which is public;
    ``limit_moves`` says what moved the player's own limit when the last turn closed.

    ``own_worth`` and ``standing_worth`` say what a package is worth to the player as a price on the first terms
    of every issue; where only the price is open they are the price.
    """

    scenario: str
    persona: str
    seat: Seat
    turn: int
    horizon: int
    own: SeatTruth
    transcript: tuple[Move, ...]
    own_offer: float | None
    standing_offer: float | None
    open_claim: float | None
    tension: float
    tension_band: TensionBand
    zopa_width_pct_remaining: float
    credibility_points: int
    credibility_cap: int
    cards: tuple[CardId, ...]
    sweeteners_left: int
    headlines: tuple[Headline, ...]
    pending_estimate: str | None
    last_belief: Belief | None
    done: bool
    own_terms: Terms
    standing_terms: Terms
    own_worth: float | None
    standing_worth: float | None
    limit_moves: tuple[LimitMove, ...] = ()
    told: tuple[ToldFact, ...] = ()
    """What the other side has told, at a table with a case; a lie looks like anything else."""
    sheet: Sheet | None = None
    """What the player knows of its own side of the case."""


@dataclass(frozen=True, slots=True)
class Term:
    """One line of the reward: what was measured, its weight, what it earned, and why in words."""

    name: str
    value: float
    weight: float
    points: float
    why: str


@dataclass(frozen=True, slots=True)
class Step:
    """What ``Negotiation.step`` returns: the new view, the points earned, each term of them."""

    observation: Observation
    reply: Reply
    reward: float
    terms: tuple[Term, ...]
    done: bool


@dataclass(frozen=True, slots=True)
class Truth:
    """Both seats' hidden truth now, and the zone they started with. For spectators, graders, tests."""

    seat: Seat
    seller: SeatTruth
    buyer: SeatTruth
    original_low: float
    original_high: float
    original_zone: float
    """What there was to share, in money: the price zone and the best terms. Negative when there was nothing."""
    open_claim_is_bluff: bool | None
    facts: tuple[FactTruth, ...] = ()
    """All facts of both sides, at a table with a case."""
    objections: tuple[ObjectionTruth, ...] = ()
    """What holds the opponent back, at a table with a case."""
    exposed: tuple[str, ...] = ()
    """Claims of the player's that may not be made and were found out, by id."""

    @property
    def player(self) -> SeatTruth:
        return self.seller if self.seat == "seller" else self.buyer

    @property
    def opponent(self) -> SeatTruth:
        return self.buyer if self.seat == "seller" else self.seller

    @property
    def zopa_low(self) -> float:
        return self.seller.walk_away

    @property
    def zopa_high(self) -> float:
        return self.buyer.walk_away


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a finished game ended, in money and in share. Known to graders at once, to players at the end."""

    reason: EndReason
    deal: bool
    price: float | None
    turns: int
    efficiency: float
    efficiency_current_width: float
    nash_price: float | None
    left_on_the_table: float | None
    erosion_cost: float
    floor_breached: bool
    total_reward: float
    terms: tuple[Term, ...]
    agreed: Terms
    """The terms agreed on beside the price; empty without a deal and where only the price is open."""
    nash_terms: Terms
    joint_surplus: float | None
    """What the deal was worth to both together, of ``best_joint_surplus``; the difference is money nobody got."""
    best_joint_surplus: float
