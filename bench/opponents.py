"""How hard are the personas? Every reference strategy against every persona, and difficulty in steps.

    python -m bench.opponents [--episodes 400] [--output bench/results/opponents.json]

Episodes alternate seats and rotate through the scenarios; an impasse counts as efficiency 0. Each strategy
meets the same seeds (common random numbers). Intervals are 95% bootstrap. ``worst`` is the trained player on the same
deals (``bench/oracle.py``): what somebody takes who has practised on all of them. It is not in the mean of the strategies.
"""

from __future__ import annotations

import os
import time
from typing import Any

import numpy as np

from bench.experiment import Figures, Given, experiment, option, processes
from negotiation.engine.deal import personas, scenarios
from negotiation.engine.deal.selfplay import STRATEGIES, TRAINED, play_one
from negotiation.engine.figures import bootstrap

FIRST_SEED = 50_000
NAIVE = ("capitulator", "conceder", "linear")
DIFFICULTIES = (0.0, 0.25, 0.5, 0.75, 1.0)
LADDER_STRATEGIES = ("linear", "tit_for_tat", "expert")

Job = tuple[str, str, int, float]


def outcomes(job: Job) -> list[tuple[float, bool, float]]:
    """(efficiency, deal, reward) of each episode of one cell."""
    strategy, persona, episodes, difficulty = job
    ids = list(scenarios())
    played = []
    for i in range(episodes):
        seat = "seller" if i % 2 == 0 else "buyer"
        result = play_one(ids[(i // 2) % len(ids)], persona, seat, strategy, FIRST_SEED + i, difficulty)  # type: ignore[arg-type]
        played.append((result.efficiency, result.deal, result.total_reward))
    return played


def summary(played: list[tuple[float, bool, float]]) -> dict[str, Any]:
    shares = np.array([p[0] for p in played])
    return {
        **bootstrap(shares).as_json(4),
        "standard_error": round(float(shares.std(ddof=1) / np.sqrt(len(shares))), 4),
        "deal_rate": round(float(np.mean([p[1] for p in played])), 3),
        "mean_reward": round(float(np.mean([p[2] for p in played])), 1),
    }


def run(episodes: int, workers: int, who: list[str]) -> dict[str, Any]:
    table_jobs = [(s, p, episodes, 0.5) for s in STRATEGIES for p in who]
    ladder_jobs = [(s, p, episodes, d) for s in LADDER_STRATEGIES for p in who for d in DIFFICULTIES]
    started = time.perf_counter()
    worst_jobs = [(s, p, episodes, 0.5) for s in TRAINED for p in who]
    jobs = table_jobs + ladder_jobs + worst_jobs
    played = dict(zip(jobs, processes(workers, outcomes, jobs), strict=True))
    table = {s: {p: summary(played[s, p, episodes, 0.5]) for p in who} for s in STRATEGIES}
    overall = {p: summary([o for s in STRATEGIES for o in played[s, p, episodes, 0.5]]) for p in who}
    ladder = {
        p: {
            str(d): summary([o for s in LADDER_STRATEGIES for o in played[s, p, episodes, d]])
            for d in DIFFICULTIES
        }
        for p in who
    }
    expert_gain = {
        p: round(table["expert"][p]["mean"] - float(np.mean([table[s][p]["mean"] for s in NAIVE])), 4)
        for p in who
    }
    return {
        "episodes_per_cell": episodes,
        "seconds": round(time.perf_counter() - started, 1),
        "table": table,
        "worst": {s: {p: summary(played[s, p, episodes, 0.5]) for p in who} for s in TRAINED},
        "overall": overall,
        "expert_minus_naive": expert_gain,
        "difficulty": ladder,
    }


def show(report: dict[str, Any]) -> None:
    names = list(report["overall"])
    print("mean E (deal rate)".ljust(20), *(n.ljust(24) for n in names))
    for strategy, row in {**report["table"], **report["worst"]}.items():
        cells = (
            f"{row[n]['mean']:.2f} [{row[n]['ci95'][0]:.2f}, {row[n]['ci95'][1]:.2f}] ({row[n]['deal_rate']:.2f})"
            for n in names
        )
        print(strategy.ljust(20), *(c.ljust(24) for c in cells))
    for title, row in (("all strategies", report["overall"]),):
        print(title.ljust(20), *(f"{row[n]['mean']:.3f} {row[n]['ci95']}".ljust(24) for n in names))
    print("expert - naive".ljust(20), *(f"{report['expert_minus_naive'][n]:.3f}".ljust(24) for n in names))
    for difficulty in DIFFICULTIES:
        steps = (report["difficulty"][n][str(difficulty)] for n in names)
        print(
            f"difficulty {difficulty:g}".ljust(20),
            *(f"{c['mean']:.3f} ± {c['standard_error']:.3f}".ljust(24) for c in steps),
        )


@experiment(
    "opponents.json",
    option("--episodes", type=int, default=400),
    option("--workers", type=int, default=os.cpu_count() or 1),
    option("--persona", nargs="+", choices=list(personas()), default=list(personas())),
    told=False,
)
def main(options: Given) -> Figures:
    report = run(options.episodes, options.workers, options.persona)
    show(report)
    return report


if __name__ == "__main__":
    main()
