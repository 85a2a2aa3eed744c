"""What a persona is told each turn, and what it decides. No truth of the player's passes through here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from negotiation.engine.deal.case.state import Talked
from negotiation.engine.deal.state import SideState
from negotiation.engine.deal.types import CardId, SeatTruth

DecisionAct = Literal[
    "open",
    "counter",
    "hold",
    "final_offer",
    "accept",
    "walk_away",
    "answer_absurd",
    "answer_claim_challenge_bluff",
    "answer_claim_challenge_true",
    "challenge_claim",
    "taken",
    "left",
]


@dataclass(frozen=True, slots=True)
class Situation:
    """The table as the persona sees it after the player's move. Money as spoken, not in value space.

    ``concession`` is what the player's move gave *to the persona*, in money.
    ``claim_called`` is how a challenge of the persona's own claim came out: "bluff", "true" or ``None``.
    ``news`` says whether a headline came with this turn.
    ``news_shift`` is the relative change of the *player's* walk-away that the persona expects of the news.
    """

    turn: int
    own: SeatTruth
    hand: SideState
    sweeteners_left: int
    offer: float | None
    bundle: int
    fresh_offer: bool
    concession: float
    sweetened: float
    acts: frozenset[str]
    card: CardId | None
    claim: float | None
    claim_called: Literal["bluff", "true"] | None
    news: bool
    absurd: bool
    player_standing: float
    tension: float
    news_shift: float
    talked: Talked | None = None
    """What the player's words did, at a table with a case."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What the persona does. ``offer`` and ``bundle`` are its standing package after the move.

    ``claim_reason`` says why ``claim`` is another limit than the one that it stated before.
    """

    act: DecisionAct
    offer: float | None = None
    bundle: int = 0
    card: CardId | None = None
    claim: float | None = None
    claim_reason: Literal["news", "called"] | None = None
    challenge: bool = False
    deadline_turns: int | None = None
    accept: bool = False
    walk_away: bool = False
