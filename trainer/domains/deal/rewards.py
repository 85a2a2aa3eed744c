"""What a move earns in training: the game's own terms, weighted; or, faster and coarser, keywords for two of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Literal

from negotiation.engine.deal.reward import COEFFICIENTS
from negotiation.openenv.tables import Turn
from negotiation.opponents.protocol import Decision

Grader = Literal["full", "proxy"]


@dataclass(frozen=True, slots=True)
class RewardSettings:
    """Weights of the terms of ``engine/deal/reward.py``, whose own coefficients stay as they are; 0 leaves one out.

    ``efficiency`` is the share of the zone, ``theory_of_mind`` the stated belief, ``market_event`` the estimate of
    a headline, ``capitulation`` what was given away unmatched; the format is taught by rows of its own.
    """

    value: float = 1.0
    theory_of_mind: float = 1.0
    capitulation: float = 1.0
    incoherence: float = 1.0
    bluff: float = 1.0
    market_event: float = 1.0
    efficiency: float = 1.0
    speed: float = 1.0
    adaptation: float = 1.0
    floor_breach: float = 1.0
    no_deal: float = 1.0
    grader: Grader = "full"
    """``proxy`` pays beliefs and estimates by keywords in what was said, as the founding paper's training did: it
    needs no grading against the truth, and teaches the words rather than the thing. The full grader costs less than
    a millisecond here, so it is the default."""
    omega_warm_up: bool = True
    """Whether crossing one's limit costs 50 for the first 30 steps instead of 200."""

    def of(self, name: str) -> float:
        """The weight of a term."""
        return float(getattr(self, name, 1.0))


TERMS = tuple(field.name for field in fields(RewardSettings) if field.type == "float")

OTHER_MIND = (
    "you need",
    "your side",
    "matters to you",
    "your team",
    "understand",
    "where you sit",
    "your limit",
)
NEWS = ("news", "market", "rates", "announce", "headline", "quarter", "since the")
KEYWORD_POINTS = 0.5
"""Share of a term's full pay that each keyword found is worth."""


def earned(turn: Turn, decision: Decision, settings: RewardSettings) -> dict[str, float]:
    """The points of each term that a move earned, weighted."""
    points = {term.name: term.points for term in turn.reward_terms}
    if settings.grader == "proxy":
        points |= keyword_terms(decision, asked=decision.event is not None)
    return {name: value * settings.of(name) for name, value in points.items()}


def keyword_terms(decision: Decision, *, asked: bool) -> Mapping[str, float]:
    """Pay for sounding as if one read the other side: keywords, without looking at the truth."""
    words = decision.text.lower()
    minds = min(1.0, KEYWORD_POINTS * sum(word in words for word in OTHER_MIND))
    news = min(1.0, KEYWORD_POINTS * sum(word in words for word in NEWS)) if asked else 0.0
    return {
        "theory_of_mind": COEFFICIENTS.theory_of_mind * minds,
        "market_event": COEFFICIENTS.market_event * news,
    }
