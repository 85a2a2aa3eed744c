"""No constant policy earns more than a good deal does: the reward cannot be farmed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from negotiation.engine.deal import SIGN, Action, ActionRefused, Belief, Negotiation, Observation, scenarios
from negotiation.engine.deal.selfplay import play_one
from tests.effort import few
from tests.engine.players import PERSONAS

SEEDS = range(few(8, 25))


def beliefs(seen: Observation) -> Belief:
    other = scenarios()[seen.scenario].seats["buyer" if seen.seat == "seller" else "seller"]
    return Belief(walk_away=other.walk_away, budget=other.walk_away * 1.06, urgency=0.45, confidence=0.9)


def high(seen: Observation) -> float:
    spec = scenarios()[seen.scenario]
    return seen.own.walk_away + SIGN[seen.seat] * spec.nominal_width


CONSTANT: dict[str, Callable[[Observation], Action]] = {
    "prove it, for ever": lambda s: Action(
        text="Prove it. I don't believe that is your limit.", challenge=True
    ),
    "doubt in new words": lambda s: Action(text=f"I don't believe you ({s.turn}). Show me proof."),
    "a belief a turn, nothing else": lambda s: Action(text=f"Hm, point {s.turn}.", belief=beliefs(s)),
    "stonewall with a belief": lambda s: Action(offer=high(s), belief=beliefs(s)),
    "bluff with one's own floor": lambda s: Action(
        text=f"My floor ({s.turn}).",
        card="batna_reveal" if "batna_reveal" in s.cards else None,
        claim=high(s),
    ),
    "silence": lambda s: Action(
        text="" if "silence" in s.cards else f"Well, {s.turn}.",
        card="silence" if "silence" in s.cards else None,
    ),
    "questions only": lambda s: Action(text=f"What matters to you about point {s.turn}?", belief=beliefs(s)),
    "guess every headline at zero": lambda s: Action(
        text=f"I see ({s.turn}).", event_estimate=0.0 if s.pending_estimate else None, belief=beliefs(s)
    ),
    "take anything at once": lambda s: (
        Action(accept=True) if s.standing_offer else Action(text="Your number?")
    ),
}


def reward_of(policy: Callable[[Observation], Action], persona: str, seed: int) -> float:
    game = Negotiation("saas_enterprise", persona, "seller", seed, speak=False)
    while not game.done:
        action = policy(game.observe())
        try:
            game.step(action)
        except ActionRefused:
            game.step(Action(text=f"Go on, turn {game.turn}."))
    return game.total_reward


@cache
def of_good_deals(persona: str) -> float:
    """What an expert earns in the same games."""
    good = [play_one("saas_enterprise", persona, "seller", "expert", seed).total_reward for seed in SEEDS]
    return float(np.mean(good))


@pytest.mark.parametrize(
    ("name", "persona"),
    [
        pytest.param(
            name, persona, marks=[] if number % len(PERSONAS) == row % len(PERSONAS) else pytest.mark.thorough
        )
        for row, name in enumerate(CONSTANT)
        for number, persona in enumerate(PERSONAS)
    ],
)
def test_no_constant_policy_earns_more_than_a_good_deal(name, persona) -> None:
    constant = np.mean([reward_of(CONSTANT[name], persona, seed) for seed in SEEDS])
    assert constant < 0.5 * of_good_deals(persona)


def test_prove_it_pays_at_most_once_a_claim() -> None:
    for seed in range(40):
        game = Negotiation("saas_enterprise", "shark", "seller", seed, speak=False)
        claims, paid = 0, 0.0
        while not game.done:
            step = game.step(
                Action(text=f"Prove it, number {game.turn}. I don't believe you.", offer=170_000.0)
            )
            claims += step.reply.claim is not None
            paid += sum(max(0.0, t.points) for t in step.terms if t.name == "bluff")
        assert paid <= 12 * claims
