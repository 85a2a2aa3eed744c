"""From nothing, or from a given model, to a player of the board: bots' examples, then GRPO over truncated rollouts.

A run's folder holds ``untrained/`` (an apprentice before anything), ``base/`` (after the examples, merged),
``adapter/`` (what GRPO added) and ``diplomacy.json`` (how it is told); each stage can be measured and seated.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Literal

from negotiation.engine.diplomacy.bots import BOTS
from negotiation.engine.diplomacy.bots.base import Bot
from trainer.datasets import Example
from trainer.domains.diplomacy.examples import ExampleSettings, examples
from trainer.domains.diplomacy.games import DiplomacyGames
from trainer.domains.diplomacy.pool import PoolSettings, Positions
from trainer.domains.diplomacy.reward import RewardSettings
from trainer.domains.diplomacy.telling import Style
from trainer.domains.games import Domain
from trainer.errors import BadInput
from trainer.learning import grpo
from trainer.learning.apprentice import Build, make_model, make_tokenizer, save_base
from trainer.learning.checkpoint import Checkpoints
from trainer.learning.diplomacy.bot import ModelPlayer
from trainer.learning.diplomacy.self_play import OwnGames
from trainer.learning.diplomacy.stages import TwoStages
from trainer.learning.grpo import GrpoSettings
from trainer.learning.loss import LossSettings
from trainer.learning.optimizer import OptimizerSettings
from trainer.learning.policy import Lora, Policy, load, save_adapter
from trainer.learning.rollout import Sampling
from trainer.learning.sft import SftSettings
from trainer.learning.teaching import teach
from trainer.runs import Run, say

Stage = Literal["untrained", "base", "adapter"]
STAGES: tuple[Stage, ...] = ("untrained", "base", "adapter")
APART = r"(?:<[^<>\n]*>)+\n?| ?[A-Za-z]+|\d|\n"
"""What an apprentice's vocabulary keeps apart: runs of tags, words, digits, line breaks. So every province is one token
wherever it stands, and no two lines are ever joined."""
ABOUT = "diplomacy.json"


@dataclass(frozen=True, slots=True)
class CourseSettings:
    """How a player is made."""

    base: Path | None = None
    """A model to begin with; without, an apprentice is made."""
    style: Style = "brief"
    """``full`` for a model that can read."""
    free: int = 40
    """The most tokens of words before the orders; what the orders need is reserved beside it."""
    others: str = "trusting"
    """Who plays the other six in rollouts: a bot, or ``model:FOLDER``, a player trained before. Only one who reads press
    gives words a worth."""
    rollouts: int = 8
    """K, of every sample. A single rollout of two years is mostly noise."""
    workers: int = 2
    """Processes that play rollouts; 0 plays them in this one. The results are the same."""
    self_play_every: int = 15
    """Steps after which the policy's own games are played anew; 0 never."""
    self_play_games: int = 2
    build: Build = field(
        default_factory=lambda: Build(
            vocabulary=1024, hidden=64, layers=2, heads=4, key_value_heads=4, inner=192, positions=1024
        )
    )
    lora: Lora = field(default_factory=lambda: Lora(rank=16, alpha=32))
    examples: ExampleSettings = field(default_factory=ExampleSettings)
    positions: PoolSettings = field(default_factory=PoolSettings)
    rewards: RewardSettings = field(
        default_factory=lambda: RewardSettings(tag_weight=1.0, idle_weight=1.0, right_weight=1.0)
    )
    """Tags weigh as much as the board here, for and against: at a quarter they drown in the luck of eight rollouts, and
    where they only cost the learner falls silent, as one run did."""
    sft: SftSettings = field(
        default_factory=lambda: SftSettings(
            steps=160,
            batch=32,
            save_every=40,
            validate_every=80,
            validation_rows=256,
            optimizer=OptimizerSettings(learning_rate=3e-3, warm_up=20, decay=True, weight_decay=0.01),
        )
    )
    grpo: GrpoSettings = field(
        default_factory=lambda: GrpoSettings(
            steps=30,
            credit="episode",
            scale="std",
            parts=False,
            rows=0,
            updates=2,
            save_every=4,
            choose_every=15,
            choose_tasks=112,
            sampling=Sampling(decoding="masked", temperature=1.0),
            loss=LossSettings(kl=0.03),
            optimizer=OptimizerSettings(learning_rate=3e-3, warm_up=2, decay=True),
        )
    )

    def __post_init__(self) -> None:
        reader(self.others)
        for name, least in (
            ("free", 0),
            ("rollouts", 1),
            ("workers", 0),
            ("self_play_every", 0),
            ("self_play_games", 1),
        ):
            if getattr(self, name) < least:
                raise ValueError(f"{name} must be at least {least}")


