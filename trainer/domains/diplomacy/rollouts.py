"""What could come of a sample: it is played on for two game years, many times, under the same luck as its rivals.

Rollout number k of every sample of a group hands the same numbers to the same power in the same place and phase
(:mod:`negotiation.engine.diplomacy.chance`), so that samples differ by what they did.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from negotiation.engine.diplomacy.bots import DumbBot
from negotiation.engine.diplomacy.bots.base import Bot
from negotiation.engine.diplomacy.chance import Chance
from negotiation.engine.diplomacy.geography import POWERS
from negotiation.engine.diplomacy.orders import Order
from negotiation.engine.diplomacy.phases import advance
from negotiation.engine.diplomacy.press.ledger import Ledger
from negotiation.engine.diplomacy.state import OVER, State
from trainer.domains.diplomacy.judge import Judge, local_judge
from trainer.domains.diplomacy.reward import (
    BoardRewardSettings,
    Floats,
    GroupScore,
    Tags,
    hard,
    of_tags,
    score,
)
from trainer.domains.diplomacy.tables import (
    BoardTable,
    BotPlayer,
    PressModel,
    Sample,
    TablePlayer,
    play_phase,
)

NOTHING_PROMISED = Ledger()
DUMBBOT = DumbBot()


@dataclass(frozen=True, slots=True)
class Task:
    """Where a group starts, and against whom."""

    state: State
    power: int
    ledger: Ledger = NOTHING_PROMISED
    others: Bot = DUMBBOT
    """Plays the other six, frozen."""
    own: Bot = DUMBBOT
    """Plays the power itself after its sampled orders."""
    years: int = 2
    seed: int = 0


class RolloutEnding(NamedTuple):
    """How one rollout ended."""

    state: State
    ledger: Ledger


def play_on(task: Task, sample: Sample, number: int) -> RolloutEnding:
    """Rollout ``number`` of one sample: until ``years`` winters have passed, somebody has won, or the power is gone."""
    state, ledger, chance = task.state, task.ledger, Chance(task.seed, number)
    for message in sample.messages:
        ledger = ledger.heard(message, state)
    given: Sequence[Order] | None = sample.orders
    while given is not None or not _ended(state, task):
        orders = [
            (task.own if power == task.power else task.others).orders(
                state, power, chance.draws(state, power), ledger
            )
            if power != task.power or given is None
            else given
            for power in range(len(POWERS))
        ]
        given = None
        ledger = ledger.judged(state, orders)
        state = advance(state, orders).state
    return RolloutEnding(state, ledger)


class PlayedSample(NamedTuple):
    """One sample, K rollouts."""

    hards: list[float]
    softs: list[float]
    centres: list[int]
    """Owned in the end."""
    tags: Tags


class GroupResult(NamedTuple):
    """G samples, K rollouts each."""

    hards: Floats
    """(G, K)"""
    softs: Floats
    """(G, K)"""
    mistagged: Floats
    """(G,): the share of each sample's promises whose TRUTH turned out broken."""
    centres: Floats
    """(G, K): centres owned in the end."""
    score: GroupScore
    tags: tuple[Tags, ...]
    """(G,)"""


Job = tuple[Task, Sample, int, BoardRewardSettings, Judge]
"""A sample to be played on from a task so many times, what its endings are worth, and who judges them."""


def group(
    task: Task,
    samples: Sequence[Sample],
    rollouts: int,
    settings: BoardRewardSettings,
    pool: Executor | None = None,
    judge: Judge = local_judge,
) -> GroupResult:
    """Play every sample on ``rollouts`` times and score them against each other.

    With a pool, each sample is played in a process of it; the judge must then be one that can be sent there, as the
    local one can.
    """
    return compared(played([(task, sample, rollouts, settings, judge) for sample in samples], pool), settings)


def compared(rows: Sequence[PlayedSample], settings: BoardRewardSettings) -> GroupResult:
    """The samples of one task against each other."""
    hards, softs, centres = (np.array([row[i] for row in rows], dtype=float) for i in range(3))
    tags = tuple(row.tags for row in rows)
    mistagged = np.array([each.mistagged for each in tags])
    tagged = np.array([of_tags(each, settings) for each in tags])
    scored = score(hards, softs, tagged, settings)
    return GroupResult(hards, softs, mistagged, centres, scored, tags)


def played(jobs: Sequence[Job], pool: Executor | None = None) -> list[PlayedSample]:
    """Every job's rollouts, in order, in the processes of the pool if there is one; the results are the same.

    Against a model all rollouts of all jobs are played here, side by side.
    """
    if any(isinstance(task.others, PressModel) for task, *_ in jobs):
        return side_by_side(jobs)
    return list(pool.map(play_out, jobs, chunksize=max(1, len(jobs) // 32)) if pool else map(play_out, jobs))


def play_out(job: Job) -> PlayedSample:
    """One sample's rollouts: hard parts, soft parts, centres, and what became of its tags."""
    task, sample, rollouts, settings, judge = job
    return summed(task, [play_on(task, sample, number) for number in range(rollouts)], settings, judge)


def side_by_side(jobs: Sequence[Job]) -> list[PlayedSample]:
    """As :func:`play_out` for each, a phase of all at a time, so that a player of many is asked once a phase."""
    runs = [(task, sample, number) for task, sample, count, *_ in jobs for number in range(count)]
    tables = [BoardTable(Chance(task.seed, number), task.state, task.ledger) for task, _, number in runs]
    known: dict[int, BotPlayer] = {}
    seats = [
        [_player(task.own if power == task.power else task.others, known) for power in range(len(POWERS))]
        for task, _, _ in runs
    ]
    given: list[dict[int, Sample]] = [{task.power: sample} for task, sample, _ in runs]
    while going := [
        place
        for place, (task, _, _) in enumerate(runs)
        if given[place] or not _ended(tables[place].state, task)
    ]:
        play_phase(
            [tables[place] for place in going],
            [seats[place] for place in going],
            [given[place] for place in going],
        )
        given = [{} for _ in runs]
    endings = iter([RolloutEnding(table.state, table.ledger) for table in tables])
    return [
        summed(task, [next(endings) for _ in range(count)], settings, judge)
        for task, _, count, settings, judge in jobs
    ]


def _player(bot: Bot, known: dict[int, BotPlayer]) -> TablePlayer:
    """The one player of a bot."""
    return bot if isinstance(bot, PressModel) else known.setdefault(id(bot), BotPlayer(bot))


def _ended(state: State, task: Task) -> bool:
    """Whether a rollout is over: its years have passed, somebody has won, or the power is gone."""
    gone = not state.units[task.power] and not state.centres(task.power)
    return state.season == OVER or state.year >= task.state.year + task.years or gone


def summed(
    task: Task, endings: Sequence[RolloutEnding], settings: BoardRewardSettings, judge: Judge
) -> PlayedSample:
    """What the rollouts of one sample came to."""
    made = [
        entry
        for ending in endings
        for entry in ending.ledger.entries[len(task.ledger.entries) :]
        if entry.promise.by == task.power
    ]
    return PlayedSample(
        [hard(ending.state, task.power, settings) for ending in endings],
        [judge(ending.state, task.power, ending.ledger).mean for ending in endings],
        [ending.state.owners.count(task.power) for ending in endings],
        Tags.of(made),
    )
