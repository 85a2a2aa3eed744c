"""The board as the learner's loop plays it: one answer a position, paid by what came of it in two more years.

Nothing of torch. Neighbouring tasks that are the same task are a group: their answers are standardised against each
other, part by part, and that is what they earn. An answer alone earns what it was worth by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from negotiation.engine.diplomacy.bots.base import Bot
from trainer.domains.diplomacy.answers import BoardAnswer, Malformed, orders_grammar, parse
from trainer.domains.diplomacy.judge import Judge, local_judge
from trainer.domains.diplomacy.lines import Lines
from trainer.domains.diplomacy.pledged import PledgedBot
from trainer.domains.diplomacy.pool import PositionTask
from trainer.domains.diplomacy.reward import BoardRewardSettings, plain
from trainer.domains.diplomacy.rollouts import GroupResult, Job, PlayedSample, Task, compared, played
from trainer.domains.diplomacy.tables import Sample, Start
from trainer.domains.diplomacy.telling import Style, chat
from trainer.domains.games import EpisodePosition

NO_LINES = Lines((), None)


@dataclass(frozen=True, slots=True)
class OrdersPosition(EpisodePosition):
    """A position whose answer ends in orders: ``lines`` are what its last part is written from."""

    lines: Lines = NO_LINES


class DiplomacyGames:
    """Many positions side by side.

    Args:
        others: plays the other six, frozen.
        rollouts: K, of every answer.
        workers: processes that play them; without, they are played here. The results are the same.
        judge: one for all, so that no group is ever judged by two.
    """

    def __init__(
        self,
        settings: BoardRewardSettings,
        style: Style,
        others: Bot,
        rollouts: int = 8,
        workers: Executor | None = None,
        judge: Judge = local_judge,
    ) -> None:
        self._settings, self._style, self._others = settings, style, others
        self._rollouts, self._workers, self._judge = rollouts, workers, judge
        self._groups: list[PositionTask] = []

    def start(self, tasks: Sequence[PositionTask]) -> list[EpisodePosition]:
        """Clear all and set up these."""
        self._groups = list(tasks)
        known: dict[int, EpisodePosition] = {}
        return [known.setdefault(id(task), self._position(task.start)) for task in tasks]

    def play(self, answers: Mapping[int, str]) -> dict[int, EpisodePosition | None]:
        """Play every answer on; ``None`` where it holds no orders that can be played."""
        read: dict[int, BoardAnswer] = {}
        after: dict[int, EpisodePosition | None] = dict.fromkeys(answers)
        for place, text in answers.items():
            start = self._groups[place].start
            try:
                read[place] = parse(text, start.state, start.power)
            except Malformed:
                continue
        places = sorted(read)
        jobs = [self._job(self._groups[place], read[place]) for place in places]
        results = played(jobs, self._workers)
        rows = list(zip(places, results, strict=True))
        for _, members in groupby(rows, key=lambda row: id(self._groups[row[0]])):
            group = list(members)
            scored = compared([result for _, result in group], self._settings)
            for number, (place, result) in enumerate(group):
                after[place] = self._paid(scored, number, result, read[place], alone=len(group) == 1)
        return after

    def close(self) -> None:
        """Leave all."""
        self._groups = []

    def _position(self, start: Start) -> EpisodePosition:
        return OrdersPosition(
            chat(start, self._style), orders_grammar(start.state, start.power), lines=start.lines
        )

    def _job(self, group: PositionTask, answer: BoardAnswer) -> Job:
        sample = Sample(answer.orders, answer.messages)
        return task_of(group, self._others), sample, self._rollouts, self._settings, self._judge

    def _paid(
        self, scored: GroupResult, number: int, result: PlayedSample, answer: BoardAnswer, *, alone: bool
    ) -> EpisodePosition:
        worth = plain(float(np.mean(result.hards)), float(np.mean(result.softs)), result.tags, self._settings)
        tags = result.tags
        terms = {
            "hard": float(np.mean(result.hards)),
            "soft": float(np.mean(result.softs)),
            "centres": float(np.mean(result.centres)),
            "mistagged": tags.mistagged,
            "idle_lies": tags.idle,
        }
        facts: dict[str, Any] = {
            "score": worth,
            "messages": len(answer.messages),
            "promising": float(tags.promises > 0),
            "right_tags": (tags.honest + tags.lies) / tags.promises if tags.promises else 0.0,
        }
        reward = worth if alone else float(scored.score.rewards[number])
        return EpisodePosition([], reward=reward, terms=terms, done=True, facts=facts)


def task_of(group: PositionTask, others: Bot) -> Task:
    """The rollouts of a group: the power itself plays on as one that means its truths."""
    start = group.start
    return Task(start.state, start.power, start.ledger, others, PledgedBot(), seed=group.seed)
