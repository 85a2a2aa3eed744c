"""The course of deals, in the steps that commands are put together from: an apprentice, its examples, its playing."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import torch

from negotiation.opponents.protocol.shape import Style
from trainer import datasets
from trainer.domains.deal.games import Dealer, DealGames, Elsewhere
from trainer.domains.deal.rewards import RewardSettings
from trainer.domains.deal.rivals import read_wins
from trainer.domains.deal.tables import OpenTables
from trainer.domains.deal.tasks import DealCurriculum, Mixture
from trainer.domains.games import Domain
from trainer.errors import BadInput
from trainer.learning import course
from trainer.learning.apprentice import DIGITS, Build, save_base
from trainer.learning.domain_source import DomainSource
from trainer.learning.frozen import FrozenSelf
from trainer.learning.loss import LossSettings
from trainer.learning.optimizer import OptimizerSettings
from trainer.learning.policy import Lora, Policy, load, save_adapter
from trainer.learning.rehearsal import Rehearsal
from trainer.learning.rollout import Sampling
from trainer.learning.served import Served
from trainer.learning.settings import GrpoSettings
from trainer.learning.sft import SftSettings
from trainer.runs import Run

TOKENIZER_EXAMPLES = 4000
APART = DIGITS + r'|\}(?=,)|,"challenge":(?:true|false)'
"""What the apprentice's vocabulary never merges with its neighbours. A field that is only sometimes asked for would else
be one with the line of the menu after it and the brace before it, and so dozens of rare tokens: most of what was
malformed was the answer to a claim in the same breath as a headline, left out or out of turn."""


@dataclass(frozen=True, slots=True)
class TeachSettings:
    """``sft``: how a base learns the moves of a dataset."""

    build: Build = field(default_factory=Build)
    """Of the apprentice, where no base is given."""
    style: Style = "brief"
    """How the dataset's chats are written; the adapter is marked with it."""
    lora: Lora = field(default_factory=Lora)
    """Of the adapter that is taught, where a base is given."""
    sft: SftSettings = field(default_factory=SftSettings)
    rehearsal: Rehearsal = field(default_factory=Rehearsal)
    recompute: bool = False
    """Activations are worked out again on the way back: a third more work, and memory for one block's alone."""


@dataclass(frozen=True, slots=True)
class TrainSettings:
    """``grpo``: what is played, what it earns, and how it is learnt from."""

    style: Style = "brief"
    transport: Literal["inprocess", "openenv"] = "inprocess"
    url: str = "http://127.0.0.1:8010"
    """Of the OpenEnv server, for that transport."""
    server: str = ""
    """A vLLM server that writes the training games' answers, such as ``http://127.0.0.1:8000/v1``, started with the same
    base, ``--enable-lora`` and VLLM_ALLOW_RUNTIME_LORA_UPDATING; by default the answers are written here."""
    frozen_every: int = 20
    """Steps after which the frozen self of ``mixture.self_play`` is renewed."""
    mixture: Mixture = field(default_factory=Mixture)
    wins: Path | None = None
    """A dataset in the brief style of deals in which people beat a model: they join ``mixture.rivals``."""
    rewards: RewardSettings = field(default_factory=RewardSettings)
    lora: Lora = field(default_factory=Lora)
    recompute: bool = False
    """Activations are worked out again on the way back: a third more work, and memory for one block's alone."""
    grpo: GrpoSettings = field(default_factory=GrpoSettings)

    def __post_init__(self) -> None:
        if self.transport == "openenv" and (self.mixture.self_play or self.mixture.rival_share):
            raise BadInput(
                "mixture.self_play and mixture.rival_share need transport inprocess: the other seat is not on the wire"
            )
        if self.mixture.rival_share and not self.mixture.rivals and self.wins is None:
            raise BadInput("mixture.rival_share needs mixture.rivals or wins: nobody is in the exploit pool")
        if self.server and self.grpo.sampling.decoding != "raw":
            raise BadInput("server needs grpo.sampling.decoding raw: masks are put on here")


