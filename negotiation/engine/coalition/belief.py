"""What one seat believes of the other two: weighted draws from the public chances.

Every visible proposal and support is evidence. A proposal is taken for what a seat of average temper would ask at that
hour, plus noise; a support says that the deal leaves the supporter better off than none. A deep mind reads both sharply.
"""

from __future__ import annotations

import numpy as np

from negotiation.engine.coalition.scenario import Array, CoalitionScenario
from negotiation.engine.coalition.types import (
    ARRANGEMENTS,
    EVERYONE,
    SEAT_INDEX,
    SEATS,
    Coalition,
    Entry,
    Proposal,
    Seat,
    Stake,
)
from negotiation.engine.coalition.worth import gross, payoff, shapley_of, worths

DRAWS = 128
SURENESS = 0.045
"""Share of the whole over which a seat's answer goes from doubtful to likely."""
_MISTAKE = 0.06
"""Weight that even the least likely draw keeps: people err, and bluff."""


def typical_demand(shapley: Array, round_: int, horizon: int) -> Array:
    """What a seat of average temper holds out for: above its Shapley value at first, below it near the end."""
    progress = (round_ - 1) / max(1, horizon - 1)
    return np.asarray(shapley * (1.35 - 0.65 * progress**1.5))


def before_the_bell(round_: int, horizon: int) -> float:
    """Factor on what anybody asks for: in the last two rounds it falls to a third, since little beats nothing."""
    return min(1.0, (horizon - round_ + 1) / 3)


class Belief:
    """Draws of the hidden truth, own row known, with weights that add up to 1."""

    def __init__(
        self,
        scenario: CoalitionScenario,
        seat: Seat,
        own: Stake,
        depth: float,
        rng: np.random.Generator,
    ) -> None:
        self.seat = seat
        self.draws = scenario.draw(rng, DRAWS)
        self.draws[:, SEAT_INDEX[seat], :] = [getattr(own, name) for name in ARRANGEMENTS]
        self.weights = np.full(DRAWS, 1.0 / DRAWS)
        self.worth = worths(self.draws, scenario.depot_cost)
        self.shapley = {other: shapley_of(self.worth, other) for other in SEATS}
        self._depth = depth
        self.scale = float(self.worth[EVERYONE].mean())
        """The worth of all three together, in money: the measure of what counts as much or little."""

    def expected(self, values: Array) -> float:
        """The mean of one value per draw."""
        return float(self.weights @ values)

    def own_share(self) -> float:
        """Own Shapley value: the public chances for a shallow mind, all that was seen for a deep one."""
        shapley = self.shapley[self.seat]
        return float((1 - self._depth) * shapley.mean() + self._depth * self.expected(shapley))

    def observe(self, entry: Entry, proposal: Proposal, horizon: int) -> None:
        """Weigh the draws by what ``entry`` shows of the seat that took it: its own proposal, or a support."""
        if entry.seat == self.seat:
            return
        gain = payoff(self.draws, entry.seat, proposal)
        if entry.proposal is not None:
            spread = self.scale * (0.10 + 0.25 * (1 - self._depth))
            asked = typical_demand(self.shapley[entry.seat], entry.round, horizon) * 1.1
            likely = np.exp(-0.5 * ((gain - asked) / spread) ** 2) * sigmoid(gain / (0.1 * spread))
        else:
            likely = sigmoid(gain / (0.03 * self.scale))
        weights = self.weights * (_MISTAKE + (1 - _MISTAKE) * likely)
        self.weights = weights / weights.sum()

    def acceptance(
        self, members: Coalition, pays: dict[Seat, Array], demands: dict[Seat, Array], waiting: Coalition
    ) -> Array:
        """Chance that all of ``waiting`` take each of many proposals to the same ``members``.

        ``pays`` holds one figure per proposal, ``demands`` one per draw.
        """
        money = np.sum(list(pays.values()), axis=0)
        chance = np.ones((len(money), DRAWS))
        for seat in waiting:
            flow = money if seat == "seller" else -pays[seat]
            gain = gross(self.draws, seat, members)[None, :] + flow[:, None]
            chance *= sigmoid((gain - demands[seat][None, :]) / (SURENESS * self.scale))
        return np.asarray(chance @ self.weights)


def sigmoid(x: Array) -> Array:
    """The logistic curve, safe at both ends."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(x, -40.0, 40.0))))
