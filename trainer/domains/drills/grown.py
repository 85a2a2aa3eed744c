"""A growing exploit pool: best responses to the learner as it stands, made to measure by exact theory.

Policy-space response oracles (Lanctot et al. 2017) with the oracle exact: in poker from the learner's twelve numbers,
in the dilemma by dynamic programming over all histories. A fixed pool of adversaries finds the weaknesses that it
knows: in poker the objective likes best a play that loses nothing to its two adversaries and .33 a hand to a third.
"""

from __future__ import annotations

import numpy as np

from negotiation.engine.drills import KuhnStrategy, Strategy
from negotiation.engine.drills.ipd import IPDStrategy
from negotiation.engine.drills.kuhn.theory import response_behaviour
from negotiation.engine.drills.theory.ipd_response import best_response, planned_cooperation
from negotiation.engine.drills.types import Floats, Ints, Seen
from trainer.errors import BadInput

GROWS = ("kuhn", "ipd")
"""The games in which a best response is exact and cheap."""


def response_to(learner: Strategy | KuhnStrategy | None, name: str) -> Strategy | KuhnStrategy:
    """The best response, under a name of its own.

    Raises:
        BadInput: for a learner that theory cannot reckon with.
    """
    if isinstance(learner, KuhnStrategy):
        return KuhnStrategy(
            name, "Best response", "Knows how you play.", response_behaviour(learner.behaviour)
        )
    if isinstance(learner, IPDStrategy):
        cooperation = planned_cooperation(best_response(learner.cooperation, "margin"))

        def choose(seen: Seen, number: Floats) -> Ints:
            return (cooperation(seen) < 1).astype(np.int8)

        return IPDStrategy(name, "Best response", "Knows how you play.", choose, cooperation)
    raise BadInput(f"a pool can grow in {' and '.join(GROWS)} only, where a best response is exact")
