"""How a game for three is counted when it ends: who got what, beside what theory would have given them."""

from __future__ import annotations

from negotiation.engine import game_theory as gt
from negotiation.engine.coalition.scenario import Array
from negotiation.engine.coalition.table import Table
from negotiation.engine.coalition.types import EVERYONE, SEATS, Coalition, Outcome, Seat, in_order
from negotiation.engine.coalition.worth import payoff, worths

_CENT = 0.005


def worth_table(stakes: Array, depot_cost: float) -> dict[Coalition, float]:
    """v(S) of every coalition, in money, to the cent."""
    return {members: round(float(value), 2) for members, value in worths(stakes, depot_cost).items()}


def name_of(members: Coalition) -> str:
    """A coalition as a key in records: ``seller+buyer_a``."""
    return "+".join(in_order(members))


def settle(table: Table) -> Outcome:
    """The outcome of a table that is done."""
    if table.reason is None:
        raise ValueError("the game goes on")
    worth = worth_table(table.stakes, table.scenario.depot_cost)
    value = worth.__getitem__
    payoffs: dict[Seat, float] = dict.fromkeys(SEATS, 0.0)
    if table.agreement is not None:
        payoffs = {seat: round(float(payoff(table.stakes, seat, table.agreement)), 2) for seat in SEATS}
    whole = worth[EVERYONE]
    return Outcome(
        reason=table.reason,
        agreement=table.agreement,
        rounds=min(table.round, table.scenario.horizon),
        payoffs=payoffs,
        worth={name_of(members): value for members, value in worth.items() if len(members) > 1},
        shapley=gt.shapley_values(SEATS, value),
        nucleolus=gt.nucleolus(SEATS, value),
        core=gt.core_bounds(SEATS, value),
        efficiency=sum(payoffs.values()) / whole if whole > 0 else 0.0,
        efficient=sum(payoffs.values()) >= whole - _CENT,
        stable=gt.in_core(SEATS, value, payoffs, tolerance=_CENT),
    )
