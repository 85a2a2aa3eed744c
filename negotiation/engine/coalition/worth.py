"""What coalitions can earn and what a proposal is worth to each seat; scalar truth and beliefs alike.

``stakes`` is an array whose last two axes are (seat, arrangement); axes before them are draws.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from negotiation.engine.coalition.scenario import Array
from negotiation.engine.coalition.types import (
    ARRANGEMENTS,
    COALITIONS,
    EVERYONE,
    SEAT_INDEX,
    SEATS,
    Coalition,
    Proposal,
    Seat,
    Stake,
    arrangement_of,
)

_COLUMN = {arrangement: index for index, arrangement in enumerate(ARRANGEMENTS)}


def stake_of(stakes: Array, seat: Seat) -> Stake:
    """One seat's row of a single draw, rounded to cents."""
    row = [round(float(value), 2) for value in stakes[SEAT_INDEX[seat]]]
    return Stake(*row)


def gross(stakes: Array, seat: Seat, members: Coalition) -> Array:
    """What the arrangement of ``members`` is worth to ``seat`` before money moves."""
    return np.asarray(stakes[..., SEAT_INDEX[seat], _COLUMN[arrangement_of(members)]])


def payoff(stakes: Array, seat: Seat, proposal: Proposal) -> Array:
    """What the proposal leaves ``seat``; 0, its outside option, where it has no part in it."""
    if seat not in proposal.members:
        return np.zeros(stakes.shape[:-2])
    money = proposal.money if seat == "seller" else -proposal.pay_of(seat)
    return gross(stakes, seat, proposal.members) + money


def own_payoff(own: Stake, seat: Seat, proposal: Proposal) -> float:
    """The same from the seat's own knowledge alone."""
    if seat not in proposal.members:
        return 0.0
    value: float = getattr(own, arrangement_of(proposal.members))
    return value + (proposal.money if seat == "seller" else -proposal.pay_of(seat))


def surplus(stakes: Array, members: Coalition, depot_cost: float) -> Array:
    """What the members earn together by their arrangement, before anybody thinks better of it."""
    total = np.sum([gross(stakes, seat, members) for seat in members], axis=0)
    return np.asarray(total - (depot_cost if arrangement_of(members) == "depot" else 0.0))


def worths(stakes: Array, depot_cost: float) -> dict[Coalition, Array]:
    """v(S) of every coalition. Nobody has to act together, so none is worth less than its parts."""
    pairs = {
        members: np.maximum(surplus(stakes, members, depot_cost), 0.0)
        for members in COALITIONS
        if members != EVERYONE
    }
    best_pair = np.max(list(pairs.values()), axis=0)
    nothing = np.zeros(stakes.shape[:-2])
    singles = {frozenset({seat}): nothing for seat in SEATS}
    whole = np.maximum(surplus(stakes, EVERYONE, depot_cost), best_pair)
    return {frozenset(): nothing, **singles, **pairs, EVERYONE: whole}


def shapley_of(worth: Mapping[Coalition, Array], seat: Seat) -> Array:
    """The Shapley value of one of three seats that earn nothing alone, for many draws at once."""
    one, two = (other for other in SEATS if other != seat)
    alone = worth[frozenset({seat, one})] + worth[frozenset({seat, two})]
    return np.asarray(alone / 6 + (worth[EVERYONE] - worth[frozenset({one, two})]) / 3)
