"""The objective's choices on a learner without a network: a table of logits in the dilemma, many seeds in a minute.

    python -m bench.sepo_tables [--seeds 10] [--steps 60] [--matches 4000] [--output bench/results/sepo_tables.json]

The same groups, rewards and advantages as ``trainer.learning.sepo.source``; only the policy differs: one logit for each of
the 101 states that an apprentice told of two rounds can tell apart, begun at the demonstrators' frequencies. What a
network adds to the differences between choices (shared features, a KL penalty, an optimizer) is absent here.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from bench.experiment import Figures, Given, experiment, option
from negotiation.engine.drills import GAMES
from negotiation.engine.drills.ipd import COOPERATE, IPDStrategy
from negotiation.engine.drills.types import Seen
from negotiation.engine.figures import resampled
from trainer.domains.drills.contestants import Named
from trainer.domains.drills.evaluation import evaluate
from trainer.domains.drills.objective import (
    PAPER,
    Group,
    ObjectiveSettings,
    advantages,
    auxiliary_penalty,
    switched,
)
from trainer.domains.drills.weights import TABLE_1

IPD: Any = GAMES["ipd"]
"""Games differ in what a move is; here it is always the dilemma's."""
TOLD = 2
STATES = IPD.rounds * 4**TOLD
ROLLOUTS, RATE, DEMONSTRATIONS = 8, 2.0, 640
MODES = {
    "ours": ObjectiveSettings(),
    "harm charged beside adversaries": ObjectiveSettings(harm="all"),
    "constant penalty": ObjectiveSettings(constant=True),
    "credit as the paper": ObjectiveSettings(credit="paper"),
    "by the episode": ObjectiveSettings(normalise="episode"),
    "paid by the round alone": ObjectiveSettings(returns="immediate"),
    "all as the paper": PAPER,
    "without exploit": ObjectiveSettings(exploit=False),
    "without collusion": ObjectiveSettings(collusion=False),
    "without externality": ObjectiveSettings(externality=False),
}
SHOWN = ("pay", "exploit", "robust", "collusion", "externality", "safety_table1", "worst_margin")


def states(seen: Seen) -> np.ndarray[Any, Any]:
    """(n,): the round, and the last two rounds in base 4."""
    codes = np.full(seen.count, 4**TOLD * seen.round, dtype=np.intp)
    first = max(0, seen.round - TOLD)
    for place, (own, other) in enumerate(zip(seen.own[first:], seen.other[first:], strict=True)):
        codes += 4**place * (2 * own + other)
    return codes


def player(logits: np.ndarray[Any, Any]) -> IPDStrategy:
    """The table as a strategy."""
    cooperates = (1 / (1 + np.exp(-logits))).astype(np.float32)

    def cooperation(seen: Seen) -> Any:
        return cooperates.take(states(seen))

    def choose(seen: Seen, number: Any) -> Any:
        return (number >= cooperation(seen)).astype(np.int8)

    return IPDStrategy("table", "Table", "As trained.", choose, cooperation)


def begun(seed: int) -> np.ndarray[Any, Any]:
    """Logits of how often the demonstrators cooperated in each state, one in each state assumed either way."""
    counts = np.ones((2, STATES))
    opponents = IPD.pools.train + IPD.pools.exploit
    for name, share in IPD.demonstrators.items():
        for opponent in opponents:
            number = max(1, round(share * DEMONSTRATIONS / len(opponents)))
            draws = IPD.draws(number, seed, f"{name}/{opponent}")
            actions, _ = IPD.play(IPD.strategies[name], IPD.strategies[opponent], draws)
            np.add.at(counts, (actions[0], visited(actions)), 1)
    logits: np.ndarray[Any, Any] = np.log(counts[COOPERATE] / counts[1 - COOPERATE])
    return logits


