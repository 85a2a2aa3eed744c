"""Is the reference observer honest? Its error and the coverage of its 95% interval, by persona and phase.

    python -m bench.observer [--games 60] [--output bench/results/observer.json]

The observer sees offers and headlines from the player's seat. ``prior_error`` is that of somebody who only
knows the market; all errors are shares of the nominal zone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.experiment import Figures, Given, experiment, option
from negotiation.engine.deal import OTHER_SEAT, SIGN, Negotiation, personas, scenarios
from negotiation.engine.deal.selfplay import STRATEGIES
from negotiation.engine.deal.streams import stream

FIRST_SEED = 7_000
PLAYERS = ("linear", "expert", "tit_for_tat")
PHASES = ((1, 4), (5, 8), (9, 12), (13, 20))


def watch(persona: str, strategy: str, games: int) -> list[tuple[int, float, float, bool]]:
    """(turn, error, prior's error, truth inside the interval) for each turn of ``games`` games."""
    seen = []
    ids = list(scenarios())
    for i in range(games):
        seat = "seller" if i % 2 else "buyer"
        game = Negotiation(ids[i % len(ids)], persona, seat, FIRST_SEED + i, speak=False)  # type: ignore[arg-type]
        player, sign = STRATEGIES[strategy](), SIGN[game.seat]
        width, market = game.scenario.nominal_width, game.scenario.seats[OTHER_SEAT[game.seat]].walk_away
        while not game.done:
            turn = game.turn
            game.step(player.act(game.observe(), stream(game.seed, "player", turn)))
            estimate, truth = game.reference_posterior().estimate(), sign * game.truth.opponent.walk_away
            inside = estimate.low <= truth <= estimate.high
            seen.append((turn, (estimate.mean - truth) / width, (sign * market - truth) / width, inside))
    return seen


@experiment(
    "observer.json",
    option("--games", type=int, default=60),
    told=False,
)
def main(options: Given) -> Figures:
    report: dict[str, Any] = {}
    for persona in personas():
        seen = [row for strategy in PLAYERS for row in watch(persona, strategy, options.games)]
        for low, high in PHASES:
            part = [row for row in seen if low <= row[0] <= high]
            if not part:
                continue
            found = {
                "turns": len(part),
                "error": round(float(np.mean([abs(row[1]) for row in part])), 3),
                "prior_error": round(float(np.mean([abs(row[2]) for row in part])), 3),
                "coverage": round(float(np.mean([row[3] for row in part])), 3),
            }
            report.setdefault(persona, {})[f"turns {low} to {high}"] = found
            print(f"{persona:10} turns {low:2} to {high:2}  {found}")
    return report


if __name__ == "__main__":
    main()
