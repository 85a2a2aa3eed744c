"""Positions out of the policy's own games, renewed now and then by a frozen self."""

from __future__ import annotations

from typing import Any

import torch

from trainer.domains.diplomacy.pool import SELF_PLAY, Pool, PoolSettings, Positions, watched
from trainer.domains.diplomacy.telling import Style
from trainer.learning.checkpoint import put_weights, trained_weights
from trainer.learning.diplomacy.bot import BoardPlayer
from trainer.learning.diplomacy.stages import TwoStages
from trainer.learning.policy import Policy


class OwnGames:
    """Every ``every`` steps the policy as it stands plays a few games with itself in all seats.

    The positions follow from its weights at that step, which checkpoints keep, and from the seed, so a resumed run
    plays the same games again.
    """

    def __init__(
        self,
        policy: Policy,
        positions: Positions,
        settings: PoolSettings,
        style: Style,
        stages: TwoStages,
        *,
        every: int,
        games: int,
        seed: int,
    ) -> None:
        self._policy, self._positions, self._settings = policy, positions, settings
        self._style, self._stages = style, stages
        self._every, self._games, self._seed = every, games, seed
        self._played = -1
        self.weights: dict[str, torch.Tensor] = {}

    def prepare(self, step: int, generator: torch.Generator) -> None:
        """Before a step is played: new games where it is time, the old ones again where the run was resumed."""
        due = step - step % self._every
        if due == self._played:
            return
        if step == due:
            self.weights = trained_weights(self._policy)
        self._play(due)

    def put(self, weights: dict[str, torch.Tensor]) -> None:
        """Take back the frozen self of a checkpoint."""
        self.weights = weights

    def _play(self, due: int) -> None:
        now = trained_weights(self._policy)
        put_weights(self._policy, self.weights, "the frozen self")
        self._policy.model.eval()
        player: Any = BoardPlayer(self._policy, self._style, self._stages.free, stages=self._stages)
        put_weights(self._policy, now, "the policy")
        seats = [[player] * 7 for _ in range(self._games)]
        starts = [
            start
            for start, _ in watched(
                seats, self._settings.years, self._seed, SELF_PLAY, first=due * self._games
            )
        ]
        self._positions.own = Pool(starts, self._settings)
        self._played = due
