"""The expert meets somebody whose temper it doesn't know: a model, or a person."""

from __future__ import annotations

from dataclasses import replace

import pytest

from negotiation.engine.deal import Negotiation
from negotiation.engine.deal.selfplay import STRATEGIES
from negotiation.engine.deal.streams import stream
from negotiation.engine.personas import USUAL


@pytest.mark.parametrize("seed", range(4))
def test_the_expert_takes_somebody_unknown_for_the_usual_persona(seed: int) -> None:
    table = Negotiation(scenario="saas_enterprise", persona=USUAL, seat="seller", seed=seed)
    knows = STRATEGIES["expert"]()
    guesses = STRATEGIES["expert"]()
    while not table.done:
        seen = table.observe()
        move = knows.act(seen, stream(seed, "player", seen.turn))
        assert guesses.act(replace(seen, persona="person"), stream(seed, "player", seen.turn)) == move
        table.step(move)
