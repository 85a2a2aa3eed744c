"""Talks that people had elsewhere, move by move: what both importers of transcripts have in common.

A transcript tells the words and the offers, and at best the limits. What it does not tell stands as it usually is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

from negotiation.engine.deal import SIGN, Move, Negotiation, Observation, Scenario, Seat, SeatTruth
from negotiation.engine.deal.types import Side
from negotiation.engine.personas import USUAL
from negotiation.opponents.protocol import PERSON

CURRENCIES = "$€£"


def money(raw: str) -> float | None:
    """A sum as people write it, such as ``$148,000``, ``148k`` or ``148 000``; ``None`` where it is none."""
    cleaned = raw.replace(",", "").replace(" ", "").strip(CURRENCIES).lower()
    times = 1000 if cleaned.endswith("k") else 1
    try:
        value = float(cleaned.removesuffix("k")) * times
    except ValueError:
        return None
    return value if math.isfinite(value) else None


@dataclass(frozen=True, slots=True, eq=False)
class _Key:
    """A scenario by which object it is: one file's conversations all begin at the same table."""

    scenario: Scenario

    def __hash__(self) -> int:
        return id(self.scenario)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other.scenario is self.scenario


@lru_cache(maxsize=32)
def _fresh(key: _Key, seat: Seat) -> Observation:
    return Negotiation(key.scenario, USUAL, seat, 0, speak=False).observe()


def empty_table(scenario: Scenario, seat: Seat, limit: float | None) -> Observation:
    """The table before the first word, with a person across and nothing known but the own limit, if even that.

    The urgency is in the middle of its range, the hard limit as far behind the walk-away as on average; there is no
    alternative, and there are no cards.
    """
    spec = scenario.seats[seat]
    fresh = _fresh(_Key(scenario), seat)
    known = fresh.own.walk_away if limit is None else limit
    own = SeatTruth(
        walk_away=known,
        budget=scenario.round(known * (1 - SIGN[seat] * sum(spec.budget_gap) / 2)),
        urgency=sum(spec.urgency) / 2,
        has_alternative=False,
        alternative_value=None,
    )
    return replace(
        fresh,
        persona=PERSON,
        own=own,
        transcript=(),
        own_offer=None,
        standing_offer=None,
        own_worth=None,
        standing_worth=None,
        open_claim=None,
        headlines=(),
        pending_estimate=None,
        cards=(),
    )


def after(
    seen: Observation,
    side: Side,
    text: str,
    offer: float | None,
    *,
    accept: bool = False,
    walk_away: bool = False,
) -> Observation:
    """The table once one side has moved; the turn stays, since it takes two moves."""
    move = Move(seen.turn, side, text, offer, None, None, accept, walk_away, None)
    seen = replace(seen, transcript=(*seen.transcript, move))
    if offer is None:
        return seen
    if side == "player":
        return replace(seen, own_offer=offer, own_worth=offer)
    return replace(seen, standing_offer=offer, standing_worth=offer)
