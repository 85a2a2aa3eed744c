"""What a player is worth: its answers in positions it never trained on, each played on under common luck.

Equal numbers for equal positions, whoever answers, so players are compared pair by pair. A message's worth is causal:
the same orders are played on once with it and once in silence.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from negotiation.engine.diplomacy.bots import BOTS, TrustingBot
from negotiation.engine.diplomacy.bots.base import Bot
from negotiation.engine.diplomacy.chance import Chance
from negotiation.engine.diplomacy.phases import advance
from negotiation.engine.diplomacy.press.messages import Tag
from negotiation.engine.figures import Figure
from trainer.domains.diplomacy.games import task_of
from trainer.domains.diplomacy.judge import local_judge
from trainer.domains.diplomacy.pool import PositionTask, phase_of
from trainer.domains.diplomacy.reward import BoardRewardSettings, Tags, plain
from trainer.domains.diplomacy.rollouts import Job, PlayedSample, played
from trainer.domains.diplomacy.tables import Sample, TablePlayer
from trainer.evaluation import intervals

MEASURING = 11
READERS: dict[str, Bot] = {
    "deaf": BOTS["dumbbot"](),
    "naive": TrustingBot(remembers=False),
    "trust_aware": TrustingBot(),
}
"""Who the words are said to, where their worth is measured: nobody who reads, one who always believes, one who
remembers what was broken."""


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """One answer and what came of it."""

    sample: Sample
    phase: str
    valid: bool
    """Whether the rules took every order."""
    worth: float
    hard: float
    soft: float
    centres: float
    tags: Tags


def answered(
    player: TablePlayer, groups: Sequence[PositionTask], seed: int, at_once: int = 64
) -> list[Sample]:
    """The player's answer in each position, with the same luck for every player."""
    samples: list[Sample] = []
    for begin in range(0, len(groups), at_once):
        part = [group.start for group in groups[begin : begin + at_once]]
        draws = [
            Chance(seed, MEASURING, begin + number).draws(start.state, start.power)
            for number, start in enumerate(part)
        ]
        samples += player.answers(part, draws)
    return samples


def records(
    samples: Sequence[Sample],
    groups: Sequence[PositionTask],
    settings: BoardRewardSettings,
    others: Bot,
    rollouts: int,
    workers: Executor | None = None,
) -> list[AnswerRecord]:
    """Every answer played on."""
    jobs: list[Job] = [
        (task_of(group, others), sample, rollouts, settings, local_judge)
        for group, sample in zip(groups, samples, strict=True)
    ]
    return [
        _record(group, sample, result, settings)
        for group, sample, result in zip(groups, samples, played(jobs, workers), strict=True)
    ]


def _record(
    group: PositionTask, sample: Sample, result: PlayedSample, settings: BoardRewardSettings
) -> AnswerRecord:
    hard, soft, centres = (float(np.mean(part)) for part in (result.hards, result.softs, result.centres))
    start = group.start
    orders = [sample.orders if power == start.power else () for power in range(len(start.state.units))]
    return AnswerRecord(
        sample,
        phase_of(start.state),
        not advance(start.state, orders).void,
        plain(hard, soft, result.tags, settings),
        hard,
        soft,
        centres,
        result.tags,
    )


def summary(found: Sequence[AnswerRecord], seed: int) -> dict[str, Any]:
    """Means with 95% intervals over positions."""
    tags = [record.tags for record in found]
    figures = {
        "worth": intervals.mean([record.worth for record in found], seed),
        "hard": intervals.mean([record.hard for record in found], seed),
        "soft": intervals.mean([record.soft for record in found], seed),
        "centres": intervals.mean([record.centres for record in found], seed),
        "valid": intervals.mean([float(record.valid) for record in found], seed),
        "promising": intervals.mean([float(each.promises > 0) for each in tags], seed),
    }
    return {
        "positions": len(found),
        **{name: figure.as_json() for name, figure in figures.items() if figure is not None},
        **{name: figure.as_json() for name, figure in tag_figures(tags, seed).items()},
        "worth_by_phase": {
            phase: figure.as_json()
            for phase in sorted({record.phase for record in found})
            if (figure := intervals.mean([r.worth for r in found if r.phase == phase], seed)) is not None
        },
    }


def tag_figures(tags: Sequence[Tags], seed: int) -> dict[str, Figure]:
    """Ratios over the promises that were decided: tags that said what came, truths that were broken, lies that were
    meant, and how many were tagged LIE; those with nothing below the line are left out."""
    right = [each.honest + each.lies for each in tags]
    truths, lies = [each.honest + each.broken for each in tags], [each.lies + each.unused for each in tags]
    decided = [truth + lie for truth, lie in zip(truths, lies, strict=True)]
    figures = {
        "tag_accuracy": intervals.ratio(right, decided, seed),
        "mistag_rate": intervals.ratio([each.broken for each in tags], truths, seed),
        "lie_precision": intervals.ratio([each.lies for each in tags], lies, seed),
        "tagged_lie": intervals.ratio(lies, decided, seed),
    }
    return {name: figure for name, figure in figures.items() if figure is not None}


def worth_of_words(
    samples: Sequence[Sample],
    groups: Sequence[PositionTask],
    settings: BoardRewardSettings,
    rollouts: int,
    seed: int,
    workers: Executor | None = None,
) -> dict[str, Any]:
    """By tag and by who reads it: centres gained by saying it, beside the same orders in silence.

    ``worked`` is the share of messages that gained something. A message under TRUTH binds its sender's later turns too,
    so what it is worth has its price in it.
    """
    found: dict[str, Any] = {}
    for tag in Tag:
        spoken = [
            (group, sample)
            for group, sample in zip(groups, samples, strict=True)
            if sample.messages and all(message.tag == tag for message in sample.messages)
        ]
        for name, reader in READERS.items() if spoken else ():
            jobs: list[Job] = [
                (task_of(group, reader), said, rollouts, settings, local_judge)
                for group, sample in spoken
                for said in (sample, replace(sample, messages=()))
            ]
            centres = [float(np.mean(result.centres)) for result in played(jobs, workers)]
            gains = [said - silent for said, silent in zip(centres[::2], centres[1::2], strict=True)]
            figure = intervals.mean(gains, seed)
            worked = intervals.mean([float(gain > 0) for gain in gains], seed)
            if figure is not None and worked is not None:
                found.setdefault(tag.value.lower(), {})[name] = {
                    "messages": len(gains),
                    "centres": figure.as_json(),
                    "worked": worked.as_json(),
                }
    return found
