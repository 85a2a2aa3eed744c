"""SEPO's terms on the deal: what exploitability and breakdown cost and buy, with and without each, on an apprentice.

    nice -n 10 .venv-train/bin/python -m bench.sepo_deal [--seeds 2] [--rehearse] [--scratch FOLDER]
        [--output bench/results/sepo_deal.json]

One beginner for all, taught by strategies that concede; from it, with each seed, one short course of GRPO for every arm. All
are measured on the same deals: against personas, against the rivals trained with, and against rivals never met. One
thread. What was done already is read from the output and not done again. Intervals over deals are 95% bootstrap.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, replace
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from bench.experiment import Figures
from bench.sepo_arms import arms_experiment, interval
from negotiation.engine.figures import resampled
from negotiation.opponents.protocol import PERSON
from trainer.domains.deal import files
from trainer.domains.deal.rewards import RewardSettings
from trainer.domains.deal.selfplay import DataSettings
from trainer.domains.deal.tasks import DealTask, Mixture, measured
from trainer.evaluation.records import GameRecord
from trainer.learning import recipes
from trainer.learning.apprentice import Build
from trainer.learning.player import ModelPlayer
from trainer.learning.policy import load
from trainer.learning.recipes import TeachSettings, TrainSettings
from trainer.learning.rollout import Sampling
from trainer.learning.settings import GrpoSettings
from trainer.learning.sft import SftSettings
from trainer.runs import Run

MIXTURE = Mixture(scenarios=("saas_enterprise",))
POOL, UNMET = ("stonewaller", "boulware"), ("expert", "tit_for_tat")
"""The exploit pool that is trained against, and rivals that no training meets."""
BASE_SEED = 0
SMALL = Build(vocabulary=1024, hidden=96, layers=3, heads=4, key_value_heads=2, inner=256)


@dataclass(frozen=True, slots=True)
class Size:
    """How much of everything."""

    episodes: int
    """Deals that are taught from."""
    teaching: int
    """Steps."""
    course: GrpoSettings
    deals: int
    """With each persona, and with each rival, from each seat."""

    @property
    def data(self) -> DataSettings:
        """What the beginner learns from."""
        return DataSettings(
            episodes=self.episodes, teachers={"conceder": 0.5, "linear": 0.5}, mixture=MIXTURE
        )

    @property
    def teach(self) -> TeachSettings:
        """How it learns."""
        return TeachSettings(build=SMALL, sft=SftSettings(steps=self.teaching))


WHOLE = Size(
    episodes=500,
    teaching=220,
    course=GrpoSettings(
        steps=8, prompts_per_step=6, num_generations=8, rows=256, eval_steps=4, eval_tasks=36
    ),
    deals=30,
)
REHEARSAL = Size(
    episodes=16,
    teaching=4,
    course=GrpoSettings(steps=1, prompts_per_step=1, num_generations=2, rows=8, eval_steps=1, eval_tasks=2),
    deals=1,
)
WITH_POOL = replace(MIXTURE, rivals=POOL, rival_share=0.5)
PAID = RewardSettings(no_deal=0.5, speed=0.0)
"""As the demo pays: an impasse brings no share as it is."""
ARMS: dict[str, tuple[Mixture, RewardSettings]] = {
    "game alone": (MIXTURE, PAID),
    "pool": (WITH_POOL, PAID),
    "pool, exploited": (WITH_POOL, replace(PAID, exploited=2.0)),
    "pool, breakdown": (WITH_POOL, replace(PAID, breakdown=1.0)),
    "pool, both": (WITH_POOL, replace(PAID, exploited=2.0, breakdown=1.0)),
}


def base(size: Size, scratch: Path) -> Path:
    """The beginner that every arm starts from."""
    data, taught = scratch / "data", scratch / "sft"
    if not (data / "card.json").exists():
        files.generate(size.data, BASE_SEED, Run(data, "generate", size.data, BASE_SEED, resume=True))
    if not (taught / "base" / "config.json").exists():
        made = Run(taught, "sft", size.teach, BASE_SEED, resume=True)
        policy = recipes.apprentice(size.teach, data, taught / "untrained", BASE_SEED)
        recipes.teach(policy, size.teach.sft, data, BASE_SEED, made, resume=True)
        recipes.keep_as_base(policy, taught / "base")
    return taught / "base"


def figures(player: ModelPlayer, deals: int) -> Figures:
    """Share, deals and breakdowns with personas; what rivals took, by rival."""
    personas = player.play(measured(MIXTURE, deals, BASE_SEED, jitter=True))
    rivals = {name: player.play(against(name, deals)) for name in (*POOL, *UNMET)}
    possible = [each for each in personas if not each.excused]
    return {
        "share": interval([each.efficiency for each in personas]),
        "deals": interval([float(each.deal) for each in possible]),
        "breakdowns": interval([float(not each.deal) for each in possible]),
        "breaches": interval([float(each.breach) for each in personas]),
        "reward": interval([each.reward for each in personas]),
        "exploit_pool": exploit({name: rivals[name] for name in POOL}),
        "exploit_unmet": exploit({name: rivals[name] for name in UNMET}),
        "breakdowns_with_rivals": interval(
            [float(not each.deal) for found in rivals.values() for each in found if not each.excused]
        ),
        "share_with_rivals": interval([each.efficiency for found in rivals.values() for each in found]),
        "margins": {name: interval(margins(found)) for name, found in rivals.items()},
    }


def against(rival: str, deals: int) -> list[DealTask]:
    """The same deals with a rival in the other seat."""
    one = replace(MIXTURE, personas=MIXTURE.personas[:1])
    return [
        replace(task, persona=PERSON, rival=rival) for task in measured(one, deals, BASE_SEED, jitter=False)
    ]


def margins(records: list[GameRecord]) -> list[float]:
    """By how much of the zone the other side came out ahead, deal by deal; below 0 where the player did."""
    return [1 - 2 * each.efficiency if each.deal else 0.0 for each in records]


def exploit(records: dict[str, list[GameRecord]]) -> Figures:
    """The mean over rivals of how far each came out ahead on average, at least 0; resampled within each rival."""
    rng = np.random.default_rng(0)
    drawn = [np.array(margins(found)) for found in records.values()]
    means = [rng.choice(each, size=(2000, len(each))).mean(axis=1) for each in drawn]
    spread = np.mean([np.maximum(0, each) for each in means], axis=0)
    return resampled(float(np.mean([max(0.0, each.mean()) for each in drawn])), spread).as_json(4)


def course(size: Size, arm: str, seed: int, scratch: Path) -> Figures:
    """One arm with one seed, trained and measured."""
    mixture, rewards = ARMS[arm]
    settings = TrainSettings(mixture=mixture, rewards=rewards, grpo=size.course)
    made = Run(
        scratch / f"{arm.replace(', ', '-').replace(' ', '-')}-{seed}", "bench", settings, seed, resume=True
    )
    started = time.process_time()
    policy, chosen = recipes.train(base(size, scratch), settings, seed, made, resume=True)
    found = figures(ModelPlayer(arm, policy, Sampling(), seed), size.deals)
    return {**found, **chosen, "cpu_seconds": round(time.process_time() - started, 1)}


def beginner(size: Size, scratch: Path) -> Figures:
    """The figures of the beginner."""
    return figures(ModelPlayer("beginner", load(base(size, scratch)), Sampling(), BASE_SEED), size.deals)


main = arms_experiment("sepo_deal.json", ARMS, (WHOLE, REHEARSAL), beginner, course)

if __name__ == "__main__":
    main()
