"""An earlier self across the table: the policy as it was some steps ago, in the other seat."""

from __future__ import annotations

from typing import Any

import torch

from trainer.domains.deal.tables import OpenTables
from trainer.learning.checkpoint import put_weights, trained_weights
from trainer.learning.policy import Policy, merged_copy
from trainer.learning.rollout import Sampling, writer


class FrozenSelf:
    """Keeps the self of the last multiple of ``every`` steps in the other seat of self-play's tables."""

    def __init__(self, policy: Policy, tables: OpenTables, every: int, sampling: Sampling) -> None:
        self._policy = policy
        self._tables = tables
        self._every = every
        self._sampling = sampling
        self.weights: dict[str, torch.Tensor] = {}
        self._model: Any = None

    def prepare(self, step: int, generator: torch.Generator) -> None:
        """Before a step is played: renew the frozen self where it is time, and seat it."""
        if step % self._every == 0 or not self.weights:
            self.put(trained_weights(self._policy))
        self._tables.across = writer(self._policy, self._sampling, generator, self._model)

    def put(self, weights: dict[str, torch.Tensor]) -> None:
        """Freeze these weights."""
        now = trained_weights(self._policy)
        put_weights(self._policy, weights, "the frozen self")
        self._model = merged_copy(self._policy)
        put_weights(self._policy, now, "the policy")
        self.weights = weights
