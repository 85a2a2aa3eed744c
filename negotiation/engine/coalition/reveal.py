"""A game for three with all cards open, for somebody who watches: true gains, every proposal, what each coalition makes."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from negotiation.engine import game_theory as gt
from negotiation.engine.coalition.game import CoalitionGame
from negotiation.engine.coalition.outcome import worth_table
from negotiation.engine.coalition.types import COALITIONS, SEATS, Proposal, in_order
from negotiation.engine.coalition.wire import standing_to_json
from negotiation.engine.coalition.worth import payoff


def reveal(game: CoalitionGame) -> dict[str, Any]:
    """The table as it stands; money a year, JSON values only.

    Returns:
        ``standing`` and ``chart`` with true gains by seat, private ones included; ``stakes`` by seat and arrangement,
        costs negative; ``worth`` of every coalition; ``core``, its corners as gains by seat;
        ``shapley`` and ``nucleolus`` by seat.
    """
    table = game.table
    worth = worth_table(table.stakes, game.scenario.depot_cost)
    standing = sorted(table.standing.values(), key=lambda offer: offer.number)
    return {
        "standing": [
            {**standing_to_json(offer), "gains": _gains(game, offer.proposal)} for offer in standing
        ],
        "chart": [
            {
                "number": entry.number,
                "round": entry.round,
                "by": entry.seat,
                "members": list(in_order(entry.proposal.members)),
                "gains": _gains(game, entry.proposal),
                "standing": entry.number in table.standing,
            }
            for entry in table.entries
            if entry.proposal is not None
        ],
        "stakes": {seat: asdict(table.own[seat]) for seat in SEATS},
        "worth": [{"members": list(in_order(members)), "value": worth[members]} for members in COALITIONS],
        "core": [list(corner) for corner in gt.core_polygon(SEATS, worth.__getitem__)],
        "shapley": gt.shapley_values(SEATS, worth.__getitem__),
        "nucleolus": gt.nucleolus(SEATS, worth.__getitem__),
    }


def _gains(game: CoalitionGame, proposal: Proposal) -> dict[str, float]:
    return {seat: round(float(payoff(game.table.stakes, seat, proposal)), 2) for seat in SEATS}