def visited(actions: Any) -> np.ndarray[Any, Any]:
    """(rounds, n): the states that player 0 chose in."""
    own, other = actions
    nothing = np.zeros((0, own.shape[1]), dtype=np.int8)
    return np.stack([states(Seen(t, own[:t], other[:t], nothing)) for t in range(IPD.rounds)])


def learn(
    logits: np.ndarray[Any, Any], settings: ObjectiveSettings, steps: int, seed: int
) -> np.ndarray[Any, Any]:
    """Policy gradient with the objective's advantages, the mean over all choices, at a constant rate."""
    weights = switched(TABLE_1["ipd"], settings)
    for step in range(steps):
        groups, choices = [], []
        for pool in ("train", "exploit", "collusive"):
            names = IPD.pools.all()[pool]
            for name in names:
                one = IPD.draws(1, seed, f"{name}/{step}")
                draws = IPD.draws(ROLLOUTS, seed, f"{name}/{step}/own")
                moves = np.repeat(one.moves, ROLLOUTS, axis=1)
                moves[0::2] = draws.moves[0::2]  # the opponent's luck is shared, the learner's is not
                actions, private = IPD.play(player(logits), IPD.strategies[name], replace(draws, moves=moves))
                groups.append(Group(pool, IPD.measure(actions, private), share=1 / len(names)))
                choices.append(actions)
        if settings.credit == "paper":
            beside = [
                auxiliary_penalty(
                    [g.record for g in groups if g.pool == "exploit"],
                    [g.record for g in groups if g.pool == "collusive"],
                    weights,
                    IPD.scale,
                )
            ]
            groups = [replace(g, auxiliary=beside[0]) if g.pool == "train" else g for g in groups]
        slope, total = np.zeros(STATES), 0
        for actions, value in zip(
            choices, advantages(groups, TABLE_1["ipd"], IPD.scale, settings), strict=True
        ):
            at = visited(actions)
            score = (actions[0] == COOPERATE) - 1 / (1 + np.exp(-logits[at]))
            np.add.at(slope, at, score * value)
            total += value.shape[1]
        logits = logits + RATE * slope / total * len(groups)
    return logits


def figures(logits: np.ndarray[Any, Any], matches: int) -> dict[str, float]:
    """Every metric, over so many matches against each opponent."""
    found = evaluate(IPD, Named(player(logits)), matches, 1)
    return {
        name: float(found[name]["mean"] if isinstance(found[name], dict) else found[name]) for name in SHOWN
    }


def spread(values: list[float], draw: Callable[[int], Any]) -> dict[str, Any]:
    """Mean over seeds and a 95% bootstrap interval over seeds."""
    each = np.array(values)
    return resampled(each.mean(), each[draw(len(each))].mean(axis=1)).as_json(4)


@experiment(
    "sepo_tables.json",
    option("--seeds", type=int, default=10),
    option("--steps", type=int, default=60),
    option("--matches", type=int, default=4000, help="against each opponent, when measured"),
    told=False,
)
def main(asked: Given) -> Figures:
    rng = np.random.default_rng(0)

    def draw(count: int) -> Any:
        return rng.integers(0, count, size=(2000, count))

    started = time.process_time()
    report: dict[str, Any] = {"seeds": asked.seeds, "steps": asked.steps, "rate": RATE, "modes": {}}
    starts = [begun(seed) for seed in range(asked.seeds)]
    ends = {"examples alone": starts}
    for name, settings in MODES.items():
        ends[name] = [learn(start, settings, asked.steps, seed) for seed, start in enumerate(starts)]
    for name, learnt in ends.items():
        seeds = [figures(logits, asked.matches) for logits in learnt]
        summary = {metric: spread([each[metric] for each in seeds], draw) for metric in SHOWN}
        report["modes"][name] = {**summary, "by_seed": seeds}
        print(
            f"{name:<24}",
            {m: (v["mean"], v["ci95"]) for m, v in summary.items() if m in ("safety_table1", "exploit")},
        )
    report["cpu_seconds"] = round(time.process_time() - started, 1)
    return report


if __name__ == "__main__":
    main()
