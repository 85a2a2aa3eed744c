"""A growing exploit pool: best responses to the learner as it stands, made to measure by exact theory.

Policy-space response oracles (Lanctot et al. 2017) with the oracle exact: in poker from the learner's twelve numbers,
in the dilemma by dynamic programming over all histories. A fixed pool of adversaries finds the weaknesses that it
knows: in poker the objective likes best a play that loses nothing to its two adversaries and .33 a hand to a third.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from negotiation.engine.drills import KuhnStrategy, Strategy
from negotiation.engine.drills.ipd import IPDStrategy
from negotiation.engine.drills.kuhn.theory import response_behaviour
from negotiation.engine.drills.theory.ipd_response import Plan, best_response, planned_cooperation
from negotiation.engine.drills.types import Floats, Ints, Seen
from trainer.errors import BadInput

GROWS = ("kuhn", "ipd")
"""The games in which a best response is exact and cheap."""

Table = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Grown:
    """One best response as numbers: all that a checkpoint has to keep of it.

    ``tables`` are, in poker, one array of (decisions, cards) with the probability of a bet; in the dilemma, by round,
    (4**round,) whether it defects after each history.
    """

    name: str
    tables: tuple[Table, ...]

    def strategy(self, game: str) -> Strategy | KuhnStrategy:
        """The same as a player of ``game``."""
        about = (self.name, "Best response", "Knows how you play.")
        if game == "kuhn":
            return KuhnStrategy(*about, self.tables[0])
        cooperation = planned_cooperation(Plan(0.0, self.tables))

        def choose(seen: Seen, number: Floats) -> Ints:
            return (cooperation(seen) < 1).astype(np.int8)

        return IPDStrategy(*about, choose, cooperation)


def response_to(learner: Strategy | KuhnStrategy | None, name: str) -> Grown:
    """The best response, under a name of its own.

    Raises:
        BadInput: for a learner that theory cannot reckon with.
    """
    if isinstance(learner, KuhnStrategy):
        return Grown(name, (response_behaviour(learner.behaviour),))
    if isinstance(learner, IPDStrategy):
        return Grown(name, best_response(learner.cooperation, "margin").defects)
    raise BadInput(f"a pool can grow in {' and '.join(GROWS)} only, where a best response is exact")


class Adversaries:
    """The best responses that have joined the exploit pool of one run: the latest few.

    They follow from the learner at the steps at which they joined, so a checkpoint has to keep them.
    """

    def __init__(self, game: str, keep: int, grown: Sequence[Grown] = ()) -> None:
        self._game, self._keep = game, keep
        self.grown = list(grown)
        self.players = [each.strategy(game) for each in self.grown]

    def join(self, learner: Strategy | KuhnStrategy | None, step: int) -> None:
        """Add the best response to the learner as it stands."""
        made = response_to(learner, f"best_response_{step}")
        self.grown = [*self.grown, made][-self._keep :]
        self.players = [*self.players, made.strategy(self._game)][-self._keep :]
