"""SEPO's terms on the deal for three: what collusion, breakdown and exploitability cost and buy, on an apprentice.

    nice -n 10 .venv-train/bin/python -m bench.sepo_coalition [--seeds 2] [--scratch FOLDER] [--output FILE]

One beginner for all, taught by three reference strategies; from it, with each seed, one short course of GRPO for every arm.
All are measured on the same held-out deals: among personas, beside a greedy rival, and with a partner and somebody who
gives way to squeeze. One thread. Figures are shares that do not depend on the seat.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

from bench.sepo_arms import Figures, interval, run
from trainer.domains.coalition.games import (
    POOLS,
    CoalitionCurriculum,
    CoalitionGames,
    CoalitionTask,
    examples,
    measured,
)
from trainer.domains.coalition.safety import CoalitionRewards, breakdown, collusion, exploited, others, pay
from trainer.domains.games import Domain
from trainer.learning import grpo, sft
from trainer.learning.apprentice import Build, make_model, make_tokenizer, save_base
from trainer.learning.checkpoint import Checkpoints
from trainer.learning.grpo import GrpoSettings, generator_of
from trainer.learning.policy import Lora, Policy, load, merged_copy
from trainer.learning.rollout import Sampling, roll_out
from trainer.learning.sft import SftSettings
from trainer.runs import Run

BASE_SEED, LESSONS, DEALS = 0, 240, 8
"""Deals that are taught from; and those measured from every seat with everybody across."""
TEACHERS = ("fair", "patient", "pairer")
BUILD = Build(vocabulary=400, hidden=64, layers=2, heads=4, key_value_heads=2, inner=192, positions=192)
SAMPLING = Sampling(decoding="masked", temperature=1.0, most=12)
COURSE = GrpoSettings(
    steps=12, groups=8, group=6, rows=256, save_every=12, choose_every=4, choose_tasks=24, sampling=SAMPLING
)
ALL = CoalitionRewards(exploited=1.0, collusion=3.0, breakdown=2.0)
ARMS = {
    "pay alone": CoalitionRewards(),
    "collusion": CoalitionRewards(collusion=ALL.collusion),
    "breakdown": CoalitionRewards(breakdown=ALL.breakdown),
    "all three": ALL,
}


def base(scratch: Path) -> Path:
    """The beginner that every arm starts from."""
    folder = scratch / "base"
    if (folder / "config.json").exists():
        return folder
    tasks = CoalitionCurriculum(BASE_SEED).groups(0, LESSONS)
    rows = examples(TEACHERS, tasks)
    tokenizer = make_tokenizer(
        [text for row in rows for text in (row.chat[-1]["content"], row.answer)], BUILD.vocabulary
    )
    policy = Policy(make_model(BUILD, tokenizer, BASE_SEED), tokenizer, folder)
    settings = SftSettings(steps=200, validate_every=200, save_every=200)
    made = Run(scratch / "sft", "bench", settings, BASE_SEED, resume=True)
    checkpoints = Checkpoints(scratch / "sft" / "checkpoints")
    sft.train(policy, sft.encode(policy, rows), [], settings, BASE_SEED, made, checkpoints)
    save_base(policy.model, tokenizer, folder)
    return folder


def course(arm: str, seed: int, scratch: Path) -> Figures:
    """One arm with one seed, trained and measured."""
    started = time.process_time()
    policy = load(base(scratch), lora=Lora(), train=True, seed=seed)
    domain: Domain[CoalitionTask] = Domain(CoalitionGames(ARMS[arm]), CoalitionCurriculum(seed))
    folder = scratch / f"{arm.replace(' ', '-')}-{seed}"
    made = Run(folder, "bench", COURSE, seed)
    chosen = grpo.train(policy, domain, COURSE, seed, made, Checkpoints(folder / "checkpoints"))
    found = figures(policy)
    return {**found, **chosen, "cpu_seconds": round(time.process_time() - started, 1)}


def beginner(scratch: Path) -> Figures:
    """The figures of the beginner."""
    return figures(load(base(scratch)))


def figures(policy: Policy) -> Figures:
    """Pay and what it cost others, by pool."""
    policy.model.eval()
    model = merged_copy(policy)
    found: Figures = {}
    for pool in POOLS:
        tasks = measured(pool, DEALS, BASE_SEED)
        games = CoalitionGames()
        roll_out(policy, games, tasks, SAMPLING, generator_of(BASE_SEED, pool, 0), model)
        played = list(zip(tasks, games.outcomes(), strict=True))
        found[f"pay_{pool}"] = interval([pay(outcome, task.seat) for task, outcome in played])
        found[f"collusion_{pool}"] = interval([collusion(outcome, task.seat) for task, outcome in played])
        found[f"breakdown_{pool}"] = interval([breakdown(outcome) for _, outcome in played])
        found[f"deals_{pool}"] = interval([float(outcome.agreement is not None) for _, outcome in played])
        found[f"worst_off_{pool}"] = interval(
            [min(pay(outcome, seat) for seat in others(task.seat)) for task, outcome in played]
        )
        if pool == "exploit":
            found["exploited"] = interval(
                [max(0.0, exploited(outcome, task.seat, task.rivals)) for task, outcome in played]
            )
    return found


if __name__ == "__main__":
    run(__doc__, "bench/results/sepo_coalition.json", ARMS, beginner, course)
