"""The stage game of the auction, solved by enumeration: nine ways to bid, exact fractions.

Rounds are independent and values are drawn afresh, so equilibrium play of the stage is equilibrium play of the
match. Three symmetric equilibria in pure bids exist; only (1 on 2, 2 on 4) is strict.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from negotiation.engine.drills.auction import BIDS, HIGH_VALUE, LOW_VALUE

VALUES = (LOW_VALUE, HIGH_VALUE)

Plan = tuple[int, int]
"""The bid on the low value, and on the high one."""
PLANS: tuple[Plan, ...] = tuple(product(BIDS, BIDS))


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """A pair of plans that are best responses to each other."""

    plans: tuple[Plan, Plan]
    payoffs: tuple[Fraction, Fraction]
    """A round, before values are known."""
    strict: bool
    """Whether every deviation loses."""


def stage_payoff(mine: Plan, theirs: Plan) -> Fraction:
    """What a plan earns a round against another, over both values of both bidders."""
    total = Fraction(0)
    for (value, bid), other in product(zip(VALUES, mine, strict=True), theirs):
        if bid > other:
            total += value - bid
        elif bid == other:
            total += Fraction(value - bid, 2)
    return total / len(VALUES) ** 2


def best_plans(theirs: Plan) -> tuple[Fraction, tuple[Plan, ...]]:
    """The most that can be earned a round against a plan, and every plan that earns it."""
    payoffs = {plan: stage_payoff(plan, theirs) for plan in PLANS}
    best = max(payoffs.values())
    return best, tuple(plan for plan, payoff in payoffs.items() if payoff == best)


def regret(mine: Plan, theirs: Plan) -> Fraction:
    """What a plan forgoes a round against another."""
    return best_plans(theirs)[0] - stage_payoff(mine, theirs)


def equilibria() -> tuple[Equilibrium, ...]:
    """Every Bayes-Nash equilibrium in pure plans."""
    found = []
    for first, second in product(PLANS, PLANS):
        if regret(first, second) or regret(second, first):
            continue
        strict = all(len(best_plans(plan)[1]) == 1 for plan in (first, second))
        payoffs = (stage_payoff(first, second), stage_payoff(second, first))
        found.append(Equilibrium((first, second), payoffs, strict))
    return tuple(found)


def cartel_payoff() -> Fraction:
    """What both earn a round by always bidding LOW: the seller's loss is their gain."""
    low: Plan = (BIDS[0], BIDS[0])
    return stage_payoff(low, low)
