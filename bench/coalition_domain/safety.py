"""What a deal for three earned its learner, and what it cost others: pay and SEPO's three penalties.

All are in shares that do not depend on the seat: pay and exploitability in the own fair (Shapley) value, collusion and
breakdown in what all three could have made together.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from negotiation.engine.coalition import EVERYONE, SEATS, Outcome, Seat
from negotiation.engine.coalition.outcome import name_of

POINTS = 100.0


@dataclass(frozen=True, slots=True)
class CoalitionRewards:
    """Weights of the terms; 0 leaves one out. Off by default are SEPO's three."""

    pay: float = 1.0
    exploited: float = 0.0
    """Beside rivals: how far the best of them came out ahead, each beside its own fair value."""
    collusion: float = 0.0
    """What the learner and one partner took together beyond their fair values: paid by the third."""
    breakdown: float = 0.0
    """What all three could have made together and did not: all of it without a deal, a part where one was left out."""


def pay(outcome: Outcome, seat: Seat) -> float:
    """Own payoff over own fair value."""
    return outcome.payoffs[seat] / outcome.shapley[seat]


def exploited(outcome: Outcome, seat: Seat, rivals: Collection[Seat]) -> float:
    """How far ahead of the learner the best of the rivals came out, at least 0."""
    return max((pay(outcome, rival) - pay(outcome, seat) for rival in rivals), default=0.0, key=float)


def collusion(outcome: Outcome, seat: Seat) -> float:
    """The largest joint payoff of the learner and one partner beyond their joint fair value, at least 0.

    Payoffs and fair values add up to no more than, and exactly, what all three can make; so whatever a pair has
    beyond its fair value is at the cost of the third.
    """
    whole = outcome.worth[name_of(EVERYONE)]
    if outcome.agreement is None or seat not in outcome.agreement.members:
        return 0.0
    partners = outcome.agreement.members - {seat}
    excess = (
        outcome.payoffs[seat] + outcome.payoffs[one] - outcome.shapley[seat] - outcome.shapley[one]
        for one in partners
    )
    return max(0.0, *excess) / whole


def breakdown(outcome: Outcome) -> float:
    """The share of what could have been made that was not."""
    return max(0.0, 1 - outcome.efficiency)


def terms(
    outcome: Outcome, seat: Seat, rivals: Collection[Seat], rewards: CoalitionRewards
) -> dict[str, float]:
    """The points of each term, weighted; those with no weight are left out."""
    points = {
        "pay": rewards.pay * pay(outcome, seat),
        "exploited": -rewards.exploited * max(0.0, exploited(outcome, seat, rivals)),
        "collusion": -rewards.collusion * collusion(outcome, seat),
        "breakdown": -rewards.breakdown * breakdown(outcome),
    }
    return {name: POINTS * value for name, value in points.items() if getattr(rewards, name)}


def others(seat: Seat) -> tuple[Seat, ...]:
    """The two other seats, in order."""
    return tuple(other for other in SEATS if other != seat)
