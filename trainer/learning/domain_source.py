"""A domain as a source of training samples: its tasks played in groups, each answer compared within its group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import torch

from trainer.domains.games import Domain
from trainer.learning.grpo import generator_of
from trainer.learning.policy import Policy, merged_copy
from trainer.learning.processes import ProcessGroup
from trainer.learning.rollout import Decoder, Trajectory, roll_out
from trainer.learning.samples import TrainingSample, training_samples
from trainer.learning.served import Served
from trainer.learning.settings import GrpoSettings


class EarlierSelf(Protocol):
    """The policy as it was some steps ago, which plays in other seats."""

    weights: dict[str, torch.Tensor]

    def prepare(self, step: int, generator: torch.Generator) -> None: ...

    def put(self, weights: dict[str, torch.Tensor]) -> None: ...


class DomainSource:
    """GRPO's samples of one domain.

    Args:
        seed: of the luck of the held-out games.
        frozen: an earlier self in other seats of some games.
        served: a server that writes the training games' answers.
        decoder: writes every answer in a way of its own.
    """

    kind = "grpo"
    merges = False

    def __init__(
        self,
        domain: Domain[Any],
        settings: GrpoSettings,
        seed: int,
        *,
        frozen: EarlierSelf | None = None,
        served: Served | None = None,
        decoder: Decoder | None = None,
    ) -> None:
        self.settings = settings
        self._domain, self._seed = domain, seed
        self._frozen, self._served, self._decoder = frozen, served, decoder
        self._dropped = 0

    def restore(self, kept: Mapping[str, Any]) -> None:
        """Take back the earlier self of a checkpoint."""
        if self._frozen is not None:
            self._frozen.put(kept["frozen"])

    def state(self) -> dict[str, Any]:
        """The earlier self, for a checkpoint."""
        return {} if self._frozen is None else {"frozen": self._frozen.weights}

    def rollout(
        self, policy: Policy, step: int, generator: torch.Generator, processes: ProcessGroup
    ) -> list[Trajectory]:
        """``num_generations`` episodes of each of this process's tasks, one task after the other."""
        if self._frozen is not None:
            self._frozen.prepare(step, generator)
        if self._served is not None:
            self._served.renew(policy, processes)
        tasks = processes.share(self._domain.curriculum.tasks(step, self.settings.prompts_per_step))
        return roll_out(
            policy,
            self._domain.games,
            [task for task in tasks for _ in range(self.settings.num_generations)],
            self.settings.sampling,
            generator,
            merged_copy(policy),
            self._served,
            self._decoder,
        )

    def samples(self, policy: Policy, episodes: Sequence[Trajectory]) -> list[TrainingSample]:
        """Every answer of a group whose rollouts differ, and every malformed one."""
        found, self._dropped = training_samples(episodes, self.settings, policy)
        return found

    def summary(self, episodes: Sequence[Trajectory]) -> dict[str, float]:
        """Means over the step's episodes, and how many groups were all alike."""
        return {**summary(episodes), "dropped_groups": self._dropped}

    def evaluate(self, policy: Policy) -> dict[str, Any] | None:
        """The mean score of the held-out tasks."""
        if not self.settings.eval_tasks:
            return None
        tasks = self._domain.curriculum.held_out(self.settings.eval_tasks)
        generator = generator_of(self._seed, "choose", 0)
        policy.model.eval()
        episodes = roll_out(
            policy,
            self._domain.games,
            tasks,
            self.settings.sampling,
            generator,
            merged_copy(policy),
            decoder=self._decoder,
        )
        return summary(episodes)


def summary(episodes: Sequence[Trajectory]) -> dict[str, float]:
    """Means over episodes: reward, its terms, how they ended, how answers came out."""
    answers = sum(len(each.rows) for each in episodes)
    failed = sum(len(each.failed) for each in episodes)
    names = sorted({name for each in episodes for name in each.terms})
    facts = sorted({name for each in episodes for name in each.facts})
    return {
        "reward": float(np.mean([sum(each.rewards) for each in episodes])),
        **{
            f"term_{name}": float(np.mean([each.terms.get(name, 0.0) for each in episodes])) for name in names
        },
        **{name: float(np.mean([each.facts[name] for each in episodes])) for name in facts},
        "rounds": answers / len(episodes),
        "fallbacks": failed,
        "refused": sum(each.refused for each in episodes),
        "validity": 1 - failed / max(1, answers),
        "answer_tokens": sum(len(row.written.tokens) for each in episodes for row in each.rows)
        / max(1, answers),
    }
