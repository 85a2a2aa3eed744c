"""Self-play at tables of three: personas or reference strategies in each seat, many seeds, with intervals."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from negotiation.engine.coalition.chance import stream
from negotiation.engine.coalition.game import CoalitionGame
from negotiation.engine.coalition.outcome import name_of
from negotiation.engine.coalition.strategies import STRATEGIES
from negotiation.engine.coalition.types import COALITIONS, SEATS, Outcome, Seat
from negotiation.engine.deal.persona import personas
from negotiation.engine.figures import bootstrap

Told = dict[str, Any]
"""A mean and its 95% interval, as they are printed."""


def play_one(scenario: str, players: Mapping[Seat, str], seed: int) -> Outcome:
    """One game without words; ``players`` names a persona or a strategy for every seat."""
    seated = {seat: who for seat, who in players.items() if who in personas()}
    game = CoalitionGame(scenario, seated, seed, speak=False)
    strategies = {
        seat: STRATEGIES[who](game.scenario, seat) for seat, who in players.items() if seat not in seated
    }
    while (seat := game.table.to_move) is not None:
        view = game.observe(seat)
        game.step(seat, strategies[seat].act(view, stream(seed, "player", view.turn)))
    if game.outcome is None:
        raise RuntimeError("a finished game has an outcome")
    return game.outcome


@dataclass(frozen=True, slots=True)
class CoalitionReport:
    """What self-play came to. ``formed`` is the rate of each coalition, ``none`` that of no deal."""

    episodes: int
    efficiency: Told
    formed: dict[str, float]
    stable_rate: float
    core_exists_rate: float
    mean_rounds: float
    payoff: dict[Seat, Told]
    share_of_shapley: dict[Seat, Told]
    episodes_per_second: float


def selfplay(scenario: str, players: Mapping[Seat, str], episodes: int, seed: int) -> CoalitionReport:
    """Play ``episodes`` seeds from ``seed`` on and sum them up."""
    started = time.perf_counter()
    outcomes = [play_one(scenario, players, seed + index) for index in range(episodes)]
    elapsed = time.perf_counter() - started
    rng = np.random.default_rng(seed)

    def figure(values: list[float]) -> Told:
        return bootstrap(values, rng).as_json()

    signed = [name_of(o.agreement.members) if o.agreement else "none" for o in outcomes]
    names = [*(name_of(members) for members in COALITIONS), "none"]
    return CoalitionReport(
        episodes=episodes,
        efficiency=figure([o.efficiency for o in outcomes]),
        formed={name: signed.count(name) / episodes for name in names},
        stable_rate=sum(o.stable for o in outcomes) / episodes,
        core_exists_rate=sum(o.core is not None for o in outcomes) / episodes,
        mean_rounds=float(np.mean([o.rounds for o in outcomes])),
        payoff={seat: figure([o.payoffs[seat] for o in outcomes]) for seat in SEATS},
        share_of_shapley={
            seat: figure([o.payoffs[seat] / o.shapley[seat] for o in outcomes]) for seat in SEATS
        },
        episodes_per_second=episodes / elapsed,
    )
