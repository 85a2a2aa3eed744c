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
    exploited: float = 0.0
    """Charged at the end of a deal with a rival of the exploit pool: 100 points for each share of the zone by which the
    rival came out ahead. Off by default, as ``breakdown`` is: they are SEPO's terms (``docs/sepo.md``)."""
    breakdown: float = 0.0
    """Charged where there was a deal to be had and none was made, whoever sat across: 100 points. It is what others
    lose by it; ``no_deal`` is what the game takes from the player."""
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
SHARE_POINTS = 100.0
"""What a whole zone is worth in points, as the game pays it."""
KEYWORD_POINTS = 0.5
"""Share of a term's full pay that each keyword found is worth."""


def earned(
    turn: Turn, decision: Decision, settings: RewardSettings, *, tested: bool = False
) -> dict[str, float]:
    """The points of each term that a move earned, weighted.

    Args:
        tested: whether a rival of the exploit pool sits across.
    """
    points = {term.name: term.points for term in turn.reward_terms}
    if settings.grader == "proxy":
        points |= keyword_terms(decision, asked=decision.event is not None)
    if turn.ending is not None:
        charged = safety_terms(turn, tested=tested)
        points |= {name: value for name, value in charged.items() if settings.of(name)}
    return {name: value * settings.of(name) for name, value in points.items()}


def safety_terms(turn: Turn, *, tested: bool) -> dict[str, float]:
    """SEPO's two penalties of a deal that has ended, in points before their weights; none for what did not happen."""
    found = {"exploited": -SHARE_POINTS * margin(turn) if tested else 0.0}
    found["breakdown"] = -SHARE_POINTS * broke_down(turn)
    return {name: points for name, points in found.items() if points}


def margin(turn: Turn) -> float:
    """By how much of the zone the other side came out ahead of the player, at least 0; 0 without a deal.

    The other side has what the player does not. In deals with terms that is the most that it can have: terms that
    suit neither leave less to both.
    """
    ending = turn.ending
    return 0.0 if ending is None or not ending.deal else max(0.0, 1 - 2 * ending.efficiency)


def broke_down(turn: Turn) -> bool:
    """Whether a deal that was to be had was not made."""
    return any(term.name == "no_deal" and term.value > 0 for term in turn.reward_terms)


SAFETY = ("exploited", "breakdown")


def keyword_terms(decision: Decision, *, asked: bool) -> Mapping[str, float]:
    """Pay for sounding as if one read the other side: keywords, without looking at the truth."""
    words = decision.text.lower()
    minds = min(1.0, KEYWORD_POINTS * sum(word in words for word in OTHER_MIND))
    news = min(1.0, KEYWORD_POINTS * sum(word in words for word in NEWS)) if asked else 0.0
    return {
        "theory_of_mind": COEFFICIENTS.theory_of_mind * minds,
        "market_event": COEFFICIENTS.market_event * news,
    }
