"""What any learner is told, and GRPO's own part of it. Papers are named where a default is theirs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from trainer.learning.advantages import Credit, Scale
from trainer.learning.loss import LossSettings
from trainer.learning.optimizer import OptimizerSettings
from trainer.learning.precision import Precision
from trainer.learning.rollout import Sampling


@dataclass(frozen=True, slots=True)
class LearnerSettings:
    """What the training loop itself goes by, whatever it learns from."""

    OLD_KEYS: ClassVar[dict[str, str]] = {"piece": "micro_batch", "choose_every": "eval_steps"}

    steps: int = 100
    rows: int = 320
    """At most so many answers are learnt from in a step, drawn at random; 0 for all."""
    updates: int = 1
    """Updates a step, each on its own part of the rows; with one, the ratio of the clip starts at 1."""
    micro_batch: int = 64
    """Rows worked on at once; the gradient does not depend on it."""
    save_every: int = 10
    """Steps between checkpoints: what kill -9 can lose."""
    eval_steps: int = 20
    """Steps between measurements on held-out tasks, by which the best weights are kept."""
    average: float = 0.0
    """Decay of a running average of the weights, which is what is measured and kept; 0 takes them as they are. Against
    best responses a learner circles around the equilibrium, and it is the average that comes to rest."""
    precision: Precision = "float32"
    """Of the updates; answers are written in float32."""
    sampling: Sampling = field(default_factory=Sampling)
    loss: LossSettings = field(default_factory=LossSettings)
    optimizer: OptimizerSettings = field(
        default_factory=lambda: OptimizerSettings(learning_rate=1e-3, warm_up=3)
    )

    def __post_init__(self) -> None:
        at_least(self, 1, "steps", "updates", "micro_batch", "save_every", "eval_steps")
        if not 0 <= self.average < 1:
            raise ValueError("average must lie in [0, 1)")


@dataclass(frozen=True, slots=True)
class GrpoSettings(LearnerSettings):
    """How an adapter is trained on a domain."""

    OLD_KEYS: ClassVar[dict[str, str]] = {
        **LearnerSettings.OLD_KEYS,
        "groups": "prompts_per_step",
        "group": "num_generations",
        "penalty": "malformed",
        "choose_tasks": "eval_tasks",
    }

    prompts_per_step: int = 8
    """Tasks a step. DeepSeekMath takes 16, larger runs hundreds."""
    num_generations: int = 8
    """G, rollouts of each task: 64 in DeepSeekMath, 16 in DAPO; 8 is enough where luck is shared by the seed."""
    credit: Credit = "to_go"
    scale: Scale = "batch"
    """``batch`` divides by one deviation for the whole step. ``std``, GRPO's, divides by each group's own, and so makes
    two points more in a group that always closes weigh as much as the deal itself in one that does not: a negotiator
    learns to hold out, and loses deals. Seen in one run, not compared with all else equal."""
    few: int = 0
    """Where fewer of a group than this reached a round, what they earned is compared with all of the step that reached
    it. Otherwise one that holds out alone to the last turn, and loses the deal there, learns nothing from it: there is
    nobody in its group to be compared with."""
    fades: dict[str, float] = field(default_factory=dict)
    """Terms of the reward that a round answers for by so much less with every round that lies between, by name; 1, as
    if not named, holds every round fully to account. An impasse is dear, rare and mostly a matter of the last moves: as
    part of every round's return it drowns what the early ones did for the share. For ``to_go``."""
    parts: bool = True
    """Whether a part of an answer that changes nothing in the game (a stated belief) is credited with what it alone
    earned, and the rest with the rest. Otherwise every token answers for everything, and the digits of a belief, half
    of an answer, are pushed about by how the deal went."""
    malformed: float = -4.0
    """Advantage of the token at which an answer left the grammar. Leaving such answers out lets the format drift; so
    many times the usual advantage, since it is one token of some thirty, and a rare one."""
    eval_tasks: int = 96
    """Held-out tasks that are played each time; 0 measures nothing on the way and keeps the last."""

    def __post_init__(self) -> None:
        LearnerSettings.__post_init__(self)
        at_least(self, 1, "prompts_per_step")
        at_least(self, 2, "num_generations")
        if any(not 0 <= kept <= 1 for kept in self.fades.values()):
            raise ValueError("fades must lie in [0, 1]")


def at_least(settings: LearnerSettings, least: int, *names: str) -> None:
    """Refuse a setting that is less.

    Raises:
        ValueError: naming the first.
    """
    for name in names:
        if getattr(settings, name) < least:
            alone = ": one alone has nothing to be compared with" if name == "num_generations" else ""
            raise ValueError(f"{name} must be at least {least}{alone}")
