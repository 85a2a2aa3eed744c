"""How a model is trained on one game by SEPO."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from trainer.domains.drills.objective import ObjectiveSettings
from trainer.learning.loss import LossSettings
from trainer.learning.optimizer import OptimizerSettings
from trainer.learning.rollout import Sampling
from trainer.learning.settings import LearnerSettings, at_least


@dataclass(frozen=True, slots=True)
class SepoSettings(LearnerSettings):
    """SEPO's part of what the learner is told, and the learner's with its defaults."""

    OLD_KEYS: ClassVar[dict[str, str]] = {
        **LearnerSettings.OLD_KEYS,
        "rollouts": "num_generations",
        "choose_episodes": "eval_episodes",
    }

    steps: int = 25
    rows: int = 256
    micro_batch: int = 256
    save_every: int = 20
    eval_steps: int = 10
    sampling: Sampling = field(default_factory=lambda: Sampling(decoding="masked", temperature=1.0))
    """At the temperature that the player is measured, answered by best responses and served at: a policy sharpened for
    its rollouts alone learns to be balanced when sharpened, and is another player afterwards."""
    loss: LossSettings = field(
        default_factory=lambda: LossSettings(clip_high=0.2, kl=0.1, kl_estimator="one_sided")
    )
    """The paper's clip of .2 either way and its one-sided KL penalty of .1 (.2 in poker)."""
    optimizer: OptimizerSettings = field(
        default_factory=lambda: OptimizerSettings(learning_rate=3e-3, warm_up=3, decay=True)
    )
    num_generations: int = 8
    """n, rollouts of a match: they meet the same cards, values and coin flips. The paper's text takes 8."""
    matches: int = 1
    """Matches against each opponent, each with luck of its own."""
    grow_every: int = 0
    """Every so many steps a best response to the learner joins the exploit pool; 0 never."""
    grow_keep: int = 6
    """How many best responses stay, the latest: old ones are beaten and only thin the pool."""
    malformed: float = -1.0
    """Advantage of an answer that had to be asked for again."""
    eval_episodes: int = 64
    """Matches against each held-out opponent; where play is a table they cost nothing and a thousand are simulated."""
    objective: ObjectiveSettings = field(default_factory=ObjectiveSettings)

    def __post_init__(self) -> None:
        LearnerSettings.__post_init__(self)
        at_least(self, 1, "matches", "eval_episodes", "grow_keep")
        at_least(self, 2, "num_generations")
        at_least(self, 0, "grow_every")
        if self.sampling.temperature <= 0:
            raise ValueError(
                "sampling.temperature must be above 0: a player that never varies explores nothing"
            )
