"""Self-play: reference strategies against personas, many seeds, with intervals."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from negotiation.engine.deal.discoverer import Discoverer, SilentDiscoverer
from negotiation.engine.deal.expert import Bayesian, Expert
from negotiation.engine.deal.game import Negotiation
from negotiation.engine.deal.oracle import Oracle
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.strategies import (
    Boulware,
    Capitulator,
    Conceder,
    Linear,
    RandomPlayer,
    Stonewaller,
    Strategy,
    TitForTat,
)
from negotiation.engine.deal.streams import stream
from negotiation.engine.deal.types import Outcome, Seat
from negotiation.engine.figures import bootstrap

STRATEGIES: dict[str, Callable[[], Strategy]] = {
    "capitulator": Capitulator,
    "conceder": Conceder,
    "linear": Linear,
    "boulware": Boulware,
    "tit_for_tat": TitForTat,
    "bayesian": Bayesian,
    "stonewaller": Stonewaller,
    "random": RandomPlayer,
    "expert": Expert,
}
TALKERS: dict[str, Callable[[], Strategy]] = {
    "discoverer": Discoverer,
    "silent_discoverer": SilentDiscoverer,
}
"""Strategies that are played with the scenario's case."""
TRAINED: dict[str, Callable[[], Strategy]] = {"oracle": Oracle}
"""Players that were trained, not written."""
PLAYERS: dict[str, Callable[[], Strategy]] = {**STRATEGIES, **TALKERS, **TRAINED}
"""Everybody whom self-play can seat."""


def play_one(
    scenario: str | Scenario,
    persona: str,
    seat: Seat,
    strategy: str,
    seed: int,
    difficulty: float = 0.5,
    *,
    case: bool = False,
) -> Outcome:
    """One episode without words from the persona, with a ``case`` where asked and for those that talk; the outcome."""
    talks = case or strategy in TALKERS
    game = Negotiation(scenario, persona, seat, seed, difficulty=difficulty, speak=False, case=talks)
    player = PLAYERS[strategy]()
    player.told(game.scenario)
    while not game.done:
        game.step(player.act(game.observe(), stream(seed, "player", game.turn)))
    if game.outcome is None:
        raise RuntimeError("a finished game has an outcome")
    return game.outcome


@dataclass(frozen=True, slots=True)
class SelfPlayReport:
    """What ``selfplay`` prints; an impasse counts as efficiency 0."""

    episodes: int
    mean_efficiency: float
    efficiency_ci95: list[float]
    deal_rate: float
    mean_turns: float
    mean_reward: float
    floor_breaches: int
    episodes_per_second: float


def selfplay(
    scenario: str, persona: str, seat: Seat, strategy: str, episodes: int, seed: int, difficulty: float = 0.5
) -> SelfPlayReport:
    """Play ``episodes`` seeds from ``seed`` on and sum them up."""
    started = time.perf_counter()
    outcomes = [play_one(scenario, persona, seat, strategy, seed + i, difficulty) for i in range(episodes)]
    elapsed = time.perf_counter() - started
    shares = np.array([outcome.efficiency for outcome in outcomes])
    share = bootstrap(shares, seed)
    return SelfPlayReport(
        episodes=episodes,
        mean_efficiency=share.mean,
        efficiency_ci95=share.ci95,
        deal_rate=float(np.mean([o.deal for o in outcomes])),
        mean_turns=float(np.mean([o.turns for o in outcomes])),
        mean_reward=float(np.mean([o.total_reward for o in outcomes])),
        floor_breaches=sum(o.floor_breached for o in outcomes),
        episodes_per_second=episodes / elapsed,
    )
