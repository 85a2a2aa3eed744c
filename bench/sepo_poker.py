"""Where the objective leads in poker when nothing is left to chance: exact gradients on the twelve probabilities.

    python -m bench.sepo_poker [--steps 40] [--output bench/results/sepo_poker.json]

The learner begins at the demonstrators' mixture and climbs Safety, its payoff against train less what the exploit pool
takes: a fixed pool, or one that a best response joins at every step, of which the latest four stay. What is left
between this and a trained model is sampling, a network, and its optimizer.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from negotiation.engine.drills import GAMES
from negotiation.engine.drills.kuhn.strategies import STRATEGIES
from negotiation.engine.drills.kuhn.theory import expected_pay, nash_conv, response_behaviour
from trainer.domains.drills.weights import TABLE_1

RATE, KEEP, NUDGE = 3.0, 4, 1e-3
KUHN = GAMES["kuhn"]
Table = np.ndarray[Any, Any]


def climb(steps: int, *, grow: bool) -> list[float]:
    """NashConv after each step."""
    begun = np.clip(
        sum(share * STRATEGIES[name].behaviour for name, share in KUHN.demonstrators.items()), 0.01, 0.99
    )
    logits, grown, found = np.log(begun / (1 - begun)), [], []
    for step in range(steps):
        play = 1 / (1 + np.exp(-logits))
        if grow:
            grown = [*grown, response_behaviour(play)][-KEEP:]
        faced = opponents(play, grown)
        slope = np.zeros_like(play)
        for place in np.ndindex(play.shape):
            nudge = np.zeros_like(play)
            nudge[place] = NUDGE
            above, below = (
                sum(weight * expected_pay(play + sign * nudge, other) for other, weight in faced)
                for sign in (1, -1)
            )
            slope[place] = (above - below) / (2 * NUDGE)
        decay = 0.1 + 0.45 * (1 + np.cos(np.pi * step / steps))
        logits = logits + RATE * decay * slope * play * (1 - play)
        after = 1 / (1 + np.exp(-logits))
        found.append(round(nash_conv([after, after]), 4))
    return found


def opponents(play: Table, grown: list[Table]) -> list[tuple[Table, float]]:
    """Who counts, and how much: partners, adversaries that are ahead, best responses. The game is zero-sum, so what an
    adversary is ahead by is twice what it wins."""
    pools = KUHN.pools
    faced = [(STRATEGIES[name].behaviour, 1 / len(pools.train)) for name in pools.train]
    named = [STRATEGIES[name].behaviour for name in pools.exploit]
    charge = 2 * TABLE_1["kuhn"].exploit / (len(named) + len(grown))
    faced += [(each, charge) for each in named if expected_pay(play, each) < 0]
    return faced + [(each, charge) for each in grown]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--output", type=Path, default=Path("bench/results/sepo_poker.json"))
    asked = parser.parse_args()
    report = {
        name: climb(asked.steps, grow=grow) for name, grow in (("fixed pool", False), ("growing pool", True))
    }
    for name, found in report.items():
        print(name, found[::5], found[-1])
    asked.output.write_text(json.dumps({"steps": asked.steps, "nash_conv": report}, indent=1) + "\n")


if __name__ == "__main__":
    main()
