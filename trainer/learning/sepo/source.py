"""SEPO on the drills as a source of training samples: matches with partners, adversaries and temptations.

Every step's matches are compared opponent by opponent, and each answer has the advantage of the round it was given in.
What is the paper's is in ``trainer.domains.drills.objective``; the training loop is ``trainer.learning.grpo``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from negotiation.engine.drills import Game, Kuhn, KuhnStrategy, Record, Strategy
from negotiation.engine.drills.kuhn.theory import expected_pay
from trainer.domains.drills.evaluation import evaluate
from trainer.domains.drills.games import DrillGames, DrillTask
from trainer.domains.drills.grown import Adversaries, Grown
from trainer.domains.drills.held_out import HELD_OUT, check_apart
from trainer.domains.drills.objective import Array, Group, Pool, advantages, auxiliary_penalty, switched
from trainer.domains.drills.prompts import Telling
from trainer.domains.drills.weights import TABLE_1
from trainer.learning.policy import Policy, merged_copy
from trainer.learning.processes import ProcessGroup
from trainer.learning.rollout import Row, Trajectory, roll_out
from trainer.learning.samples import TrainingSample, can_merge
from trainer.learning.sepo.hands import Hands
from trainer.learning.sepo.model import Model, hand_by_hand
from trainer.learning.sepo.settings import SepoSettings

EVALUATED_BY_TABLE = 1000
"""Matches against each held-out opponent where play is a table."""


class SepoSource:
    """The matches of one game.

    Args:
        seed: of the tasks, the luck of the tables and the held-out matches.
    """

    kind = "sepo"

    def __init__(self, game: Game, telling: Telling, settings: SepoSettings, seed: int) -> None:
        check_apart(game.name)
        self.settings = settings
        self._game, self._telling, self._seed = game, telling, seed
        self._games = DrillGames(telling)
        self._adversaries = Adversaries(game.name, settings.grow_keep)
        self._tasks: list[DrillTask] = []
        self._learner: Strategy | KuhnStrategy | None = None
        # Poker as twelve tables, where it is told so that it is twelve.
        self._by_hand = (
            isinstance(game, Kuhn) and hand_by_hand(telling) and settings.sampling.decoding == "masked"
        )

    @property
    def merges(self) -> bool:
        """Drawn from tables, most answers are equal to others."""
        return self._by_hand and can_merge(self.settings.loss, self.settings.updates)

    def restore(self, kept: Mapping[str, Any]) -> None:
        """Take back the best responses of a checkpoint."""
        grown = unpacked(kept.get("grown", ()))
        self._adversaries = Adversaries(self._game.name, self.settings.grow_keep, grown)

    def state(self) -> dict[str, Any]:
        """The best responses that have joined the pool, for a checkpoint."""
        return {"grown": packed(self._adversaries.grown)}

    def rollout(
        self, policy: Policy, step: int, generator: torch.Generator, processes: ProcessGroup
    ) -> list[Trajectory]:
        """``num_generations`` of every match of the step; of several processes each plays all."""
        settings, temperature = self.settings, self.settings.sampling.temperature
        grows = bool(settings.grow_every) and step % settings.grow_every == 0
        hands = Hands(policy, self._telling, temperature) if self._by_hand else None
        self._learner = hands.strategy if hands else None
        if grows and self._learner is None:
            self._learner = Model(self._game, policy, self._telling, temperature).strategy(self._game)
        if grows:
            self._adversaries.join(self._learner, step)
        self._tasks = tasks_of(self._game, settings, self._adversaries.players, self._seed, step)
        repeated = [task for task in self._tasks for _ in range(settings.num_generations)]
        if hands:
            return hands.roll_out(repeated, np.random.default_rng([self._seed, 52, step]))
        return roll_out(policy, self._games, repeated, settings.sampling, generator, merged_copy(policy))

    def samples(self, policy: Policy, episodes: Sequence[Trajectory]) -> list[TrainingSample]:
        """Every answer with the advantage of its round."""
        losing = losing_to(self._game, self._learner)
        return training_samples(self._game, self._tasks, episodes, self.settings, losing)

    def summary(self, episodes: Sequence[Trajectory]) -> dict[str, float]:
        """Scaled payoff a round by pool, and how large the pool has grown."""
        return {
            **scores(self._tasks, episodes, self.settings.num_generations),
            "fallbacks": sum(len(each.failed) for each in episodes),
            "grown": len(self._adversaries.grown),
        }

    def evaluate(self, policy: Policy) -> dict[str, Any]:
        """Safety against the held-out pool.

        A run whose pool grows is after the worst there can be, and is chosen by that: a best response stands for the
        adversaries of the held-out pool.
        """
        held_out = HELD_OUT[self._game.name]
        learner = Model(held_out, policy, self._telling, self.settings.sampling.temperature, self._seed)
        by_table = learner.strategy(held_out) is not None
        episodes = EVALUATED_BY_TABLE if by_table else self.settings.eval_episodes
        found = evaluate(held_out, learner, episodes, self._seed)
        score = found["safety_table1"]["mean"]
        if self.settings.grow_every:
            score += beyond_the_pool(self._game, found)
        exact = {name: value for name, value in found.items() if isinstance(value, float)}
        return {"score": score, "pay": found["pay"]["mean"], "exploit": found["exploit"]["mean"], **exact}


def packed(grown: Sequence[Grown]) -> list[tuple[str, list[torch.Tensor]]]:
    """Best responses as a checkpoint keeps them."""
    return [(each.name, [torch.from_numpy(table) for table in each.tables]) for each in grown]


def unpacked(kept: Sequence[tuple[str, list[torch.Tensor]]]) -> list[Grown]:
    """Best responses out of a checkpoint."""
    return [Grown(name, tuple(table.numpy() for table in tables)) for name, tables in kept]


def tasks_of(
    game: Game, settings: SepoSettings, grown: Sequence[Any], seed: int, step: int
) -> list[DrillTask]:
    """The matches of a step: each opponent of the three training pools equally often."""
    pools: dict[Pool, tuple[str, ...]] = {
        "train": game.pools.train,
        "exploit": game.pools.exploit,
        "collusive": game.pools.collusive,
    }
    rng = np.random.default_rng([seed, 51, step])
    tasks = [
        DrillTask(game.name, name, int(rng.integers(2**31)), pool)
        for pool, names in pools.items()
        for name in names
        for _ in range(settings.matches)
    ]
    tasks += [
        DrillTask(game.name, one.name, int(rng.integers(2**31)), "exploit", one)
        for one in grown
        for _ in range(settings.matches)
    ]
    return tasks


def losing_to(game: Game, play: Strategy | KuhnStrategy | None) -> frozenset[str] | None:
    """The adversaries of poker that come out ahead of the learner, exactly; ``None`` where that is left to what was
    played. The cards of a few hands would say who was lucky.
    """
    if not isinstance(game, Kuhn) or not isinstance(play, KuhnStrategy):
        return None
    return frozenset(
        name
        for name in game.pools.exploit
        if expected_pay(play.behaviour, game.strategies[name].behaviour) < 0
    )


def training_samples(
    game: Game,
    tasks: Sequence[DrillTask],
    episodes: Sequence[Trajectory],
    settings: SepoSettings,
    losing: frozenset[str] | None = None,
) -> list[TrainingSample]:
    """Every answer with the advantage of the round it was given in, and every malformed one with its own."""
    n = settings.num_generations
    groups = groups_of(game, tasks, episodes, settings, losing)
    values = advantages(groups, TABLE_1[game.name], game.scale, settings.objective)
    samples = []
    for place, (group, value) in enumerate(zip(groups, values, strict=True)):
        beside = settings.objective.credit == "paper" and group.pool != "train"
        for column, episode in enumerate(episodes[place * n : (place + 1) * n]):
            if not beside:
                samples += [
                    _sample(row, float(value[round_, column]))
                    for row, round_ in zip(episode.rows, episode.facts["rounds"], strict=True)
                ]
            samples += [_sample(row, settings.malformed) for row in episode.failed]
    return samples


def _sample(row: Row, advantage: float) -> TrainingSample:
    """The same for every token of an answer: a thought is worth what it led to."""
    return TrainingSample(row, [advantage] * len(row.written.tokens))


def groups_of(
    game: Game,
    tasks: Sequence[DrillTask],
    episodes: Sequence[Trajectory],
    settings: SepoSettings,
    losing: frozenset[str] | None = None,
) -> list[Group]:
    """The rollouts of each match as a group; under the paper's credit, with the penalties measured beside them.

    A named adversary is charged for where it came out ahead over the step, or where it is among ``losing``, the ones that
    the learner is known to lose to; a best response always, since it is ahead by construction.
    """
    n = settings.num_generations
    records = [
        game.record([each.facts["match"] for each in episodes[place * n : (place + 1) * n]])
        for place in range(len(tasks))
    ]
    counts = {pool: len({t.opponent for t in tasks if t.pool == pool}) for pool in {t.pool for t in tasks}}
    margins: dict[str, list[float]] = {}
    for task, record in zip(tasks, records, strict=True):
        margins.setdefault(task.opponent, []).append(float((record.payoffs[1] - record.payoffs[0]).mean()))
    groups = [
        Group(
            task.pool,
            record,
            share=1 / counts[task.pool],
            ahead=task.grown is not None
            or (float(np.mean(margins[task.opponent])) > 0 if losing is None else task.opponent in losing),
        )
        for task, record in zip(tasks, records, strict=True)
    ]
    if settings.objective.credit == "own":
        return groups
    beside = _beside(game, groups, settings)
    return [
        replace(group, auxiliary=beside[place % settings.matches]) if group.pool == "train" else group
        for place, group in enumerate(groups)
    ]


def _beside(game: Game, groups: Sequence[Group], settings: SepoSettings) -> list[Array]:
    """For each match of a training opponent, the penalties of as many rollouts against everyone else."""
    weights = switched(TABLE_1[game.name], settings.objective)

    def records(pool: Pool, match: int) -> list[Record]:
        return [group.record for group in groups if group.pool == pool][match :: settings.matches]

    return [
        auxiliary_penalty(records("exploit", match), records("collusive", match), weights, game.scale)
        for match in range(settings.matches)
    ]


def scores(tasks: Sequence[DrillTask], episodes: Sequence[Trajectory], n: int) -> dict[str, float]:
    """Scaled payoff a round by pool, as it was sampled."""
    by_pool: dict[str, list[float]] = {}
    for place, task in enumerate(tasks):
        for episode in episodes[place * n : (place + 1) * n]:
            by_pool.setdefault(task.pool, []).append(float(episode.facts["score"]))
    return {f"score_{pool}": float(np.mean(found)) for pool, found in by_pool.items()}


def beyond_the_pool(game: Game, found: dict[str, Any]) -> float:
    """What Safety changes by when its adversaries are replaced by the worst opponent there can be, exactly."""
    # Of two players of poker what one takes the other loses, so the margin is twice the best response's value.
    worst = found["nash_conv"] if "nash_conv" in found else found["worst_margin"]
    charged = TABLE_1[game.name].exploit * game.scale
    return float(charged * (found["exploit"]["mean"] - worst))
