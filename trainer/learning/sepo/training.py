"""SEPO on the drills: rollouts against partners, adversaries and temptations, each step compared and learnt from.

One step, top to bottom in :func:`train`: tasks -> rollouts -> groups by opponent -> advantages -> rows -> update.
What is the paper's is in ``trainer.domains.drills.objective``; what is every learner's is in ``trainer.learning``.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import torch

from negotiation.engine.drills import Game, Kuhn, KuhnStrategy, Record, Strategy
from negotiation.engine.drills.kuhn.theory import expected_pay
from trainer.domains.drills.evaluation import evaluate
from trainer.domains.drills.games import DrillGames, DrillTask
from trainer.domains.drills.grown import Adversaries, Grown
from trainer.domains.drills.held_out import HELD_OUT, check_apart
from trainer.domains.drills.objective import (
    Array,
    Group,
    ObjectiveSettings,
    Pool,
    advantages,
    auxiliary_penalty,
    switched,
)
from trainer.domains.drills.prompts import Telling
from trainer.domains.drills.weights import TABLE_1
from trainer.learning import optimizer as optimizers
from trainer.learning.checkpoint import Checkpoints, put_weights, trained_weights
from trainer.learning.grpo import GrpoSettings, generator_of, update
from trainer.learning.lessons import Lesson, chosen_rows
from trainer.learning.loss import LossSettings
from trainer.learning.memory import Pieces
from trainer.learning.optimizer import OptimizerSettings
from trainer.learning.policy import Policy, merged_copy
from trainer.learning.rollout import Episode, Row, Sampling, roll_out
from trainer.learning.sepo.hands import Hands, merged, merges
from trainer.learning.sepo.model import Model, hand_by_hand
from trainer.learning.team import Team
from trainer.runs import Progress, Run


@dataclass(frozen=True, slots=True)
class SepoSettings:
    """How a model is trained on one game."""

    steps: int = 25
    rollouts: int = 8
    """n, rollouts of a match: they meet the same cards, values and coin flips. The paper's text takes 8."""
    matches: int = 1
    """Matches against each opponent, each with luck of its own."""
    grow_every: int = 0
    """Every so many steps a best response to the learner joins the exploit pool; 0 never."""
    grow_keep: int = 6
    """How many best responses stay, the latest: old ones are beaten and only thin the pool."""
    average: float = 0.0
    """Decay of a running average of the weights, which is what is measured and kept; 0 takes them as they are. Against
    best responses a learner circles around the equilibrium, and it is the average that comes to rest."""
    malformed: float = -1.0
    """Advantage of an answer that had to be asked for again."""
    rows: int = 256
    """At most so many answers are learnt from in a step; 0 for all."""
    updates: int = 1
    piece: int = 256
    save_every: int = 20
    choose_every: int = 10
    choose_episodes: int = 64
    """Matches against each held-out opponent; where play is a table they cost nothing and a thousand are simulated."""
    sampling: Sampling = field(default_factory=lambda: Sampling(decoding="masked", temperature=1.0))
    """At the temperature that the player is measured, answered by best responses and served at: a policy sharpened for
    its rollouts alone learns to be balanced when sharpened, and is another player afterwards."""
    objective: ObjectiveSettings = field(default_factory=ObjectiveSettings)
    loss: LossSettings = field(default_factory=lambda: LossSettings(clip_high=0.2, kl=0.1, leash="one_sided"))
    """The paper's clip of .2 either way and its one-sided leash of .1 (.2 in poker)."""
    optimizer: OptimizerSettings = field(
        default_factory=lambda: OptimizerSettings(learning_rate=3e-3, warm_up=3, decay=True)
    )

    def __post_init__(self) -> None:
        for name in ("steps", "matches", "updates", "piece", "save_every", "choose_every", "choose_episodes"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1")
        if self.rollouts < 2:
            raise ValueError("rollouts must be at least 2: one alone has nothing to be compared with")
        if not 0 <= self.average < 1:
            raise ValueError("average must lie in [0, 1)")
        if self.sampling.temperature <= 0:
            raise ValueError(
                "sampling.temperature must be above 0: a player that never varies explores nothing"
            )
        if self.grow_every < 0 or self.grow_keep < 1:
            raise ValueError("grow_every must be at least 0 and grow_keep at least 1")

    def of_learner(self) -> GrpoSettings:
        """The part that any learner has."""
        return GrpoSettings(
            steps=self.steps,
            updates=self.updates,
            piece=self.piece,
            sampling=self.sampling,
            loss=self.loss,
            optimizer=self.optimizer,
        )


CHOSEN_BY_TABLE = 1000


def train(
    policy: Policy,
    game: Game,
    telling: Telling,
    settings: SepoSettings,
    seed: int,
    run: Run,
    checkpoints: Checkpoints,
    *,
    resume: bool = False,
) -> dict[str, float]:
    """Train ``policy`` on ``game``; it ends with the weights that were safest against the held-out pool."""
    check_apart(game.name)
    optimizer = optimizers.make(policy.trainable, settings.optimizer)
    first = checkpoints.restore(policy, optimizer) if resume else 0
    run.cut("sepo", first)
    run.cut("choose", first + 1 if first else 0)
    best: dict[str, Any] = checkpoints.extra() if first else {"score": -math.inf, "step": 0, "weights": {}}
    average = best.pop("average", None) or trained_weights(policy)
    adversaries = Adversaries(game.name, settings.grow_keep, unpacked(best.pop("grown", ())))
    if not first:
        best = choose(policy, game, telling, settings, seed, run, 0, best)
    games, pieces, team = DrillGames(telling), Pieces(settings.piece), Team()
    progress = Progress("sepo", settings.steps, first)
    for step in range(first, settings.steps):
        started = time.perf_counter()
        grows = bool(settings.grow_every) and step % settings.grow_every == 0
        hands = hands_of(policy, game, telling, settings)
        learner: Strategy | KuhnStrategy | None = hands.strategy if hands else None
        if grows and learner is None:
            learner = Model(game, policy, telling, settings.sampling.temperature).strategy(game)
        if grows:
            adversaries.join(learner, step)
        tasks = tasks_of(game, settings, adversaries.players, seed, step)
        repeated = [task for task in tasks for _ in range(settings.rollouts)]
        if hands:
            episodes = hands.roll_out(repeated, np.random.default_rng([seed, 52, step]))
        else:
            generator = generator_of(seed, "rollout", step)
            episodes = roll_out(policy, games, repeated, settings.sampling, generator, merged_copy(policy))
        lessons = lessons_of(game, tasks, episodes, settings, losing_to(game, learner))
        lessons = chosen_rows(lessons, settings.rows, seed, step)
        rows = len(lessons)
        if hands and merges(settings.loss, settings.updates):
            lessons = merged(lessons)
        learnt = update(policy, lessons, settings.of_learner(), optimizer, step, pieces, team, checkpoints)
        average = mixed(average, trained_weights(policy), settings.average)
        done = step + 1
        run.log(
            kind="sepo",
            step=step,
            **scores(game, tasks, episodes, settings),
            **learnt,
            rows=rows,
            fallbacks=sum(len(each.failed) for each in episodes),
            grown=len(adversaries.grown),
            seconds=round(time.perf_counter() - started, 3),
        )
        if done % settings.choose_every == 0 or done == settings.steps:
            now = trained_weights(policy)
            put_weights(policy, average, "the average")
            best = choose(policy, game, telling, settings, seed, run, done, best)
            put_weights(policy, now, "the weights")
        if done % settings.save_every == 0 or done == settings.steps:
            kept = {**best, "average": average, "grown": packed(adversaries.grown)}
            checkpoints.save(done, policy, optimizer, kept)
        progress.show(done, f"held-out safety {best['score']:.3f} at step {best['step']}")
    put_weights(policy, best["weights"], "the best checkpoint")
    return {"best_step": best["step"], "best_score": best["score"]}


def packed(grown: Sequence[Grown]) -> list[tuple[str, list[torch.Tensor]]]:
    """Best responses as a checkpoint keeps them."""
    return [(each.name, [torch.from_numpy(table) for table in each.tables]) for each in grown]


def unpacked(kept: Sequence[tuple[str, list[torch.Tensor]]]) -> list[Grown]:
    """Best responses out of a checkpoint."""
    return [Grown(name, tuple(table.numpy() for table in tables)) for name, tables in kept]


def mixed(average: dict[str, Any], now: dict[str, Any], decay: float) -> dict[str, Any]:
    """The running average after another step."""
    return {name: decay * average[name] + (1 - decay) * weight for name, weight in now.items()}


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


def hands_of(policy: Policy, game: Game, telling: Telling, settings: SepoSettings) -> Hands | None:
    """Poker as twelve tables, where it is told so that it is twelve."""
    if not isinstance(game, Kuhn) or not hand_by_hand(telling) or settings.sampling.decoding != "masked":
        return None
    return Hands(policy, telling, settings.sampling.temperature)


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


def lessons_of(
    game: Game,
    tasks: Sequence[DrillTask],
    episodes: Sequence[Episode],
    settings: SepoSettings,
    losing: frozenset[str] | None = None,
) -> list[Lesson]:
    """What each answer is worth: that of the round it was given in."""
    groups = groups_of(game, tasks, episodes, settings, losing)
    values = advantages(groups, TABLE_1[game.name], game.scale, settings.objective)
    lessons = []
    for place, (group, value) in enumerate(zip(groups, values, strict=True)):
        beside = settings.objective.credit == "paper" and group.pool != "train"
        for column in range(settings.rollouts):
            episode = episodes[place * settings.rollouts + column]
            if not beside:
                lessons += [
                    _lesson(row, float(value[round_, column]))
                    for row, round_ in zip(episode.rows, episode.facts["rounds"], strict=True)
                ]
            lessons += [_lesson(row, settings.malformed) for row in episode.failed]
    return lessons


def _lesson(row: Row, advantage: float) -> Lesson:
    """The same for every token of an answer: a thought is worth what it led to."""
    return Lesson(row, [advantage] * len(row.written.tokens))


def groups_of(
    game: Game,
    tasks: Sequence[DrillTask],
    episodes: Sequence[Episode],
    settings: SepoSettings,
    losing: frozenset[str] | None = None,
) -> list[Group]:
    """The rollouts of each match as a group; under the paper's credit, with the penalties measured beside them.

    A named adversary is charged for where it came out ahead over the step, or where it is among ``losing``, the ones that
    the learner is known to lose to; a best response always, since it is ahead by construction.
    """
    n = settings.rollouts
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


def scores(
    game: Game, tasks: Sequence[DrillTask], episodes: Sequence[Episode], settings: SepoSettings
) -> dict[str, float]:
    """Scaled payoff a round by pool, as it was sampled."""
    by_pool: dict[str, list[float]] = {}
    for place, task in enumerate(tasks):
        for episode in episodes[place * settings.rollouts : (place + 1) * settings.rollouts]:
            by_pool.setdefault(task.pool, []).append(float(episode.facts["score"]))
    return {f"score_{pool}": float(np.mean(found)) for pool, found in by_pool.items()}


def beyond_the_pool(game: Game, found: dict[str, Any]) -> float:
    """What Safety changes by when its adversaries are replaced by the worst opponent there can be, exactly."""
    # Of two players of poker what one takes the other loses, so the margin is twice the best response's value.
    worst = found["nash_conv"] if "nash_conv" in found else found["worst_margin"]
    charged = TABLE_1[game.name].exploit * game.scale
    return float(charged * (found["exploit"]["mean"] - worst))


def choose(
    policy: Policy,
    game: Game,
    telling: Telling,
    settings: SepoSettings,
    seed: int,
    run: Run,
    step: int,
    best: dict[str, Any],
) -> dict[str, Any]:
    """Measure Safety against the held-out pool, with the same luck every time; the better of now and the best.

    A run whose pool grows is after the worst there can be, and is chosen by that: a best response stands for the
    adversaries of the held-out pool.
    """
    held_out = HELD_OUT[game.name]
    learner = Model(held_out, policy, telling, settings.sampling.temperature, seed)
    episodes = settings.choose_episodes if learner.strategy(held_out) is None else CHOSEN_BY_TABLE
    found = evaluate(held_out, learner, episodes, seed)
    score = found["safety_table1"]["mean"]
    if settings.grow_every:
        score += beyond_the_pool(game, found)
    exact = {name: value for name, value in found.items() if isinstance(value, float)}
    run.log(
        kind="choose",
        step=step,
        score=score,
        pay=found["pay"]["mean"],
        exploit=found["exploit"]["mean"],
        **exact,
    )
    if score <= best["score"]:
        return best
    return {"score": score, "step": step, "weights": trained_weights(policy)}
