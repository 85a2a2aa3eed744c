"""What the training loop's update, and its own writing, cost on a model of the size people would train.

    .venv-train/bin/python -m bench.update [--sizes 0.5b 7b] [--rehearse] [--output bench/results/update.json]

Models of random weights in the shape of Qwen2.5 (Qwen team 2024), on a GPU where there is one: the update of
``trainer.learning.grpo`` with a LoRA adapter of rank 16, the same rows every time, prompts of 1,024 tokens and answers
of 64. Told are tokens a second (prompts and answers), the arithmetic that these take, counted, and its share of what a
large product of two bfloat16 matrices reached on the same device just before; what is worked out twice counts once.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from transformers import Qwen2Config, Qwen2ForCausalLM

from bench.experiment import Figures, Given, experiment, keep, option
from trainer.learning import optimizer as optimizers
from trainer.learning.apprentice import make_tokenizer
from trainer.learning.checkpoint import Checkpoints
from trainer.learning.decoding import WrittenAnswer
from trainer.learning.grpo import update
from trainer.learning.loss import LossSettings
from trainer.learning.micro_batches import MicroBatches
from trainer.learning.policy import Lora, Policy, best_device, merged_copy, with_adapter
from trainer.learning.precision import Precision
from trainer.learning.processes import ProcessGroup
from trainer.learning.rollout import Row
from trainer.learning.samples import TrainingSample
from trainer.learning.settings import LearnerSettings


@dataclass(frozen=True, slots=True)
class Shape:
    """A model's size, and how many rows of it are worked on at once."""

    hidden: int
    layers: int
    heads: int
    key_value_heads: int
    inner: int
    vocabulary: int
    tied: bool
    micro_batch: int
    rows: int


SHAPES = {
    "0.5b": Shape(896, 24, 14, 2, 4864, 151_936, True, 16, 64),
    "7b": Shape(3584, 28, 28, 4, 18_944, 152_064, False, 4, 16),
}
TINY = Shape(64, 2, 4, 2, 128, 512, True, 2, 4)
PROMPT, ANSWER, ROUNDS = 1024, 64, 3


@dataclass(frozen=True, slots=True)
class Way:
    """What is changed in the loop's settings."""

    loss: LossSettings = field(default_factory=LossSettings)
    precision: Precision = "auto"
    recompute: bool = False
    """Whether no activations of the blocks are kept."""


WAYS: Final[Mapping[str, Way]] = {
    "with the reference": Way(),
    "without the reference": Way(LossSettings(kl=0.0)),
    "with the reference, recomputed": Way(recompute=True),
    "with the reference, the adapter in float32": Way(precision="float32"),
}


