"""The pool by which checkpoints are chosen: partners, adversaries and temptations that stand in no pool of the game.

A checkpoint chosen by its figures against the shift pool and then reported against it would be reported against what
chose it. Here choice and report have nothing in common: not a name, not a way to play (``check_apart``).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from negotiation.engine.drills import (
    GAMES,
    IPD,
    Auction,
    BooksHatsBalls,
    Game,
    Kuhn,
    Pie,
    Pools,
    Strategy,
    check,
)
from negotiation.engine.drills.auction import HIGH, HIGH_VALUE, LOW, MEDIUM, by_value
from negotiation.engine.drills.books_hats_balls import ITEMS, encode
from negotiation.engine.drills.ipd import COOPERATE, DEFECT, IPDStrategy, memory_one
from negotiation.engine.drills.kuhn.strategies import KuhnStrategy, by_card
from negotiation.engine.drills.types import Floats, Ints, Seen


def _memory_one(name: str, title: str, first: float, *after: float) -> IPDStrategy:
    """Cooperation by the last round alone, after both cooperated, after it was betrayed, after it betrayed, after both
    defected."""
    cooperation = memory_one(first, *after)

    def choose(seen: Seen, number: Floats) -> Ints:
        return np.where(number < cooperation(seen), COOPERATE, DEFECT).astype(np.int8)

    return IPDStrategy(name, title, title + ".", choose, cooperation)


def _one_of(name: str, title: str, *actions: int) -> Strategy:
    """Any of these actions, equally often."""

    def choose(seen: Seen, number: Floats) -> Ints:
        choices = np.array(actions, dtype=np.int8)
        return choices[np.minimum(number * len(actions), len(actions) - 1).astype(np.intp)]

    return Strategy(name, title, title + ".", choose)


def _some_of_each(name: str, title: str, ranked: tuple[float, float, float]) -> Strategy:
    """Shares of the pile valued most, of the next and of the last, rounded up."""

    def choose(seen: Seen, number: Floats) -> Ints:
        pool, value = seen.private[:3].astype(np.int64), seen.private[3:]
        rank = np.argsort(np.argsort(-value, axis=0, kind="stable"), axis=0, kind="stable")
        wanted = np.ceil(pool * np.array(ranked)[rank]).astype(np.int64)
        return encode(wanted[: len(ITEMS)]).astype(np.int8)  # type: ignore[attr-defined, no-any-return]

    return Strategy(name, title, title + ".", choose)


def _mostly_low(seen: Seen, number: Floats) -> Ints:
    return np.where((seen.private[-1] == HIGH_VALUE) & (number < 0.2), MEDIUM, LOW).astype(np.int8)


def _named(*strategies: Any) -> dict[str, Any]:
    return {strategy.name: strategy for strategy in strategies}


class _IPD(IPD):
    strategies = IPD.strategies | _named(
        _memory_one("suspicious_tft", "Opens with a defection, then copies", 0.0, 1, 0, 1, 0),
        _memory_one("firm_but_fair", "Copies, and forgives when both defected", 1.0, 1, 0, 1, 0.5),
        _memory_one("mostly_defect", "Cooperates one time in ten", 0.1, 0.1, 0.1, 0.1, 0.1),
        _memory_one("mostly_cooperate", "Defects one time in twenty", 0.95, 0.95, 0.95, 0.95, 0.95),
    )
    pools = paper_pools = Pools(
        train=("suspicious_tft", "firm_but_fair"),
        exploit=("mostly_defect",),
        collusive=("mostly_cooperate",),
        shift=(),
    )


class _Auction(Auction):
    strategies = Auction.strategies | _named(
        _one_of("low_or_medium", "Bids low or medium by a coin", LOW, MEDIUM),
        Strategy("eager", "Eager", "High on a high value.", by_value(LOW, HIGH)),
        Strategy("pushing", "Pushing", "One above the equilibrium.", by_value(MEDIUM, HIGH)),
        Strategy("mostly_low", "Mostly low", "Low, and rarely medium on a high value.", _mostly_low),
    )
    pools = paper_pools = Pools(
        train=("low_or_medium", "eager"), exploit=("pushing",), collusive=("mostly_low",), shift=()
    )


class _Pie(Pie):
    strategies = Pie.strategies | _named(
        _one_of("five_or_six", "Asks for 5 or 6", 5, 6),
        _one_of("six_or_seven", "Asks for 6, seldom for 7", 6, 6, 6, 7),
        _one_of("seven_or_eight", "Asks for 7 or 8", 7, 8),
        _one_of("four_or_five", "Asks for 4 or 5", 4, 5),
    )
    pools = paper_pools = Pools(
        train=("five_or_six", "six_or_seven"),
        exploit=("seven_or_eight",),
        collusive=("four_or_five",),
        shift=(),
    )


class _BooksHatsBalls(BooksHatsBalls):
    strategies = BooksHatsBalls.strategies | _named(
        _some_of_each("trader", "All of its favourite, half of the next", (1.0, 0.5, 0.0)),
        _some_of_each("grabber", "All but half of what it values least", (1.0, 1.0, 0.5)),
        _some_of_each("giver", "Half of its favourite, a quarter of the next", (0.5, 0.25, 0.0)),
    )
    pools = paper_pools = Pools(
        train=("trader", "conservative", "defensive"),
        exploit=("grabber",),
        collusive=("giver",),
        shift=(),
    )


class _Kuhn(Kuhn):
    strategies = Kuhn.strategies | {
        strategy.name: strategy
        for strategy in (
            KuhnStrategy("bluffer", "Bluffer", "Bets Jacks and Kings.", by_card((1, 0, 1), (0, 0, 1))),
            KuhnStrategy("caller", "Caller", "Bets Kings, calls Queens.", by_card((0, 0, 1), (0, 1, 1))),
        )
    }
    pools = paper_pools = Pools(
        train=("tight_value", "pot_control"), exploit=("bluffer", "caller"), collusive=(), shift=()
    )


HELD_OUT: dict[str, Game] = {
    game.name: game for game in (_IPD(), _Auction(), _Pie(), _BooksHatsBalls(), _Kuhn())
}
"""Each game with the strategies and the pools that checkpoints are chosen by."""


@cache
def check_apart(game: str) -> None:
    """Refuse pools of a game, or a held-out pool, that share a name or a way to play.

    Raises:
        ValueError: naming the strategies at fault.
    """
    check(GAMES[game])
    own, held = GAMES[game].pools, HELD_OUT[game].pools
    check(_with_pools(game, Pools(**{pool: own.all()[pool] + held.all()[pool] for pool in own.all()})))
    named = {name for names in own.all().values() for name in names}
    if both := named & {name for names in held.all().values() for name in names}:
        raise ValueError(f"{game}: held out and in a pool: {sorted(both)}")


def _with_pools(game: str, joined: Pools) -> Game:
    """The held-out game with other pools."""
    made: Game = type("Joined", (type(HELD_OUT[game]),), {"pools": joined})()
    return made