def reader(name: str) -> Bot:
    """Who plays the others: a bot by name, or a trained player.

    Raises:
        BadInput: where there is none.
    """
    kind, _, folder = name.partition(":")
    if kind == "model" and folder:
        return open_player(Path(folder))
    if name not in BOTS:
        raise BadInput(f"others: there is no bot {name!r}; there are {', '.join(BOTS)}, model:FOLDER")
    return BOTS[name]()


def run_course(settings: CourseSettings, seed: int, run: Run, *, resume: bool = False) -> dict[str, Any]:
    """Both stages: examples, then GRPO."""
    about = {"style": settings.style, "free": settings.free}
    (run.folder / ABOUT).write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    begun = (
        {} if (run.folder / "base" / "config.json").exists() else begin(settings, seed, run, resume=resume)
    )
    return {**begun, **strengthen(settings, run.folder / "base", seed, run, resume=resume)}


def begin(settings: CourseSettings, seed: int, run: Run, *, resume: bool = False) -> dict[str, Any]:
    """The examples, learnt; writes ``untrained/`` (of an apprentice) and ``base/``."""
    rows = examples(settings.examples, settings.style, seed)
    if settings.base is None:
        policy = apprentice(settings, rows["train"], run.folder / "untrained", seed)
    else:
        policy = load(settings.base, lora=settings.lora, train=True, seed=seed)
    return teach(policy, rows, settings.sft, seed, run, resume=resume)


def strengthen(
    settings: CourseSettings, base: Path, seed: int, run: Run, *, resume: bool = False
) -> dict[str, Any]:
    """GRPO on ``base``; writes ``adapter/``."""
    policy = load(base, lora=settings.lora, train=True, seed=seed)
    stages = TwoStages(policy, settings.free)
    positions = Positions(settings.positions, seed)
    with processes(settings.workers) as workers:
        games = DiplomacyGames(
            settings.rewards, settings.style, reader(settings.others), settings.rollouts, workers
        )
        own = (
            OwnGames(
                policy,
                positions,
                settings.positions,
                settings.style,
                stages,
                every=settings.self_play_every,
                games=settings.self_play_games,
                seed=seed,
            )
            if settings.self_play_every
            else None
        )
        found = grpo.train(
            policy,
            Domain(games, positions),
            settings.grpo,
            seed,
            run,
            Checkpoints(run.folder / "checkpoints"),
            resume=resume,
            frozen=own,
            decoder=stages,
        )
    save_adapter(policy, run.folder / "adapter", kind="diplomacy", style=settings.style, free=settings.free)
    return found


@contextmanager
def processes(count: int) -> Iterator[Executor | None]:
    """Processes without torch, which play rollouts; none for 0."""
    if not count:
        yield None
        return
    with ProcessPoolExecutor(count, mp_context=get_context("forkserver")) as workers:
        yield workers


def apprentice(settings: CourseSettings, rows: Sequence[Example], folder: Path, seed: int) -> Policy:
    """A new model with a vocabulary made from the examples."""
    few = rows[:: max(1, len(rows) // 3000)]
    texts = [text for row in few for text in (row.chat[-1]["content"], row.answer)]
    tokenizer = make_tokenizer(texts, settings.build.vocabulary, APART)
    model = make_model(settings.build, tokenizer, seed)
    save_base(model, tokenizer, folder)
    say(f"an apprentice of {sum(weight.numel() for weight in model.parameters()):,} weights")
    return load(folder, train=True)


def open_player(folder: Path, temperature: float = 1.0) -> ModelPlayer:
    """A trained player: a run's folder, or its ``untrained``, ``base`` or ``adapter`` alone.

    Raises:
        BadInput: for a folder without one.
    """
    stage = folder.name if folder.name in STAGES else "adapter"
    home = folder.parent if folder.name in STAGES else folder
    try:
        about = json.loads((home / ABOUT).read_text(encoding="utf-8"))
        style, free = about["style"], int(about["free"])
    except OSError as problem:
        raise BadInput(f"{folder} holds no player of the board ({ABOUT}): {problem.strerror}") from problem
    except (ValueError, KeyError, TypeError) as problem:
        raise BadInput(f"{home / ABOUT} is damaged") from problem
    policy = load(home / "base", home / "adapter") if stage == "adapter" else load(home / stage)
    return ModelPlayer(policy, style, free, temperature)