def made(shape: Shape, device: torch.device) -> Policy:
    """A model of random weights with an adapter, where it is to be trained."""
    tokenizer = make_tokenizer(["We can do 300."], 300)
    config = Qwen2Config(
        vocab_size=shape.vocabulary,
        hidden_size=shape.hidden,
        intermediate_size=shape.inner,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.key_value_heads,
        max_position_embeddings=4096,
        tie_word_embeddings=shape.tied,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    torch.manual_seed(0)
    kept = torch.get_default_dtype()
    torch.set_default_dtype(torch.bfloat16 if device.type == "cuda" else torch.float32)
    try:
        with device:
            model = Qwen2ForCausalLM(config)
    finally:
        torch.set_default_dtype(kept)
    return Policy(with_adapter(model, Lora(), Path(), 0).to(device), tokenizer, Path())


def rows_of(vocabulary: int, rows: int, prompt: int, answer: int) -> list[TrainingSample]:
    """Rows of random tokens with advantages of either sign."""
    source = np.random.default_rng(0)

    def some(count: int) -> list[int]:
        found: list[int] = source.integers(vocabulary, size=count).tolist()
        return found

    return [
        TrainingSample(
            Row(prompt=some(prompt), written=WrittenAnswer(tokens=some(answer), logprobs=[-12.0] * answer)),
            [1.0 if at % 2 else -1.0] * answer,
        )
        for at in range(rows)
    ]


def operations(shape: Shape, rows: int, prompt: int, answer: int, *, reference: bool) -> float:
    """Multiplications and additions that an update takes: two for each weight and token on the way there and two on the way
    back, for the weights themselves are not learnt, and the same there for the reference; attention to all before; the
    vocabulary at the answers alone. The adapter's own, under two in a hundred, are left out."""
    length = prompt + answer
    head = shape.hidden // shape.heads
    attention = shape.hidden * (2 * shape.hidden + 2 * shape.key_value_heads * head)
    block = shape.layers * (attention + 3 * shape.hidden * shape.inner)
    through = 2 * block * length + shape.layers * 2 * length * length * shape.hidden
    vocabulary = 2 * shape.hidden * shape.vocabulary * answer
    return rows * (through + vocabulary) * (3 if reference else 2)


def timed(work: Callable[[], Any], rounds: int) -> list[float]:
    """Seconds of each round after one that warms up."""
    found = []
    for _ in range(rounds + 1):
        _settle()
        began = time.perf_counter()
        work()
        _settle()
        found.append(time.perf_counter() - began)
    return found[1:]


def _settle() -> None:
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def best_product(device: torch.device, size: int) -> float:
    """Operations a second of a product of two random square matrices, the median of ten; bfloat16 on a GPU."""
    kind = torch.bfloat16 if device.type == "cuda" else torch.float32
    one, other = (torch.randn((size, size), device=device, dtype=kind) for _ in range(2))
    return 2 * size**3 / statistics.median(timed(lambda: one @ other, 10))


def updated(
    policy: Policy, shape: Shape, samples: list[TrainingSample], way: str, peak: float, rounds: int
) -> Figures:
    """One way of updating, in figures."""
    chosen = WAYS[way]
    settings = LearnerSettings(
        rows=0, micro_batch=shape.micro_batch, loss=chosen.loss, precision=chosen.precision
    )
    policy.model.gradient_checkpointing_disable()
    if chosen.recompute:
        policy.recompute(settings.precision)
    optimizer = optimizers.make(policy.trainable, settings.optimizer)
    micro_batches = MicroBatches(settings.micro_batch)
    processes = ProcessGroup()
    if torch.cuda.is_available():
        torch.cuda.reset_peak_memory_stats()
    with tempfile.TemporaryDirectory() as folder:
        checkpoints = Checkpoints(Path(folder))
        seconds = timed(
            lambda: update(policy, samples, settings, optimizer, 0, micro_batches, processes, checkpoints),
            rounds,
        )
    first = samples[0].row
    prompt, answer = len(first.prompt), len(first.written.tokens)
    counted = operations(shape, len(samples), prompt, answer, reference=bool(settings.loss.kl))
    middle = statistics.median(seconds)
    return {
        "seconds": [round(each, 4) for each in seconds],
        "tokens_a_second": round(len(samples) * (prompt + answer) / middle),
        "operations_a_second": counted / middle,
        "share_of_product": round(counted / middle / peak, 3),
        "rows_at_once": micro_batches.size,
        "memory_gb": round(torch.cuda.max_memory_allocated() / 1e9, 1) if torch.cuda.is_available() else None,
    }


def wrote(policy: Policy, rows: int, prompt: int, answer: int, rounds: int) -> Figures:
    """The loop's own writing, freely drawn: nothing that it wrote ends before its time but by chance."""
    samples = rows_of(300, rows, prompt, answer)
    plain = merged_copy(policy)  # as the loop writes with
    generator = torch.Generator().manual_seed(0)
    written: list[int] = []

    def work() -> None:
        answers = policy.write(
            [each.row.prompt for each in samples],
            most=answer,
            temperature=1.0,
            generator=generator,
            model=plain,
        )
        written.append(sum(len(each.tokens) for each in answers))

    seconds = timed(work, rounds)
    return {
        "rows": rows,
        "seconds": [round(each, 4) for each in seconds],
        "answers_a_second": round(rows / statistics.median(seconds), 2),
        "tokens_a_second": round(statistics.median(map(lambda n, s: n / s, written[1:], seconds))),
    }


@experiment(
    "update.json",
    option("--sizes", nargs="+", choices=tuple(SHAPES), default=list(SHAPES)),
    rehearsal=True,
)
def main(given: Given) -> Figures:
    device = best_device()
    shapes = {"tiny": TINY} if given.rehearse else {size: SHAPES[size] for size in given.sizes}
    prompt, answer, rounds = (16, 4, 1) if given.rehearse else (PROMPT, ANSWER, ROUNDS)
    peak = best_product(device, 128 if given.rehearse else 8192)
    found: Figures = {
        "device": torch.cuda.get_device_name() if torch.cuda.is_available() else "processor",
        "torch": torch.__version__,
        "product_operations_a_second": peak,
        "prompt": prompt,
        "answer": answer,
    }
    for name, shape in shapes.items():
        policy = made(shape, device)
        samples = rows_of(shape.vocabulary, shape.rows, prompt, answer)
        policy.model.train()
        size: Figures = {"rows": shape.rows, "update": {}, "writing": []}
        found[name] = size
        for way in WAYS:
            size["update"][way] = updated(policy, shape, samples, way, peak, rounds)
            keep(found, given.output)
        policy.model.gradient_checkpointing_disable()
        for rows in (shape.rows, 4 * shape.rows):
            size["writing"].append(wrote(policy, rows, prompt, answer, rounds))
            keep(found, given.output)
        del policy
        if torch.cuda.is_available():
            torch.cuda.empty_cache()
    return found


if __name__ == "__main__":
    main()
