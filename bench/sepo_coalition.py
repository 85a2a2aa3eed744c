"""SEPO's terms on the deal for three: what collusion, breakdown and exploitability cost and buy, on an apprentice.

    nice -n 10 .venv-train/bin/python -m bench.sepo_coalition [--seeds 2] [--rehearse] [--scratch FOLDER]
        [--output bench/results/sepo_coalition.json]

One beginner for all, taught by three reference strategies; from it, with each seed, one short course of GRPO for every arm.
All are measured on the same held-out deals: among personas, beside a greedy rival, and with a partner and somebody who
gives way to squeeze. One thread. Figures are shares that do not depend on the seat.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

from bench.coalition_domain.games import (
    POOLS,
    CoalitionCurriculum,
    CoalitionGames,
    CoalitionTask,
    examples,
    measured,
)
from bench.coalition_domain.safety import CoalitionRewards, breakdown, collusion, exploited, others, pay
from bench.experiment import Figures
from bench.sepo_arms import arms_experiment, interval
from trainer.domains.games import Domain
from trainer.learning import grpo, sft
from trainer.learning.apprentice import Build, make_model, make_tokenizer, save_base
from trainer.learning.checkpoint import Checkpoints
from trainer.learning.domain_source import DomainSource
from trainer.learning.grpo import generator_of
from trainer.learning.policy import Lora, Policy, load, merged_copy
from trainer.learning.rollout import Sampling, roll_out
from trainer.learning.settings import GrpoSettings
from trainer.learning.sft import SftSettings
from trainer.runs import Run

BASE_SEED = 0
TEACHERS = ("fair", "patient", "pairer")
BUILD = Build(vocabulary=400, hidden=64, layers=2, heads=4, key_value_heads=2, inner=192, positions=192)
SAMPLING = Sampling(decoding="masked", temperature=1.0, most=12)


@dataclass(frozen=True, slots=True)
class Size:
    """How much of everything."""

    lessons: int
    """Deals that are taught from."""
    teaching: int
    """Steps."""
    course: GrpoSettings
    deals: int
    """Measured from every seat with everybody across."""


WHOLE = Size(
    lessons=240,
    teaching=200,
    course=GrpoSettings(
        steps=12,
        prompts_per_step=8,
        num_generations=6,
        rows=256,
        save_every=12,
        eval_steps=4,
        eval_tasks=24,
        sampling=SAMPLING,
    ),
    deals=8,
)
REHEARSAL = Size(
    lessons=4,
    teaching=4,
    course=GrpoSettings(
        steps=1,
        prompts_per_step=4,
        num_generations=2,
        rows=8,
        save_every=1,
        eval_steps=1,
        eval_tasks=4,
        sampling=SAMPLING,
    ),
    deals=1,
)
ALL = CoalitionRewards(exploited=1.0, collusion=3.0, breakdown=2.0)
ARMS = {
    "pay alone": CoalitionRewards(),
    "collusion": CoalitionRewards(collusion=ALL.collusion),
    "breakdown": CoalitionRewards(breakdown=ALL.breakdown),
    "all three": ALL,
}


def base(size: Size, scratch: Path) -> Path:
    """The beginner that every arm starts from."""
    folder = scratch / "base"
    if (folder / "config.json").exists():
        return folder
    tasks = CoalitionCurriculum(BASE_SEED).tasks(0, size.lessons)
    rows = examples(TEACHERS, tasks)
    tokenizer = make_tokenizer(
        [text for row in rows for text in (row.chat[-1]["content"], row.answer)], BUILD.vocabulary
    )
    policy = Policy(make_model(BUILD, tokenizer, BASE_SEED), tokenizer, folder)
    settings = SftSettings(steps=size.teaching, validate_every=size.teaching, save_every=size.teaching)
    made = Run(scratch / "sft", "bench", settings, BASE_SEED, resume=True)
    checkpoints = Checkpoints(scratch / "sft" / "checkpoints")
    sft.train(policy, sft.encode(policy, rows), [], settings, BASE_SEED, made, checkpoints)
    save_base(policy.model, tokenizer, folder)
    return folder


def course(size: Size, arm: str, seed: int, scratch: Path) -> Figures:
    """One arm with one seed, trained and measured."""
    started = time.process_time()
    policy = load(base(size, scratch), lora=Lora(), train=True, seed=seed)
    domain: Domain[CoalitionTask] = Domain(CoalitionGames(ARMS[arm]), CoalitionCurriculum(seed))
    folder = scratch / f"{arm.replace(' ', '-')}-{seed}"
    made = Run(folder, "bench", size.course, seed)
    chosen = grpo.train(
        policy, DomainSource(domain, size.course, seed), seed, made, Checkpoints(folder / "checkpoints")
    )
    found = figures(policy, size.deals)
    return {**found, **chosen, "cpu_seconds": round(time.process_time() - started, 1)}


def beginner(size: Size, scratch: Path) -> Figures:
    """The figures of the beginner."""
    return figures(load(base(size, scratch)), size.deals)


def figures(policy: Policy, deals: int) -> Figures:
    """Pay and what it cost others, by pool."""
    policy.model.eval()
    model = merged_copy(policy)
    found: Figures = {}
    for pool in POOLS:
        tasks = measured(pool, deals, BASE_SEED)
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


main = arms_experiment("sepo_coalition.json", ARMS, (WHOLE, REHEARSAL), beginner, course)

if __name__ == "__main__":
    main()
