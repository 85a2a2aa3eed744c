"""The training loop of all that learns by playing, top to bottom in :func:`train`.

restore -> rollout -> rewards and advantages -> micro-batches -> loss -> step -> evaluate -> keep the best -> save. What
is played, and what every token of an answer is credited with, comes from a *source*: whole episodes of a domain in
groups from the same starts (``domain_source``), or SEPO's matches against partners and adversaries (``sepo.source``).
The update is GRPO's (Shao et al. 2024, DeepSeekMath): a clipped policy gradient over advantages that are compared within
a group, with a KL penalty towards the reference, and DAPO's raised clip (Yu et al. 2025).
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch

from trainer.errors import BadInput
from trainer.learning import optimizer as optimizers
from trainer.learning.checkpoint import Checkpoints, put_weights, trained_weights
from trainer.learning.loss import answer_logprobs, collate, total
from trainer.learning.micro_batches import MicroBatches
from trainer.learning.policy import Policy
from trainer.learning.precision import mixed
from trainer.learning.processes import ProcessGroup
from trainer.learning.rollout import Trajectory
from trainer.learning.samples import TrainingSample, merged, subsample
from trainer.learning.settings import LearnerSettings
from trainer.runs import Progress, Run, peak_memory_mb

Weights = dict[str, torch.Tensor]


class SampleSource(Protocol):
    """What is learnt from: it plays, says what every answer was worth beside its like, and measures."""

    @property
    def kind(self) -> str:
        """What its lines in the metrics are called."""
        ...

    @property
    def settings(self) -> LearnerSettings: ...

    @property
    def merges(self) -> bool:
        """Whether equal answers are put together before they are learnt from."""
        ...

    def restore(self, kept: Mapping[str, Any]) -> None:
        """Take back what ``state`` gave to the checkpoint that a run goes on from."""
        ...

    def state(self) -> dict[str, Any]:
        """What a checkpoint has to keep beside the weights."""
        ...

    def rollout(
        self, policy: Policy, step: int, generator: torch.Generator, processes: ProcessGroup
    ) -> list[Trajectory]:
        """Play the step's episodes, with what every round earned: this process's share of them."""
        ...

    def samples(self, policy: Policy, episodes: Sequence[Trajectory]) -> list[TrainingSample]:
        """Every answer with the advantage of each of its tokens."""
        ...

    def summary(self, episodes: Sequence[Trajectory]) -> dict[str, float]:
        """What is written down of a step."""
        ...

    def evaluate(self, policy: Policy) -> dict[str, Any] | None:
        """Measure on held-out tasks, with the same luck every time: ``score`` is what the best is kept by. ``None``
        where nothing is to be measured."""
        ...


@dataclass(frozen=True, slots=True)
class Best:
    """The weights that scored best on held-out tasks so far, and after how many steps."""

    score: float
    step: int
    weights: Weights


def train(
    policy: Policy,
    source: SampleSource,
    seed: int,
    run: Run,
    checkpoints: Checkpoints,
    *,
    resume: bool = False,
) -> dict[str, float]:
    """Train ``policy``; it ends with the weights that scored best on held-out tasks."""
    settings, processes = source.settings, ProcessGroup()
    optimizer = optimizers.make(policy.trainable, settings.optimizer)

    first = checkpoints.restore(policy, optimizer) if resume else 0
    kept = checkpoints.extra() if first else {}
    average = kept.get("average") or trained_weights(policy)
    run.cut(source.kind, first)
    run.cut("choose", first + 1 if first else 0)
    if first:
        best = Best(kept["score"], kept["step"], kept["weights"])
        source.restore(kept)
    else:
        best = evaluate(policy, source, run, 0, Best(-math.inf, 0, trained_weights(policy)), average)

    progress = Progress(source.kind, settings.steps, first)
    micro_batches = MicroBatches(settings.micro_batch)
    for step in range(first, settings.steps):
        started = time.perf_counter()
        generator = generator_of(seed, "rollout", step, processes.rank)
        episodes = source.rollout(policy, step, generator, processes)
        played = time.perf_counter()

        samples = subsample(source.samples(policy, episodes), settings.rows, seed, step)
        rows = len(samples)
        if source.merges:
            samples = merged(samples)
        learnt = update(policy, samples, settings, optimizer, step, micro_batches, processes, checkpoints)
        average = averaged(average, trained_weights(policy), settings.average)

        done, last = step + 1, step + 1 == settings.steps
        if processes.leads:
            run.log(
                kind=source.kind,
                step=step,
                **source.summary(episodes),
                **learnt,
                rows=rows,
                rollout_seconds=round(played - started, 3),
                update_seconds=round(time.perf_counter() - played, 3),
                memory_mb=peak_memory_mb(),
            )
        if done % settings.eval_steps == 0 or last:
            best = evaluate(policy, source, run, done, best, average)
        if processes.leads and (done % settings.save_every == 0 or last):
            state = {"score": best.score, "step": best.step, "weights": best.weights, **source.state()}
            checkpoints.save(
                done, policy, optimizer, state | ({"average": average} if settings.average else {})
            )
        processes.wait()
        earned = float(np.mean([sum(episode.rewards) for episode in episodes]))
        progress.show(done, f"reward {earned:.1f}, best score {best.score:.3f} at step {best.step}")
    put_weights(policy, best.weights, "the best checkpoint")
    return {"best_step": best.step, "best_score": best.score}


def generator_of(seed: int, purpose: str, step: int, rank: int = 0) -> torch.Generator:
    """The source of randomness for one purpose of one step: a run that is resumed has the same."""
    words = [seed, *purpose.encode(), step, rank]
    state = int(np.random.SeedSequence(words).generate_state(1, np.uint64)[0] >> 1)
    return torch.Generator().manual_seed(state)


def update(
    policy: Policy,
    samples: Sequence[TrainingSample],
    settings: LearnerSettings,
    optimizer: torch.optim.Optimizer,
    step: int,
    micro_batches: MicroBatches,
    processes: ProcessGroup,
    checkpoints: Checkpoints,
) -> dict[str, float]:
    """One or more updates with these samples; what was measured on the way.

    ``mismatch`` is how far the learner's log-probability of a token lies from the sampler's, before anything was learnt
    from the step: the mean and the largest; ``truncated`` the share of tokens whose weight was cut for it.
    """
    names = ("kl", "entropy", "clipped", "mismatch", "mismatch_most", "truncated")
    seen = dict.fromkeys(("loss", "gradient", *names), 0.0)
    if not samples and processes.size == 1:
        return seen
    policy.model.train()
    tokens_in_all = tokens_at_first = 0
    for part in range(settings.updates):
        batch = sorted(samples[part :: settings.updates], key=lambda each: each.length)
        tokens = sum(each.row.written.drawn for each in batch)
        tokens_in_all += tokens
        tokens_at_first = tokens_at_first or tokens
        measured = dict.fromkeys(seen, 0.0)

        def work(
            micro_batch: Sequence[TrainingSample],
            measured: dict[str, float] = measured,
            count: int = len(batch),
            tokens: int = tokens,
        ) -> float:
            return backward(policy, micro_batch, settings, measured, count, tokens)

        loss = micro_batches.over(batch, work, optimizer)
        processes.average(policy.trainable)
        if not math.isfinite(loss):
            good = checkpoints.latest()
            raise BadInput(
                f"the loss of step {step} (update {part + 1}, {len(batch)} rows) is {loss}; stopped,"
                f" {'nothing was saved yet' if good is None else f'the checkpoint of step {good} is good'}"
            )
        seen["gradient"] += optimizers.take_step(optimizer, settings.optimizer, step, settings.steps)
        seen["loss"] += loss
        for name in names[:3] if part else names:
            seen[name] += measured[name]
    shares = {name: seen[name] / max(1, tokens_in_all) for name in names[:3]}
    shares |= {name: seen[name] / max(1, tokens_at_first) for name in ("mismatch", "truncated")}
    shares["mismatch_most"] = seen["mismatch_most"]
    return {
        "loss": seen["loss"] / settings.updates,
        "gradient": seen["gradient"] / settings.updates,
        **shares,
    }


def backward(
    policy: Policy,
    samples: Sequence[TrainingSample],
    settings: LearnerSettings,
    measured: dict[str, float],
    rows: int,
    tokens: int,
) -> float:
    """The gradient of a micro-batch: its share of the loss of an update with so many rows and tokens."""
    written = [each.row.written for each in samples]
    batch = collate(
        [each.row.prompt for each in samples],
        [each.tokens for each in written],
        policy.pad,
        policy.device,
        logprobs=[each.logprobs for each in written],
        masks=[each.masks for each in written],
        advantages=[each.advantages for each in samples],
        forced=[each.forced for each in written],
        sampled=[each.sampled for each in written],
    )
    temperature = settings.sampling.temperature or 1.0
    reference = None
    if settings.loss.kl:
        with torch.no_grad(), policy.model.disable_adapter(), mixed(settings.precision):
            reference, _ = answer_logprobs(policy.model, batch, policy.automaton, temperature)
    with mixed(settings.precision):
        logprobs, entropy = answer_logprobs(policy.model, batch, policy.automaton, temperature)
    loss, kl = total(logprobs, reference, batch, settings.loss, rows, tokens)
    loss.backward()
    with torch.no_grad():
        ratio = torch.exp(logprobs - batch.old_logprobs)
        outside = (ratio < 1 - settings.loss.clip_low) | (ratio > 1 + settings.loss.clip_high)
        measured["clipped"] += float((outside & batch.mine).sum())
        measured["kl"] += float(kl)
        measured["entropy"] += float((entropy * batch.mine).sum())
        sampler = batch.old_logprobs if batch.sampled is None else batch.sampled
        off = ((logprobs - sampler).abs() * batch.mine).float()
        measured["mismatch"] += float(off.sum())
        measured["mismatch_most"] = max(measured["mismatch_most"], float(off.max()))
        cut = torch.exp(batch.old_logprobs - sampler) > settings.loss.truncate
        measured["truncated"] += float((cut & batch.mine).sum())
    return float(loss.detach())


def averaged(average: Weights, now: Weights, decay: float) -> Weights:
    """The running average after another step."""
    if not decay:
        return now
    return {name: decay * average[name] + (1 - decay) * weight for name, weight in now.items()}


def evaluate(policy: Policy, source: SampleSource, run: Run, step: int, best: Best, average: Weights) -> Best:
    """Measure the running average on held-out tasks; the better of now and the best so far."""
    with holding(policy, average):
        found = source.evaluate(policy)
    if found is None:
        return Best(0.0, step, average)
    run.log(kind="choose", step=step, **found)
    return best if found["score"] <= best.score else Best(found["score"], step, average)


@contextmanager
def holding(policy: Policy, weights: Weights) -> Iterator[None]:
    """The policy with these weights for a while."""
    now = trained_weights(policy)
    put_weights(policy, weights, "the average")
    yield
    put_weights(policy, now, "the weights")
