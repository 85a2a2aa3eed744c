"""What a deal came to in money, as lines that a reader can add up; the yardstick is the room at the start."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from negotiation.engine.cards import GIFT
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.types import OTHER_SEAT, SIGN, Seat

Moves = Mapping[int, Mapping[str, Any]]


def sweeteners(player: Moves, opponent: Moves, scenario: Scenario, seat: Seat) -> tuple[float, float]:
    """What the sweeteners that were played were worth on balance, to the player and to the other side."""
    other: Seat = OTHER_SEAT[seat]
    given = scenario.sweeteners_of(seat)[: _played(player)]
    received = scenario.sweeteners_of(other)[: _played(opponent)]
    own = sum(each.worth for each in received) - sum(each.cost for each in given)
    theirs = sum(each.worth for each in given) - sum(each.cost for each in received)
    return own * scenario.nominal_width, theirs * scenario.nominal_width


def _played(moves: Moves) -> int:
    return sum(move["card"] == GIFT for move in moves.values())


def sums(
    *, price: float, worth: float, limit: float, room: float, share: float, sweetened: float, seat: Seat
) -> dict[str, float]:
    """The lines of a closed deal: price, terms and sweeteners, then the player's part and the rest of the room.

    ``beyond`` is what the sum has that no share counts: more than all the room, or, below zero, a loss.

    Args:
        worth: the whole package as a price on the first terms.
        limit: the player's own, at the start.
        room: what there was to share at the start; above zero.
        share: the player's part of it, in [0, 1].
    """
    sign = SIGN[seat]
    by_price, by_terms = sign * (price - limit), sign * (worth - price)
    yours = share * room
    return {
        "price": by_price,
        "terms": by_terms,
        "sweeteners": sweetened,
        "beyond": by_price + by_terms + sweetened - yours,
        "yours": yours,
        "left": room - yours,
        "room": room,
    }
