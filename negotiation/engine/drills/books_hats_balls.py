"""Dividing books, hats and balls, each worth something else to each side; four rounds over one set.

After Lewis et al. (2017) and the negotiation game of GTBench (Duan et al. 2024): pools of 1 to 4 of each item,
private values that sum to ten over the three kinds, the same all match long. Both name what they want; if the
two demands fit the pools on every item, both are met, otherwise nobody gets anything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np

from negotiation.engine.drills.pie import late_concession
from negotiation.engine.drills.simultaneous import PLAYERS, SimultaneousGame
from negotiation.engine.drills.types import Bools, Floats, Ints, Pools, Seen, Strategy, named

ITEMS = ("books", "hats", "balls")
MOST = 4
TOTAL_VALUE = 10
_BASE = MOST + 1

VALUATIONS = tuple(
    (books, hats, TOTAL_VALUE - books - hats)
    for books in range(TOTAL_VALUE + 1)
    for hats in range(TOTAL_VALUE + 1 - books)
)
"""Every way to value the three kinds in whole numbers that sum to ten; all are equally likely."""
_VALUATIONS = np.array(VALUATIONS, dtype=np.int8).T

Bundle = tuple[int, int, int]


def encode(bundle: Sequence[int]) -> int:
    """A demand as one number: books, hats and balls as digits in base 5."""
    books, hats, balls = bundle
    return (books * _BASE + hats) * _BASE + balls


def decode(action: int) -> Bundle:
    """The demand behind a number."""
    return action // _BASE**2, action // _BASE % _BASE, action % _BASE


def _bundles(actions: Ints) -> Ints:
    """(..., n) numbers as (3, ..., n) demands."""
    return np.stack([actions // _BASE**2, actions // _BASE % _BASE, actions % _BASE])


def _encoded(bundles: Ints) -> Ints:
    """(3, ..., n) demands as (..., n) numbers."""
    coded: Ints = ((bundles[0] * _BASE + bundles[1]) * _BASE + bundles[2]).astype(np.int8)
    return coded


# -- strategies: pools are private[:3], the own values private[3:] ------------------------------------

Wish = Callable[[Seen], Ints]


def _wishing(name: str, title: str, says: str, wish: Wish) -> Strategy:
    """A strategy from what it wants of each item, (3, n)."""
    return Strategy(name, title, says, lambda seen, number: _encoded(wish(seen)))


def _half(seen: Seen) -> Ints:
    return seen.private[:3] // 2


def _what_the_other_left(seen: Seen) -> Ints:
    return seen.private[:3] - _bundles(seen.other[-1]) if seen.round else _half(seen)


def _conceding(seen: Seen) -> Ints:
    wished: Ints = np.maximum(0, seen.private[:3] - np.int8(min(seen.round, 2)))
    return wished


def _best_items(seen: Seen, count: int) -> Ints:
    """All of the ``count`` items valued most, the first named on a tie; nothing of the rest."""
    order = np.argsort(-seen.private[3:], axis=0, kind="stable")
    chosen = np.zeros_like(seen.private[:3])
    np.put_along_axis(chosen, order[:count], 1, axis=0)
    wished: Ints = seen.private[:3] * chosen
    return wished


def _proportional(seen: Seen) -> Ints:
    pool, value = seen.private[:3], seen.private[3:]
    wished: Ints = np.rint(pool * (value / value.max(axis=0))).astype(np.int8)
    return wished


def _boulware(seen: Seen) -> Ints:
    share = 1 - 0.5 * late_concession(seen.round / (BooksHatsBalls.rounds - 1))
    wished: Ints = np.rint(seen.private[:3] * share).astype(np.int8)
    return wished


def _defensive(seen: Seen) -> Ints:
    asked = _bundles(seen.own) + _bundles(seen.other)
    broke_down = (asked > seen.private[:3, None]).any(axis=(0, 1))
    wished: Ints = np.where(broke_down, _half(seen), np.maximum(_half(seen), _best_items(seen, 1)))
    return wished


def _anything(seen: Seen, number: Floats) -> Ints:
    """Each demand within the pools is equally likely: the number's digits in the mixed base of the pools."""
    sizes = seen.private[:3].astype(np.int16) + 1
    ticket = np.minimum(number * sizes.prod(axis=0), sizes.prod(axis=0) - 1).astype(np.int16)
    balls = ticket % sizes[2]
    hats = ticket // sizes[2] % sizes[1]
    books = ticket // (sizes[2] * sizes[1])
    return _encoded(np.stack([books, hats, balls]).astype(np.int8))


