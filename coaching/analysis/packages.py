"""What a deal over packages came to: who got what, what nobody got, and all that could have been agreed on.

Surplus is money beyond a seat's limit, both limits as they stood at the start. A point is (yours, theirs).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from negotiation.engine import game_theory as gt
from negotiation.engine.deal.issues import bundle_of, bundle_worths, bundles, labels
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.types import OTHER_SEAT, SIGN, Seat, Side

Point = tuple[float, float]
Offered = tuple[int, Side, float, Mapping[str, str]]
"""Turn, who, price, terms."""

MOST_OUTCOMES = 1800
"""Of all prices on the grid and all terms; beyond that the prices are thinned."""
MOST_POINTS = 500
"""Outcomes that are drawn."""
BEYOND = 0.12
"""How far past both limits outcomes are listed, as a share of the zone."""


@dataclass(frozen=True)
class PackageValues:
    """Both seats' limits at the start and what each bundle of terms is worth to them."""

    scenario: Scenario
    seat: Seat
    limits: Mapping[Seat, float]
    worths: Mapping[Seat, Sequence[float]]

    @classmethod
    def of(cls, scenario: Scenario, seat: Seat, truth: Mapping[str, Any]) -> PackageValues:
        """From a graded turn's truth; logs from before there were terms hold no values."""
        sides: dict[Seat, Mapping[str, Any]] = {seat: truth["player"], OTHER_SEAT[seat]: truth["opponent"]}
        return cls(
            scenario,
            seat,
            {each: float(side["walk_away"]) for each, side in sides.items()},
            {
                each: bundle_worths(scenario.issues, side.get("values") or ()).tolist()
                for each, side in sides.items()
            },
        )

    @property
    def joint(self) -> list[float]:
        """What each bundle adds for both together."""
        return [one + two for one, two in zip(self.worths["seller"], self.worths["buyer"], strict=True)]

    @property
    def zone(self) -> float:
        """What there was to share, with the terms that are best for both."""
        return self.limits["buyer"] - self.limits["seller"] + max(self.joint)

    def worth(self, price: float, terms: Mapping[str, str]) -> float:
        """What a package is worth to the player, as a price on the first terms."""
        return price + SIGN[self.seat] * self.worths[self.seat][bundle_of(self.scenario.issues, terms)]

    def point(self, price: float, bundle: int) -> Point:
        """The surplus of both at a package."""
        one, other = (
            SIGN[each] * (price - self.limits[each]) + self.worths[each][bundle]
            for each in (self.seat, OTHER_SEAT[self.seat])
        )
        return one, other

    def limit_of_theirs(self) -> float:
        """As far as the player could have gone, as a worth to the player: the limit and all there was to share."""
        return self.limits[self.seat] + SIGN[self.seat] * self.zone


def packages(
    ledger: PackageValues, outcome: Mapping[str, Any], offered: Sequence[Offered]
) -> dict[str, Any] | None:
    """The part of a debrief that is about packages; None where only the price was open."""
    issues = ledger.scenario.issues
    if not issues:
        return None
    joint = ledger.joint
    best = joint.index(max(joint))
    agreed = bundle_of(issues, outcome["agreed"]) if outcome["deal"] else None
    return {
        "best_joint": max(0.0, ledger.zone),
        "joint": None if agreed is None else ledger.zone - max(joint) + joint[agreed],
        "nobody_got": None if agreed is None else joint[best] - joint[agreed],
        "best_terms": list(labels(issues, best)),
        "agreed_terms": None if agreed is None else list(labels(issues, agreed)),
        "trades": [] if agreed is None else _trades(ledger, agreed, best),
        "agreed": None if agreed is None else ledger.point(outcome["price"], agreed),
        "offered": [_named(ledger, *each) for each in offered],
        **_frontier(ledger),
    }


def _trades(ledger: PackageValues, agreed: int, best: int) -> list[dict[str, Any]]:
    """Each change of terms that would have made more for both, and what it is worth to either."""
    issues = ledger.scenario.issues
    now, then = bundles(issues)[agreed], bundles(issues)[best]
    trades = []
    for place, issue in enumerate(issues):
        if now[place] == then[place]:
            continue
        changed = list(now)
        changed[place] = then[place]
        bundle = bundles(issues).index(tuple(changed))
        own, theirs = (
            ledger.worths[each][bundle] - ledger.worths[each][agreed]
            for each in (ledger.seat, OTHER_SEAT[ledger.seat])
        )
        trades.append(
            {
                "issue": issue.title,
                "instead_of": issue.options[now[place]].label,
                "option": issue.options[then[place]].label,
                "own": own,
                "theirs": theirs,
                "own_words": _signed(own, ledger.scenario.currency),
                "their_words": _signed(theirs, ledger.scenario.currency),
            }
        )
    return trades


def _signed(value: float, currency: str) -> str:
    """+$17,000, as people write what something adds or takes."""
    return f"{'−' if value < 0 else '+'}{currency}{abs(value):,.0f}"


def _named(
    ledger: PackageValues, turn: int, side: Side, price: float, terms: Mapping[str, str]
) -> dict[str, Any]:
    bundle = bundle_of(ledger.scenario.issues, terms)
    own, theirs = ledger.point(price, bundle)
    named = list(labels(ledger.scenario.issues, bundle))
    return {"turn": turn, "by": side, "price": price, "terms": named, "own": own, "theirs": theirs}


def _outcomes(ledger: PackageValues) -> list[tuple[float, int]]:
    """Prices on the grid with all terms, where neither seat is far beyond its limit."""
    zone, step = ledger.zone, ledger.scenario.step
    width = max(zone, ledger.scenario.nominal_width) * (1 + 2 * BEYOND)
    count = len(ledger.joint)
    every = max(1, int(np.ceil(width / step / max(12, MOST_OUTCOMES // count)))) * step
    found = []
    for bundle in range(count):
        low = ledger.limits["seller"] - ledger.worths["seller"][bundle]
        high = ledger.limits["buyer"] + ledger.worths["buyer"][bundle]
        air = BEYOND * abs(zone)
        first, last = np.ceil((min(low, high) - air) / every), np.floor((max(low, high) + air) / every)
        found += [(float(n * every), bundle) for n in np.arange(first, last + 1)]
    return found


def _frontier(ledger: PackageValues) -> dict[str, Any]:
    """All outcomes, the undominated ones in order, and the solutions of Nash and of Kalai and Smorodinsky."""
    listed = _outcomes(ledger)
    points = [ledger.point(*each) for each in listed]
    drawn = points[:: max(1, len(points) // MOST_POINTS)]
    if not any(min(point) >= 0 for point in points):
        return {"outcomes": drawn, "frontier": [], "nash": None, "kalai": None}

    def solution(index: int) -> dict[str, Any]:
        price, bundle = listed[index]
        named = list(labels(ledger.scenario.issues, bundle))
        return {"price": price, "terms": named, "own": points[index][0], "theirs": points[index][1]}

    return {
        "outcomes": drawn,
        "frontier": sorted(points[index] for index in gt.pareto_frontier(points)),
        "nash": solution(gt.nash_solution(points)),
        "kalai": solution(gt.kalai_smorodinsky(points)),
    }
