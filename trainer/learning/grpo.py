"""GRPO on whole episodes: play groups from the same starts, compare, make what did better likelier.

One step, top to bottom in :func:`train`: tasks -> rollouts -> advantages -> rows -> updates -> checkpoint. The
algorithm is GRPO (Shao et al. 2024, DeepSeekMath) with per-round credit, DAPO's dropped groups and raised clip (Yu et
al. 2025), and rows of their own for answers that were malformed.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import torch

from trainer.domains.games import Domain
from trainer.errors import BadInput
from trainer.learning import optimizer as optimizers
from trainer.learning.advantages import Credit, Scale
from trainer.learning.checkpoint import Checkpoints, put_weights, trained_weights
from trainer.learning.lessons import Lesson, chosen_rows, lessons_of
from trainer.learning.loss import LossSettings, answer_logprobs, collate, total
from trainer.learning.memory import Pieces
from trainer.learning.optimizer import OptimizerSettings
from trainer.learning.policy import Policy, merged_copy
from trainer.learning.precision import Precision, mixed
from trainer.learning.rollout import Decoder, Episode, Row, Sampling, roll_out
from trainer.learning.served import Served
from trainer.learning.team import Team
from trainer.runs import Progress, Run, peak_memory_mb


@dataclass(frozen=True, slots=True)
class GrpoSettings:
    """How an adapter is trained. Papers are named where a default is theirs."""

    steps: int = 100
    groups: int = 8
    """Tasks a step. DeepSeekMath takes 16, larger runs hundreds."""
    group: int = 8
    """G, rollouts of each task: 64 in DeepSeekMath, 16 in DAPO; 8 is enough where luck is shared by the seed."""
    credit: Credit = "to_go"
    scale: Scale = "batch"
    """``batch`` divides by one deviation for the whole step. ``std``, GRPO's, divides by each group's own, and so makes
    two points more in a group that always closes weigh as much as the deal itself in one that does not: a negotiator
    learns to hold out, and loses deals. Seen in one run, not compared with all else equal."""
    few: int = 0
    """Where fewer of a group than this reached a round, what they earned is compared with all of the step that reached
    it. Otherwise one that holds out alone to the last turn, and loses the deal there, learns nothing from it: there is
    nobody in its group to be compared with."""
    fades: dict[str, float] = field(default_factory=dict)
    """Terms of the reward that a round answers for by so much less with every round that lies between, by name; 1, as
    if not named, holds every round fully to account. An impasse is dear, rare and mostly a matter of the last moves: as
    part of every round's return it drowns what the early ones did for the share. For ``to_go``."""
    parts: bool = True
    """Whether a part of an answer that changes nothing in the game (a stated belief) is credited with what it alone
    earned, and the rest with the rest. Otherwise every token answers for everything, and the digits of a belief, half
    of an answer, are pushed about by how the deal went."""
    penalty: float = -4.0
    """Advantage of the token at which an answer left the grammar. Leaving such answers out lets the format drift; so
    many times the usual advantage, since it is one token of some thirty, and a rare one."""
    rows: int = 320
    """At most so many answers are learnt from in a step, drawn at random; 0 for all."""
    updates: int = 1
    """Updates a step, each on its own part of the rows; with one, the ratio of the clip starts at 1."""
    piece: int = 64
    """Rows worked on at once; the gradient does not depend on it."""
    save_every: int = 10
    """Steps between checkpoints: what kill -9 can lose."""
    choose_every: int = 20
    """Steps between measurements on held-out tasks, by which the best adapter is chosen."""
    choose_tasks: int = 96
    """0 measures nothing on the way and keeps the last."""
    precision: Precision = "float32"
    """Of the updates; answers are written in float32."""
    sampling: Sampling = field(default_factory=Sampling)
    loss: LossSettings = field(default_factory=LossSettings)
    optimizer: OptimizerSettings = field(
        default_factory=lambda: OptimizerSettings(learning_rate=1e-3, warm_up=3)
    )

    def __post_init__(self) -> None:
        for name in ("steps", "groups", "group", "updates", "piece", "save_every", "choose_every"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1")
        if any(not 0 <= kept <= 1 for kept in self.fades.values()):
            raise ValueError("fades must lie in [0, 1]")
        if self.group < 2:
            raise ValueError("group must be at least 2: a rollout alone has nothing to be compared with")


class Frozen(Protocol):
    """An earlier self that plays the other seat."""

    weights: dict[str, torch.Tensor]

    def prepare(self, step: int, generator: torch.Generator) -> None: ...

    def put(self, weights: dict[str, torch.Tensor]) -> None: ...


@dataclass(frozen=True, slots=True)
class Best:
    """The weights that scored best on held-out tasks so far, and after how many steps."""

    score: float
    step: int
    weights: dict[str, torch.Tensor]


def train(
    policy: Policy,
    domain: Domain[Any],
    settings: GrpoSettings,
    seed: int,
    run: Run,
    checkpoints: Checkpoints,
    *,
    resume: bool = False,
    frozen: Frozen | None = None,
    served: Served | None = None,
    decoder: Decoder | None = None,
) -> dict[str, float]:
    """Train ``policy``; it ends with the weights that scored best on held-out tasks.

    Args:
        frozen: an earlier self in the other seat of some games.
        served: a server that writes the training games' answers.
        decoder: writes every answer in a way of its own.
    """
    team = Team()
    optimizer = optimizers.make(policy.trainable, settings.optimizer)
    first = checkpoints.restore(policy, optimizer) if resume else 0
    best = Best(-math.inf, 0, trained_weights(policy))
    if first:
        held = checkpoints.extra()
        best = Best(held["score"], held["step"], held["weights"])
        if frozen is not None:
            frozen.put(held["frozen"])
    run.cut("grpo", first)
    run.cut("choose", first + 1 if first else 0)
    if not first:
        best = choose(policy, domain, settings, seed, run if team.leads else None, 0, best, decoder)
    progress = Progress("grpo", settings.steps, first)
    pieces = Pieces(settings.piece)
    for step in range(first, settings.steps):
        generator = generator_of(seed, "rollout", step, team.rank)
        if frozen is not None:
            frozen.prepare(step, generator)
        started = time.perf_counter()
        if served is not None:
            served.renew(policy)
        tasks = [
            t
            for t in team.share(domain.curriculum.groups(step, settings.groups))
            for _ in range(settings.group)
        ]
        model = merged_copy(policy)
        episodes = roll_out(policy, domain.games, tasks, settings.sampling, generator, model, served, decoder)
        played = time.perf_counter()
        lessons, dropped = lessons_of(episodes, settings, policy)
        lessons = chosen_rows(lessons, settings.rows, seed, step)
        learnt = update(policy, lessons, settings, optimizer, step, pieces, team, checkpoints)
        done = step + 1
        if team.leads:
            run.log(
                kind="grpo",
                step=step,
                **summary(episodes),
                **learnt,
                rows=len(lessons),
                dropped_groups=dropped,
                rollout_seconds=round(played - started, 3),
                update_seconds=round(time.perf_counter() - played, 3),
                memory_mb=peak_memory_mb(),
            )
        if done % settings.choose_every == 0 or done == settings.steps:
            best = choose(policy, domain, settings, seed, run if team.leads else None, done, best, decoder)
        if team.leads and (done % settings.save_every == 0 or done == settings.steps):
            extra = {"score": best.score, "step": best.step, "weights": best.weights}
            if frozen is not None:
                extra["frozen"] = frozen.weights
            checkpoints.save(done, policy, optimizer, extra)
        team.wait()
        mean = np.mean([sum(episode.rewards) for episode in episodes])
        progress.show(done, f"reward {mean:.1f}, best score {best.score:.3f}")
    put_weights(policy, best.weights, "the best checkpoint")
    return {"best_step": best.step, "best_score": best.score}


def generator_of(seed: int, purpose: str, step: int, rank: int = 0) -> torch.Generator:
    """The source of randomness for one purpose of one step."""
    words = [seed, *purpose.encode(), step, rank]
    state = int(np.random.SeedSequence(words).generate_state(1, np.uint64)[0] >> 1)
    return torch.Generator().manual_seed(state)


def update(
    policy: Policy,
    lessons: Sequence[Lesson],
    settings: GrpoSettings,
    optimizer: torch.optim.Optimizer,
    step: int,
    pieces: Pieces,
    team: Team,
    checkpoints: Checkpoints,
) -> dict[str, float]:
    """One or more updates with these lessons; what was measured on the way."""
    seen: dict[str, float] = {"loss": 0.0, "kl": 0.0, "entropy": 0.0, "clipped": 0.0, "gradient": 0.0}
    if not lessons and team.size == 1:
        return seen
    policy.model.train()
    tokens_in_all = 0
    for part in range(settings.updates):
        mine = sorted(lessons[part :: settings.updates], key=lambda each: _length(each.row))
        tokens = sum(each.row.written.drawn for each in mine)
        tokens_in_all += tokens
        measured = dict.fromkeys(seen, 0.0)

        def work(
            rows: Sequence[Lesson],
            measured: dict[str, float] = measured,
            count: int = len(mine),
            tokens: int = tokens,
        ) -> float:
            return _backward(policy, rows, settings, measured, count, tokens)

        loss = pieces.over(mine, work, optimizer)
        team.average(policy.trainable)
        if not math.isfinite(loss):
            good = checkpoints.latest()
            raise BadInput(
                f"the loss of step {step} (update {part + 1}, {len(mine)} rows) is {loss}; stopped,"
                f" {'nothing was saved yet' if good is None else f'the checkpoint of step {good} is good'}"
            )
        seen["gradient"] += optimizers.take_step(optimizer, settings.optimizer, step, settings.steps)
        seen["loss"] += loss
        for name in ("kl", "entropy", "clipped"):
            seen[name] += measured[name]
    shares = {name: seen[name] / max(1, tokens_in_all) for name in ("kl", "entropy", "clipped")}
    return {
        "loss": seen["loss"] / settings.updates,
        "gradient": seen["gradient"] / settings.updates,
        **shares,
    }


def _backward(
    policy: Policy,
    lessons: Sequence[Lesson],
    settings: GrpoSettings,
    measured: dict[str, float],
    rows: int,
    tokens: int,
) -> float:
    written = [each.row.written for each in lessons]
    batch = collate(
        [each.row.prompt for each in lessons],
        [each.tokens for each in written],
        policy.pad,
        policy.device,
        logprobs=[each.logprobs for each in written],
        masks=[each.masks for each in written],
        advantages=[each.advantages for each in lessons],
        forced=[each.forced for each in written],
    )
    temperature = settings.sampling.temperature or 1.0
    reference = None
    if settings.loss.kl:
        with torch.no_grad(), policy.model.disable_adapter(), mixed(settings.precision):
            reference, _ = answer_logprobs(policy.model, batch, policy.automaton, temperature)
    with mixed(settings.precision):
        logprobs, entropy = answer_logprobs(policy.model, batch, policy.automaton, temperature)
    loss, apart = total(logprobs, reference, batch, settings.loss, rows, tokens)
    loss.backward()
    with torch.no_grad():
        ratio = torch.exp(logprobs - batch.old_logprobs)
        outside = (ratio < 1 - settings.loss.clip_low) | (ratio > 1 + settings.loss.clip_high)
        measured["clipped"] += float((outside & batch.mine).sum())
        measured["kl"] += float(apart)
        measured["entropy"] += float((entropy * batch.mine).sum())
    return float(loss.detach())


def choose(
    policy: Policy,
    domain: Domain[Any],
    settings: GrpoSettings,
    seed: int,
    run: Run | None,
    step: int,
    best: Best,
    decoder: Decoder | None = None,
) -> Best:
    """Measure on held-out tasks, the same with the same luck every time; the better of now and the best so far."""
    if not settings.choose_tasks:
        return Best(0.0, step, trained_weights(policy))
    tasks = domain.curriculum.held_out(settings.choose_tasks)
    generator = generator_of(seed, "choose", 0)
    policy.model.eval()
    model = merged_copy(policy)
    episodes = roll_out(policy, domain.games, tasks, settings.sampling, generator, model, decoder=decoder)
    found = summary(episodes)
    if run is not None:
        run.log(kind="choose", step=step, **found)
    if found["score"] <= best.score:
        return best
    return Best(found["score"], step, trained_weights(policy))


def summary(episodes: Sequence[Episode]) -> dict[str, float]:
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
        "validity": 1 - failed / max(1, answers),
        "answer_tokens": sum(len(row.written.tokens) for each in episodes for row in each.rows)
        / max(1, answers),
    }


def _length(row: Row) -> int:
    return len(row.prompt) + len(row.written.tokens)
