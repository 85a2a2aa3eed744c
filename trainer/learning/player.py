"""A model as a player to be measured: drawn freely first, so that validity is its own, under the mask where it fails."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from negotiation.opponents.protocol.shape import Style
from trainer.domains.deal.games import DealGames
from trainer.domains.deal.tables import OpenTables
from trainer.domains.deal.tasks import DealTask
from trainer.domains.games import Writer
from trainer.evaluation.records import GameRecord, WatchedTables
from trainer.evaluation.run import EvaluationSettings
from trainer.learning.grpo import generator_of
from trainer.learning.policy import Policy, merged_copy
from trainer.learning.rollout import Sampling, roll_out, writer

SIDE_BY_SIDE = 128
"""Games played at once."""


class ModelPlayer:
    """A policy under a name.

    Args:
        guarded: whether moves beyond its own limit are closed off, as they are when it plays people.
    """

    def __init__(
        self,
        name: str,
        policy: Policy,
        sampling: Sampling,
        seed: int,
        style: Style = "brief",
        *,
        guarded: bool = False,
    ) -> None:
        self.name = name
        self._policy = policy
        self._sampling = sampling
        self._seed = seed
        self._style: Style = style
        self._guarded = guarded
        policy.model.eval()
        self._model: Any = merged_copy(policy)

    @classmethod
    def of(
        cls, name: str, policy: Policy, wanted: EvaluationSettings, seed: int, *, guarded: bool | None = None
    ) -> ModelPlayer:
        """As evaluation, gate and table have it: one style, one temperature, one limit of tokens."""
        sampling = Sampling(temperature=wanted.temperature).of_style(wanted.style)
        closed = wanted.guarded if guarded is None else guarded
        return cls(name, policy, sampling, seed, wanted.style, guarded=closed)

    def play(self, tasks: Sequence[DealTask], across: Writer | None = None) -> list[GameRecord]:
        records: list[GameRecord] = []
        for begin in range(0, len(tasks), SIDE_BY_SIDE):
            part = tasks[begin : begin + SIDE_BY_SIDE]
            tables = WatchedTables(OpenTables(across, self._style))
            games = DealGames(tables, style=self._style, guarded=self._guarded)
            generator = generator_of(self._seed, "measure", begin)
            episodes = roll_out(self._policy, games, part, self._sampling, generator, self._model)
            for table, (record, episode) in enumerate(zip(tables.records, episodes, strict=True)):
                record.answers, record.malformed = len(episode.rows), len(episode.failed)
                record.closed_off = games.closed_off[table]
                record.objected = games.objected[table] if games.hears_words else None
            records += tables.records
        return records

    def tell(self, task: DealTask) -> GameRecord:
        """One game with the persona's words, to be read."""
        tables = WatchedTables(OpenTables(style=self._style, speak=True))
        games = DealGames(tables, style=self._style, guarded=self._guarded)
        generator = generator_of(self._seed, "tell", 0)
        roll_out(self._policy, games, [task], self._sampling, generator, self._model)
        return tables.records[0]

    def across(self) -> Writer:
        """The same model in the other seat."""
        generator = generator_of(self._seed, "across", 0)
        found: Writer = writer(self._policy, self._sampling, generator, self._model)
        return found