def apprentice_training(**grpo: Any) -> TrainSettings:
    """How an apprentice is trained by ``demo`` and ``ablate``; ``grpo`` changes single settings.

    Haste is not paid, since the demo shows the share; an impasse costs two and a half times what it does in the game, since
    holding out for share is the first thing that is learnt, and deals are what pays for it. That charge falls on the last
    moves most: spread over all of a game alike, it is most of the noise in what the early ones are told. What is left is
    mostly luck too: so a step's deals are many, and the rate falls, which averages over the last steps.
    """
    settings = GrpoSettings(
        steps=24,
        prompts_per_step=12,
        few=3,
        fades={"no_deal": 0.85, "floor_breach": 0.85},
        rows=640,
        updates=2,
        micro_batch=128,
        save_every=3,
        eval_steps=12,
        eval_tasks=192,
        precision="auto",
        loss=LossSettings(kl=0.07),
        optimizer=OptimizerSettings(learning_rate=1.5e-3, warm_up=3, decay=True),
    )
    return TrainSettings(rewards=RewardSettings(no_deal=2.5, speed=0.0), grpo=replace(settings, **grpo))


def fix_threads() -> None:
    """One thread, whatever the machine and its environment say: sums are added in another order by two, and a training is
    another one from its first step on. A small model gains little from more."""
    if not torch.cuda.is_available():
        torch.set_num_threads(1)


def apprentice(settings: TeachSettings, data: Path, folder: Path, seed: int) -> Policy:
    """A new apprentice with random weights, its vocabulary learnt from the data, kept in ``folder``."""
    examples = list(datasets.read(data / "train.jsonl"))
    few = examples[:TOKENIZER_EXAMPLES]
    texts = [*(each.chat[-1]["content"] for each in few), *(each.answer for each in few)]
    return course.apprentice(settings.build, texts, folder, seed, APART)


def teach(
    policy: Policy,
    settings: SftSettings,
    data: Path,
    seed: int,
    run: Run,
    *,
    resume: bool = False,
    rehearsal: Rehearsal | None = None,
) -> dict[str, float]:
    """Teach a policy the examples of ``data``, and some that it knows already where a ``rehearsal`` says which."""
    examples = list(datasets.read(data / "train.jsonl"))
    path = data / "validation.jsonl"
    rows = {
        "train": rehearsal.added_to(examples, seed) if rehearsal else examples,
        "valid": list(datasets.read(path)) if path.exists() and path.stat().st_size else [],
    }
    return course.teach(policy, rows, settings, seed, run, run.folder / "checkpoints", resume=resume)


def keep_as_base(policy: Policy, folder: Path) -> None:
    """Write what was taught as a base of its own, an adapter merged into it: what GRPO and the server stand on."""
    model: Any = policy.model
    plain = model.merge_and_unload() if hasattr(model, "merge_and_unload") else model
    save_base(plain, policy.tokenizer, folder)


def train(
    base: Path,
    settings: TrainSettings,
    seed: int,
    run: Run,
    *,
    resume: bool = False,
    adapter: Path | None = None,
) -> tuple[Policy, dict[str, float]]:
    """Train an adapter on ``base`` by playing, and keep the best one in the run's ``adapter/``.

    Args:
        adapter: one that is gone on from, instead of a fresh one.
    """
    policy = load(base, adapter, lora=settings.lora, train=True, seed=seed)
    if settings.recompute:
        policy.recompute(settings.grpo.precision)
    wins = read_wins(settings.wins) if settings.wins else {}
    mixture = replace(settings.mixture, rivals=(*settings.mixture.rivals, *wins))
    tables = OpenTables(style=settings.style, wins=wins)
    games = DealGames(dealer(settings, tables), settings.rewards, settings.style)
    curriculum = DealCurriculum(mixture, seed, settings.rewards.omega_warm_up)
    across = Sampling(decoding="masked").of_style(settings.style)
    source = DomainSource(
        Domain(games, curriculum),
        replace(settings.grpo, sampling=settings.grpo.sampling.of_style(settings.style)),
        seed,
        frozen=FrozenSelf(policy, tables, settings.frozen_every, across)
        if settings.mixture.self_play
        else None,
        served=Served(settings.server, run.folder / "served") if settings.server else None,
    )
    return policy, course.strengthen(policy, source, seed, run, resume=resume, style=settings.style)


def dealer(settings: TrainSettings, tables: OpenTables) -> Dealer:
    """Where deals are played: in this process, or behind a server; equal seeds give equal results."""
    if settings.transport == "inprocess":
        return tables
    from negotiation.openenv.client import RemoteTables

    return Elsewhere(RemoteTables(settings.url))


def keep_adapter(policy: Policy, folder: Path, seed: int, style: Style) -> None:
    """Write what was taught as an adapter of its own."""
    save_adapter(policy, folder, style=style, seed=seed)
