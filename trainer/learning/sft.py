"""Supervised fine-tuning: the answers of a dataset, learnt token by token.

The loss is the mean negative log-likelihood of the answers; what is only read is not learnt. Rows are sorted into
batches of about equal length, so that little is padding.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from trainer.datasets import Example
from trainer.errors import BadInput
from trainer.learning import optimizer as optimizers
from trainer.learning.checkpoint import Checkpoints
from trainer.learning.loss import answer_logprobs, collate
from trainer.learning.micro_batches import MicroBatches
from trainer.learning.optimizer import OptimizerSettings
from trainer.learning.policy import Policy
from trainer.learning.precision import Precision, mixed
from trainer.runs import Progress, Run


@dataclass(frozen=True, slots=True)
class SftSettings:
    """How the beginning is learnt."""

    steps: int = 500
    batch: int = 64
    """Examples a step."""
    save_every: int = 100
    """Steps between checkpoints: what kill -9 can lose."""
    validate_every: int = 100
    validation_rows: int = 512
    """At most so many validation examples are measured."""
    precision: Precision = "float32"
    optimizer: OptimizerSettings = field(
        default_factory=lambda: OptimizerSettings(
            learning_rate=3e-3, warm_up=30, decay=True, weight_decay=0.01
        )
    )
    """The rate suits a million weights from nothing; an adapter on a large model wants about 2e-4."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """An example as tokens."""

    prompt: list[int]
    answer: list[int]

    @property
    def length(self) -> int:
        return len(self.prompt) + len(self.answer)


def encode(policy: Policy, examples: Sequence[Example]) -> list[Encoded]:
    """Examples as tokens; one that does not fit the model is an error, by its place."""
    longest = int(policy.model.config.max_position_embeddings)
    found = []
    for number, example in enumerate(examples, start=1):
        encoded = Encoded(policy.tokens(example.chat), policy.answer_tokens(example.answer))
        if encoded.length > longest:
            raise BadInput(f"example {number} has {encoded.length} tokens; the model reads {longest}")
        found.append(encoded)
    return found


def train(
    policy: Policy,
    examples: Sequence[Encoded],
    validation: Sequence[Encoded],
    settings: SftSettings,
    seed: int,
    run: Run,
    checkpoints: Checkpoints,
    *,
    resume: bool = False,
) -> dict[str, float]:
    """Teach ``policy`` the examples; returns what was reached."""
    optimizer = optimizers.make(policy.trainable, settings.optimizer)
    first = checkpoints.restore(policy, optimizer) if resume else 0
    run.cut("sft", first)
    progress = Progress("sft", settings.steps, first)
    micro_batches = MicroBatches()
    last: dict[str, float] = {}
    for step in range(first, settings.steps):
        started = time.perf_counter()
        rows = batch_of(examples, settings.batch, seed, step)
        policy.model.train()
        loss = micro_batches.over(
            rows,
            lambda part: _backward(policy, part, len(rows), settings.precision),  # noqa: B023
            optimizer,
        )
        if not math.isfinite(loss):
            raise BadInput(
                f"the loss of batch {step} is {loss}; stopped, the checkpoint of step"
                f" {checkpoints.latest() or 0} is good"
            )
        norm = optimizers.take_step(optimizer, settings.optimizer, step, settings.steps)
        tokens = sum(row.length for row in rows)
        last = {"loss": loss, "tokens_per_second": tokens / (time.perf_counter() - started)}
        if (step + 1) % settings.validate_every == 0 or step + 1 == settings.steps:
            last["validation_loss"] = measure(policy, validation[: settings.validation_rows], settings.batch)
        run.log(kind="sft", step=step, gradient=norm, **last)
        if (step + 1) % settings.save_every == 0 or step + 1 == settings.steps:
            checkpoints.save(step + 1, policy, optimizer)
        progress.show(step + 1, f"loss {loss:.3f}")
    return last


def batch_of(examples: Sequence[Encoded], size: int, seed: int, step: int) -> list[Encoded]:
    """The examples of a step: a function of seed and step alone. Every epoch is a new order of all of them."""
    size = min(size, len(examples))
    each = len(examples) // size
    order = np.random.default_rng([seed, 31, step // each]).permutation(len(examples))
    place = step % each
    chosen = [examples[index] for index in order[place * size : (place + 1) * size]]
    return sorted(chosen, key=lambda row: row.length)


def measure(policy: Policy, rows: Sequence[Encoded], size: int) -> float:
    """The mean negative log-likelihood per token of the answers."""
    if not rows:
        return float("nan")
    policy.model.eval()
    lost, tokens = 0.0, 0
    ordered = sorted(rows, key=lambda row: row.length)
    with torch.no_grad():
        for begin in range(0, len(ordered), size):
            part = ordered[begin : begin + size]
            batch = collate([r.prompt for r in part], [r.answer for r in part], policy.pad, policy.device)
            logprobs, _ = answer_logprobs(policy.model, batch, None, 1.0)
            lost -= float(logprobs.sum())
            tokens += int(batch.mine.sum())
    return lost / tokens


def _backward(policy: Policy, rows: Sequence[Any], whole: int, precision: Precision) -> float:
    batch = collate([r.prompt for r in rows], [r.answer for r in rows], policy.pad, policy.device)
    with mixed(precision):
        logprobs, _ = answer_logprobs(policy.model, batch, None, 1.0)
    each = -logprobs.sum(dim=1) / batch.mine.sum(dim=1)
    loss = each.sum() / whole
    loss.backward()
    return float(loss.detach())
