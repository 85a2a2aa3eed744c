"""The steps that every course is put together from: an apprentice out of nothing, examples, playing, and opening it again.

A course's folder holds ``untrained/`` (an apprentice before anything), ``base/`` (after the examples, merged),
``adapter/`` (what playing added) and a file about how its games are told.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar, get_args

from trainer.datasets import Example
from trainer.errors import BadInput
from trainer.learning import grpo, sft
from trainer.learning.apprentice import DIGITS, Build, make_model, make_tokenizer, save_base
from trainer.learning.checkpoint import Checkpoints
from trainer.learning.policy import Lora, Policy, load, merged_copy, save_adapter
from trainer.learning.sft import SftSettings
from trainer.runs import Run, say

Stage = Literal["untrained", "base", "adapter"]
STAGES: tuple[Stage, ...] = get_args(Stage)
About = TypeVar("About")


class Beginning(Protocol):
    """How a course begins: a model that is given, or an apprentice, and how it learns its examples."""

    @property
    def base(self) -> Path | None: ...
    @property
    def build(self) -> Build: ...
    @property
    def lora(self) -> Lora: ...
    @property
    def sft(self) -> SftSettings: ...


def apprentice(build: Build, texts: Iterable[str], folder: Path, seed: int, apart: str = DIGITS) -> Policy:
    """A new model with random weights and a vocabulary made from ``texts``, kept in ``folder``."""
    tokenizer = make_tokenizer(texts, build.vocabulary, apart)
    model = make_model(build, tokenizer, seed)
    save_base(model, tokenizer, folder)
    say(f"an apprentice of {sum(weight.numel() for weight in model.parameters()):,} weights")
    return load(folder, train=True)


def teach(
    policy: Policy,
    rows: Mapping[str, Sequence[Example]],
    settings: SftSettings,
    seed: int,
    run: Run,
    checkpoints: Path,
    *,
    resume: bool,
) -> dict[str, float]:
    """Learn ``rows["train"]``, watched on ``rows["valid"]``."""
    encoded = {part: sft.encode(policy, own) for part, own in rows.items()}
    kept = Checkpoints(checkpoints)
    return sft.train(policy, encoded["train"], encoded["valid"], settings, seed, run, kept, resume=resume)


def begin(
    settings: Beginning,
    rows: Mapping[str, Sequence[Example]],
    texts: Iterable[str],
    seed: int,
    run: Run,
    *,
    resume: bool = False,
    apart: str = DIGITS,
) -> dict[str, Any]:
    """The examples, learnt; writes ``untrained/`` (of an apprentice) and ``base/``."""
    if settings.base is None:
        policy = apprentice(settings.build, texts, run.folder / "untrained", seed, apart)
    else:
        policy = load(settings.base, lora=settings.lora, train=True, seed=seed)
    found = teach(policy, rows, settings.sft, seed, run, run.folder / "sft", resume=resume)
    save_base(merged_copy(policy), policy.tokenizer, run.folder / "base")
    return {"examples": len(rows["train"]), "validation_loss": found.get("validation_loss")}


def strengthen(
    policy: Policy,
    source: grpo.SampleSource,
    seed: int,
    run: Run,
    *,
    resume: bool,
    adapter: Path | None = None,
    **about: Any,
) -> dict[str, float]:
    """Train a policy's adapter by playing; the best one goes to ``adapter/``, with what there is to say about it."""
    found = grpo.train(policy, source, seed, run, Checkpoints(run.folder / "checkpoints"), resume=resume)
    if run.writes:
        save_adapter(policy, adapter or run.folder / "adapter", **about, seed=seed, **found)
    return found


def run_stages(
    run: Run, begin: Callable[[], dict[str, Any]], strengthen: Callable[[], dict[str, float]]
) -> dict[str, Any]:
    """Both, and what came of them; a beginning that has been made is left as it is."""
    begun = {} if (run.folder / "base" / "config.json").exists() else begin()
    return {**begun, **strengthen()}


def write_about(folder: Path, file: str, about: Mapping[str, Any]) -> None:
    """Say how a course's games are told, for who opens its models later."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / file).write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


def home_of(folder: Path) -> tuple[Path, Stage]:
    """The course that a folder belongs to, and which of its stages is meant: the last one unless it names one."""
    for stage in STAGES:
        if folder.name == stage:
            return folder.parent, stage
    return folder, "adapter"


def read_about(home: Path, file: str, player: str, read: Callable[[Any], About]) -> About:
    """What ``file`` says of a course.

    Raises:
        BadInput: where it is missing or damaged; ``player`` says of what kind one was looked for.
    """
    try:
        return read(json.loads((home / file).read_text(encoding="utf-8")))
    except OSError as problem:
        raise BadInput(f"{home} holds no player of {player} ({file}): {problem.strerror}") from problem
    except (ValueError, KeyError, TypeError) as problem:
        raise BadInput(f"{home / file} is damaged") from problem


def stage_policy(home: Path, stage: Stage) -> Policy:
    """A stage of a course, to play with."""
    return load(home / "base", home / "adapter") if stage == "adapter" else load(home / stage)
