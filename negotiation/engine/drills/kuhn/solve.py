"""An equilibrium of Kuhn poker by counterfactual regret minimisation, over the whole tree at once.

Regrets are kept from falling below 0 and later play counts more, as in CFR+ (Zinkevich et al. 2007; Tammelin 2014).
For two players the average converges to equilibrium; for three nothing promises it, yet in this game it gets
there (Risk & Szafron 2010). What came out is measured by ``nash_conv``, not believed.
"""

from __future__ import annotations

import numpy as np

from negotiation.engine.drills.kuhn.rules import (
    History,
    deals,
    histories,
    is_terminal,
    payoffs,
    position_to_act,
)
from negotiation.engine.drills.kuhn.tables import Behaviour
from negotiation.engine.drills.kuhn.theory import Vector


class Regrets:
    """Counterfactual regrets and the average behaviour of all positions at once."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self._cards = np.array(deals(seats))
        self._rows = {history: row for row, history in enumerate(histories(seats)[0])}
        shape = (len(self._rows), seats + 1)
        self._regret = np.zeros((2, *shape))
        self._played = np.zeros((2, *shape))
        self._times = 0

    def average(self) -> Behaviour:
        """The behaviour that converges."""
        total = self._played.sum(axis=0)
        average: Behaviour = np.divide(self._played[1], total, out=np.full_like(total, 0.5), where=total > 0)
        return average

    def iterate(self, times: int) -> None:
        """Improve ``times`` times."""
        for _ in range(times):
            self._times += 1
            total = self._regret.sum(axis=0)
            now = np.divide(self._regret[1], total, out=np.full_like(total, 0.5), where=total > 0)
            self._below("", now, np.ones((self.seats, len(self._cards))))
            np.maximum(self._regret, 0, out=self._regret)

    def _below(self, history: History, now: Behaviour, reach: Vector) -> Vector:
        """Payoffs (deals, positions) from here on; ``reach`` (positions, deals) is each one's part in coming here."""
        if is_terminal(history, self.seats):
            return np.array([payoffs(history, dealt) for dealt in deals(self.seats)], dtype=np.float64)
        position, row = position_to_act(history, self.seats), self._rows[history]
        held = self._cards[:, position]
        chances = np.stack([1 - now[row, held], now[row, held]])
        children = []
        for letter, chance in zip("pb", chances, strict=True):
            onward = reach.copy()
            onward[position] = onward[position] * chance
            children.append(self._below(history + letter, now, onward))
        value: Vector = chances[0][:, None] * children[0] + chances[1][:, None] * children[1]
        others = np.delete(reach, position, axis=0).prod(axis=0)
        for action, child in enumerate(children):
            gain = others * (child[:, position] - value[:, position])
            np.add.at(self._regret[action, row], held, gain)
            np.add.at(self._played[action, row], held, self._times * reach[position] * chances[action])
        return value


def solve(seats: int, iterations: int) -> Behaviour:
    """The average behaviour after so many iterations."""
    regrets = Regrets(seats)
    regrets.iterate(iterations)
    return regrets.average()
