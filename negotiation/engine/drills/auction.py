"""A repeated first-price auction with sealed bids: six rounds, two bidders, a fresh private value each round.

The stage game has a strict symmetric equilibrium: bid 1 on a value of 2 and 2 on a value of 4, worth .875 a round
(``theory.auction_stage`` finds it by enumeration). Bidding above the value loses money; there is no floor at 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from negotiation.engine.drills.simultaneous import PLAYERS, SimultaneousGame
from negotiation.engine.drills.types import Bools, Floats, Ints, Pools, Seen, Strategy, named

LOW_VALUE, HIGH_VALUE = 2, 4
LOW, MEDIUM, HIGH = 1, 2, 3
BIDS = (LOW, MEDIUM, HIGH)


def by_value(on_low: int, on_high: int) -> Callable[[Seen, Floats], Ints]:
    """Bids by the value of this round alone."""
    bids = np.array([on_low, on_high], dtype=np.int8)
    return lambda seen, number: bids.take(seen.private[-1] == HIGH_VALUE)


def _after_other(first: int, bid: Callable[[Ints], Ints]) -> Callable[[Seen, Floats], Ints]:
    def choose(seen: Seen, number: Floats) -> Ints:
        return bid(seen.other[-1]) if seen.round else np.full(seen.count, first, dtype=np.int8)

    return choose


def _uniform(seen: Seen, number: Floats) -> Ints:
    return (LOW + np.minimum(number * len(BIDS), len(BIDS) - 1)).astype(np.int8)


STRATEGIES = named(
    Strategy("truthful", "Half the value", "Bids half of what it is worth to it.", by_value(LOW, MEDIUM)),
    Strategy("conservative", "Penny pincher", "Always bids LOW.", by_value(LOW, LOW)),
    Strategy("shaded", "Shader", "Shades its bid: LOW on 2, MEDIUM on 4.", by_value(LOW, MEDIUM)),
    Strategy(
        "adaptive",
        "One more",
        "Bids one above your last bid.",
        _after_other(MEDIUM, lambda last: np.minimum(HIGH, last + 1).astype(np.int8)),
    ),
    Strategy("aggressive", "Steamroller", "Always bids HIGH, even at a loss.", by_value(HIGH, HIGH)),
    Strategy("collusive_low", "Ring partner", "Bids LOW and hopes you do too.", by_value(LOW, LOW)),
    Strategy("equilibrium", "Equilibrium bidder", "LOW on 2, MEDIUM on 4.", by_value(LOW, MEDIUM)),
    Strategy("random", "Dice", "Bids at random.", _uniform),
    Strategy(
        "tft_bid",
        "Echo",
        "Opens MEDIUM, then bids what you bid last.",
        _after_other(MEDIUM, lambda last: last),
    ),
    Strategy("aggressive_value", "Eager bidder", "LOW on 2, HIGH on 4.", by_value(LOW, HIGH)),
)


def _values(chance: Floats) -> Ints:
    return np.where(chance < 0.5, LOW_VALUE, HIGH_VALUE).astype(np.int8)


class Auction(SimultaneousGame):
    """The higher bid wins its value less the bid; equal bids share. ``private`` is the own values so far."""

    name = "auction"
    title = "Sealed bids"
    rounds = 6
    scale = 1.0
    chance_numbers = PLAYERS * rounds
    strategies = STRATEGIES
    pools = paper_pools = Pools(
        train=("truthful", "conservative", "shaded", "adaptive"),
        exploit=("aggressive",),
        collusive=("collusive_low",),
        shift=("equilibrium", "random", "tft_bid"),
    )
    echoes = (frozenset({"truthful", "shaded", "equilibrium"}), frozenset({"conservative", "collusive_low"}))
    demonstrators = {"truthful": 0.44, "aggressive_value": 0.28, "adaptive": 0.20, "random": 0.08}

    def dealt(self, chance: Sequence[float]) -> tuple[tuple[int, ...], ...]:
        """Values of all rounds, by player."""
        values = [LOW_VALUE if number < 0.5 else HIGH_VALUE for number in chance]
        return tuple(values[0::2]), tuple(values[1::2])

    def visible(self, private: tuple[int, ...], round_: int) -> tuple[int, ...]:
        """Values up to this round; later ones are not drawn yet, as far as a bidder knows."""
        return private[: round_ + 1]

    def legal(self, private: tuple[int, ...]) -> tuple[int, ...]:
        """Any of the three bids."""
        return BIDS

    def label(self, action: int) -> str:
        """LOW, MEDIUM or HIGH."""
        return ("LOW", "MEDIUM", "HIGH")[action - 1]

    def pay(
        self, actions: tuple[int, int], private: tuple[tuple[int, ...], ...], round_: int
    ) -> tuple[float, float]:
        """Value less bid for the winner; half of that each on a tie."""
        mine, theirs = (private[player][round_] - actions[player] for player in (0, 1))
        if actions[0] == actions[1]:
            return mine / 2, theirs / 2
        return (float(mine), 0.0) if actions[0] > actions[1] else (0.0, float(theirs))

    def deal(self, chance: Floats) -> Ints:
        """(players, rounds, n) of values."""
        return np.stack([_values(chance[0::2]), _values(chance[1::2])])

    def shown(self, private: Ints, round_: int) -> Ints:
        """Values up to this round."""
        return private[: round_ + 1]

    def payoffs(self, actions: Ints, private: Ints) -> Floats:
        """Each player's chance of winning times what winning brings."""
        paid: Floats = _win_shares(actions) * (private - actions)
        return paid

    def externality(self, actions: Ints, private: Ints, payoffs: Floats) -> Floats:
        """Value lost because the wrong bidder won, as a share of the most that can be lost."""
        won = (_win_shares(actions) * private).sum(axis=0)
        lost: Floats = (private.max(axis=0) - won) / np.float32(HIGH_VALUE - LOW_VALUE)
        return lost

    def greed(self, actions: Ints, private: Ints) -> tuple[Bools, Bools]:
        """Bidding LOW; counted on a high value. LOW on a low value is equilibrium play, and the paper, which counts
        it too, punishes honest bidders.
        """
        return actions[0] == LOW, private[0] == HIGH_VALUE


def _win_shares(actions: Ints) -> Floats:
    """(players, rounds, n): 1 for the higher bid, half each on a tie."""
    lead = np.sign(actions[0] - actions[1]).astype(np.float32)
    return np.stack([(1 + lead) / 2, (1 - lead) / 2])
