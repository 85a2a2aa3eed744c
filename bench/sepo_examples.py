"""How exploitable the examples themselves are: the demonstrators' mixture of every game against its adversaries.

    python -m bench.sepo_examples [--episodes 4000] [--output bench/results/sepo_examples.json]

One demonstrator is drawn at the start of an episode and plays it, by the weights of the paper's Tables 6 and H.1. A model
that learns its examples and nothing else is as exploitable as they are; whether that is more than before depends on
what it was before, so a player that picks any legal action stands beside them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.experiment import Figures, Given, experiment, option
from negotiation.engine.drills import GAMES, Game
from trainer.domains.drills.contestants import Choosing, Named
from trainer.domains.drills.evaluation import evaluate

SEED = 42
FEW = 200
"""Episodes of the player that picks anything, which is played move by move."""


def margins(figures: dict[str, Any], game: Game) -> dict[str, float]:
    """What each adversary of a measured player was ahead by, a round; below 0 where it was not."""
    met = figures["by_opponent"]
    return {name: met[name]["other"]["mean"] - met[name]["pay"]["mean"] for name in game.pools.exploit}


def exploit(by_adversary: dict[str, float]) -> float:
    """The paper's e: the mean over adversaries of how far each is ahead, at least 0."""
    return float(np.mean([max(0.0, margin) for margin in by_adversary.values()]))


def anything(game: Game, episodes: int) -> dict[str, Any]:
    """Figures of whoever picks any legal action."""
    rng = np.random.default_rng(SEED)
    player = Choosing(lambda matches: [int(rng.choice(match.legal(0))) for match in matches])
    return evaluate(game, player, min(FEW, episodes), SEED)


@experiment(
    "sepo_examples.json",
    option("--episodes", type=int, default=4000),
    told=False,
)
def main(asked: Given) -> Figures:
    report = {}
    for game in GAMES.values():
        each = {
            name: margins(evaluate(game, Named(game.strategies[name]), asked.episodes, SEED), game)
            for name in game.demonstrators
        }
        mixture = {
            adversary: sum(share * each[name][adversary] for name, share in game.demonstrators.items())
            for adversary in game.pools.exploit
        }
        report[game.name] = {
            "demonstrators": dict(game.demonstrators),
            "margins": each,
            "exploit_of_examples": round(exploit(mixture), 4),
            "exploit_of_anything": round(exploit(margins(anything(game, asked.episodes), game)), 4),
        }
        print(game.name, {k: v for k, v in report[game.name].items() if k.startswith("exploit")})
    return report


if __name__ == "__main__":
    main()
