"""Behaviour in Kuhn poker as a table, and a hand as a walk over tables: thousands of hands at once.

A behaviour gives the probability to bet (or to call) for each decision history and each card: 4 x 3 = 12
information sets for two players, 12 x 4 = 48 for three. It covers every position, whoever may sit there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from negotiation.engine.drills.kuhn.rules import LETTERS, deals, histories, payoffs, position_to_act
from negotiation.engine.drills.types import Bools, Floats

Behaviour = npt.NDArray[np.float64]
"""(decision histories, cards): the probability of betting or calling."""
Codes = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Tree:
    """The tree of a hand as arrays. A state is a deal and a history: ``deal * nodes + node``."""

    seats: int
    nodes: int
    depth: int
    """The most decisions in one hand."""
    following: Codes
    """(2 * states,): the state after passing, then after betting; a terminal state follows itself."""
    payoff: Floats
    """(positions, states): chips, where the state is terminal."""
    cards: Codes
    """(deals, positions)"""
    actor: Codes
    """(decisions,): the position that acts."""

    @property
    def roots(self) -> int:
        """How many deals there are."""
        return len(self.cards)


@cache
def tree(seats: int) -> Tree:
    """The hand for ``seats`` players."""
    decisions, terminals = histories(seats)
    names = decisions + terminals
    index = {name: node for node, name in enumerate(names)}
    child = np.array(
        [[index.get(name + letter, index[name]) for letter in LETTERS] for name in names], dtype=np.intp
    )
    child[len(decisions) :] = np.arange(len(decisions), len(names))[:, None]
    dealt = np.array(deals(seats), dtype=np.intp)
    offset = len(names) * np.arange(len(dealt), dtype=np.intp)[:, None, None]
    payoff = np.zeros((seats, len(dealt), len(names)), dtype=np.float32)
    for deal, cards in enumerate(deals(seats)):
        for node, name in enumerate(terminals, start=len(decisions)):
            payoff[:, deal, node] = payoffs(name, cards)
    return Tree(
        seats=seats,
        nodes=len(names),
        depth=max(map(len, terminals)),
        following=(child + offset).reshape(-1),
        payoff=payoff.reshape(seats, -1),
        cards=dealt,
        actor=np.array([position_to_act(name, seats) for name in decisions], dtype=np.intp),
    )


def betting(behaviours: Sequence[Behaviour], seats: int) -> Floats:
    """(states,): the probability that whoever is to act bets, with ``behaviours`` by position."""
    shape = tree(seats)
    probability = np.zeros((shape.roots, shape.nodes), dtype=np.float32)
    for node, position in enumerate(shape.actor):
        probability[:, node] = behaviours[position][node, shape.cards[:, position]]
    return probability.reshape(-1)


def walk(start: Codes, moves: Floats, bets: Floats, seats: int) -> Codes:
    """The terminal states that hands reach.

    Args:
        start: (n,) states at the root, a deal each.
        moves: (depth, n) uniform numbers, one for each decision in turn.
        bets: (states,) from ``betting``.
    """
    shape = tree(seats)
    state = start
    for number in moves:
        bet: Bools = number < bets.take(state)
        state = shape.following.take(2 * state + bet)
    return state


def roots(chance: Floats, seats: int) -> Codes:
    """The deals that uniform numbers pick, as root states."""
    shape = tree(seats)
    dealt: Codes = np.minimum(chance * np.float32(shape.roots), shape.roots - 1).astype(np.intp)
    return shape.nodes * dealt
