"""From nothing, or from a given model, to a player of the board: bots' examples, then GRPO over truncated rollouts.

A run's folder holds ``untrained/`` (an apprentice before anything), ``base/`` (after the examples, merged),
``adapter/`` (what GRPO added) and ``diplomacy.json`` (how it is told); each stage can be measured and seated.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from negotiation.engine.diplomacy.bots import BOTS
from negotiation.engine.diplomacy.bots.base import Bot
from trainer.domains.diplomacy.examples import ExampleSettings, examples
from trainer.domains.diplomacy.games import DiplomacyGames
from trainer.domains.diplomacy.pool import PoolSettings, Positions
from trainer.domains.diplomacy.reward import BoardRewardSettings
from trainer.domains.diplomacy.telling import Style
from trainer.domains.games import Domain
from trainer.errors import BadInput
from trainer.learning import course
from trainer.learning.apprentice import Build
from trainer.learning.diplomacy.bot import BoardPlayer
from trainer.learning.diplomacy.self_play import OwnGames
from trainer.learning.diplomacy.stages import TwoStages
from trainer.learning.domain_source import DomainSource
from trainer.learning.loss import LossSettings
from trainer.learning.optimizer import OptimizerSettings
from trainer.learning.policy import Lora, load
from trainer.learning.rollout import Sampling
from trainer.learning.settings import GrpoSettings
from trainer.learning.sft import SftSettings
from trainer.runs import Run

APART = r"(?:<[^<>\n]*>)+\n?| ?[A-Za-z]+|\d|\n"
"""What an apprentice's vocabulary keeps apart: runs of tags, words, digits, line breaks. So every province is one token
wherever it stands, and no two lines are ever joined."""
ABOUT = "diplomacy.json"


@dataclass(frozen=True, slots=True)
class BoardCourseSettings:
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
    rewards: BoardRewardSettings = field(
        default_factory=lambda: BoardRewardSettings(tag_weight=1.0, idle_weight=1.0, right_weight=1.0)
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
            eval_steps=15,
            eval_tasks=112,
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


def run_course(settings: BoardCourseSettings, seed: int, run: Run, *, resume: bool = False) -> dict[str, Any]:
    """Both stages: examples, then GRPO."""
    course.write_about(run.folder, ABOUT, {"style": settings.style, "free": settings.free})
    return course.run_stages(
        run,
        lambda: begin(settings, seed, run, resume=resume),
        lambda: strengthen(settings, run.folder / "base", seed, run, resume=resume),
    )


def begin(settings: BoardCourseSettings, seed: int, run: Run, *, resume: bool = False) -> dict[str, Any]:
    """The bots' examples, learnt."""
    rows = examples(settings.examples, settings.style, seed)
    few = rows["train"][:: max(1, len(rows["train"]) // 3000)]
    texts = [text for row in few for text in (row.chat[-1]["content"], row.answer)]
    return course.begin(settings, rows, texts, seed, run, resume=resume, apart=APART)


def strengthen(
    settings: BoardCourseSettings, base: Path, seed: int, run: Run, *, resume: bool = False
) -> dict[str, float]:
    """GRPO on ``base``; writes ``adapter/``."""
    policy = load(base, lora=settings.lora, train=True, seed=seed)
    stages = TwoStages(policy, settings.free)
    positions = Positions(settings.positions, seed)
    own = OwnGames(
        policy,
        positions,
        settings.positions,
        settings.style,
        stages,
        every=settings.self_play_every,
        games=settings.self_play_games,
        seed=seed,
    )
    with processes(settings.workers) as workers:
        games = DiplomacyGames(
            settings.rewards, settings.style, reader(settings.others), settings.rollouts, workers
        )
        source = DomainSource(
            Domain(games, positions),
            settings.grpo,
            seed,
            frozen=own if settings.self_play_every else None,
            decoder=stages,
        )
        about: dict[str, Any] = {"kind": "diplomacy", "style": settings.style, "free": settings.free}
        return course.strengthen(policy, source, seed, run, resume=resume, **about)


@contextmanager
def processes(count: int) -> Iterator[Executor | None]:
    """Processes without torch, which play rollouts; none for 0."""
    if not count:
        yield None
        return
    with ProcessPoolExecutor(count, mp_context=get_context("forkserver")) as workers:
        yield workers


def open_player(folder: Path, temperature: float = 1.0) -> BoardPlayer:
    """A trained player: a run's folder, or its ``untrained``, ``base`` or ``adapter`` alone.

    Raises:
        BadInput: for a folder without one.
    """
    home, stage = course.home_of(folder)
    style, free = course.read_about(
        home, ABOUT, "the board", lambda about: (about["style"], int(about["free"]))
    )
    return BoardPlayer(course.stage_policy(home, stage), style, free, temperature)
