"""What may come of a position: it is played on by bots, many times, under luck that can be shared between questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from negotiation.engine.diplomacy.bots.base import Bot
from negotiation.engine.diplomacy.chance import Chance
from negotiation.engine.diplomacy.geography import POWERS
from negotiation.engine.diplomacy.orders import Order
from negotiation.engine.diplomacy.phases import advance
from negotiation.engine.diplomacy.press.ledger import Ledger
from negotiation.engine.diplomacy.state import OVER, State


class Course(NamedTuple):
    """One way that things went."""

    years: tuple[tuple[int, ...], ...]
    """By year played to its winter, by power: centres owned. A game that ended early keeps its last counts."""
    ending: State


def course(
    state: State,
    bots: Sequence[Bot],
    chance: Chance,
    *,
    years: int,
    given: Mapping[int, Sequence[Order]] | None = None,
    ledger: Ledger | None = None,
) -> Course:
    """Play on until ``years`` winters have passed, or somebody has won.

    Args:
        state: where from.
        bots: by power.
        chance: the luck; the same luck for two questions makes their difference what was asked.
        years: how many.
        given: by power, orders of the first phase that are not the bot's to choose.
        ledger: what was promised before; nothing is said on the way.
    """
    ledger, given, counts = ledger or Ledger(), given or {}, []
    end, first = state.year + years, True
    while state.season != OVER and state.year < end:
        orders = [
            given[power]
            if first and power in given
            else bots[power].orders(state, power, chance.draws(state, power), ledger)
            for power in range(len(POWERS))
        ]
        first, year = False, state.year
        ledger = ledger.judged(state, orders)
        state = advance(state, orders).state
        if state.year > year or state.season == OVER:
            counts.append(tuple(state.centre_counts()))
    while len(counts) < years:
        counts.append(tuple(state.centre_counts()))
    return Course(tuple(counts), state)


def fan(
    state: State,
    bots: Sequence[Bot],
    *,
    seed: int,
    rollouts: int,
    years: int,
    given: Mapping[int, Sequence[Order]] | None = None,
    ledger: Ledger | None = None,
) -> Iterator[Course]:
    """That many courses, number k always under the luck of ``Chance(seed, k)``."""
    for number in range(rollouts):
        yield course(state, bots, Chance(seed, number), years=years, given=given, ledger=ledger)