STRATEGIES = named(
    _wishing("fair", "Half of each", "Asks for half of every pile, rounded down.", _half),
    _wishing(
        "tft",
        "What you leave",
        "Opens with half of each, then asks for all that you left.",
        _what_the_other_left,
    ),
    _wishing("concede", "Step by step", "Asks for everything, one less of each every round.", _conceding),
    _wishing("greedy", "Everything", "Asks for every single piece.", lambda seen: seen.private[:3].copy()),
    _wishing(
        "hardball",
        "The two best",
        "Asks for all of the two kinds it values most.",
        lambda seen: _best_items(seen, 2),
    ),
    _wishing(
        "proportional",
        "By worth",
        "Asks for all of its favourite, less of what it values less.",
        _proportional,
    ),
    _wishing("boulware", "Late giver", "Asks for everything and gives way at the very end.", _boulware),
    Strategy("random", "Dice", "Asks for anything that exists.", _anything),
    _wishing(
        "conservative", "The one best", "Asks for its favourite only.", lambda seen: _best_items(seen, 1)
    ),
    _wishing(
        "defensive",
        "Half and the best",
        "Half of each and all of its favourite; plain halves once talks have broken down.",
        _defensive,
    ),
)


class BooksHatsBalls(SimultaneousGame):
    """``private`` holds three pool sizes, then the player's own three values."""

    name = "books_hats_balls"
    title = "Books, hats and balls"
    rounds = 4
    scale = 0.3
    chance_numbers = len(ITEMS) + PLAYERS
    strategies = STRATEGIES
    pools = Pools(
        train=("tft", "concede"),
        exploit=("greedy", "hardball"),
        collusive=("fair",),
        shift=("proportional", "boulware", "random"),
    )
    paper_pools = Pools(
        train=("fair", "tft", "concede"),
        exploit=("greedy", "hardball"),
        collusive=("fair",),
        shift=("proportional", "boulware", "random"),
    )
    demonstrators = {"proportional": 0.35, "conservative": 0.25, "tft": 0.25, "defensive": 0.15}

    def dealt(self, chance: Sequence[float]) -> tuple[tuple[int, ...], ...]:
        """Pools, then own values, by player."""
        pools = tuple(min(MOST, 1 + int(MOST * number)) for number in chance[:3])
        drawn = (min(len(VALUATIONS) - 1, int(len(VALUATIONS) * number)) for number in chance[3:])
        return tuple((*pools, *VALUATIONS[index]) for index in drawn)

    def legal(self, private: tuple[int, ...]) -> tuple[int, ...]:
        """Every demand within the pools."""
        return tuple(encode(bundle) for bundle in product(*(range(pool + 1) for pool in private[:3])))

    def label(self, action: int) -> str:
        """The demand as a vector: [books, hats, balls]."""
        return str(list(decode(action)))

    def pay(
        self, actions: tuple[int, int], private: tuple[tuple[int, ...], ...], round_: int
    ) -> tuple[float, float]:
        """What was asked, at own values, if it fits on every item."""
        bundles = [decode(action) for action in actions]
        if any(mine + theirs > pool for mine, theirs, pool in zip(*bundles, private[0], strict=False)):
            return 0.0, 0.0
        first, second = (
            float(
                sum(count * value for count, value in zip(bundles[player], private[player][3:], strict=True))
            )
            for player in (0, 1)
        )
        return first, second

    def deal(self, chance: Floats) -> Ints:
        """(players, 6, n): pools and own values."""
        pools = 1 + np.minimum(chance[:3].astype(np.float64) * MOST, MOST - 1).astype(np.int8)
        drawn = (chance[3:].astype(np.float64) * len(VALUATIONS)).astype(np.intp)
        return np.stack([np.concatenate([pools, _VALUATIONS[:, index]]) for index in drawn])

    def payoffs(self, actions: Ints, private: Ints) -> Floats:
        """What was asked, at own values, where it fits."""
        worth = np.einsum("iptn,pin->ptn", _bundles(actions).astype(np.float32), private[:, 3:])
        return np.where(self._fits(actions, private), worth, 0).astype(np.float32)

    def externality(self, actions: Ints, private: Ints, payoffs: Floats) -> Floats:
        """1 where the demands did not fit."""
        return (~self._fits(actions, private)).astype(np.float32)

    def greed(self, actions: Ints, private: Ints) -> tuple[Bools, Bools]:
        """Asking for more than half of what everything is worth to oneself; every round counts."""
        values, pools = private[0, 3:].astype(np.int16), private[0, :3]
        asked = (_bundles(actions[0]) * values[:, None]).sum(axis=0)
        return 2 * asked > (values * pools).sum(axis=0), np.ones(actions.shape[1:], dtype=np.bool_)

    @staticmethod
    def _fits(actions: Ints, private: Ints) -> Bools:
        fits: Bools = (_bundles(actions).sum(axis=1) <= private[0, :3, None]).all(axis=0)
        return fits
