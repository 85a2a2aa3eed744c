"""From nothing, or from a given model, to a player of one game: examples, a beginning, SEPO.

A run's folder holds ``base/`` (the model after the examples, merged), ``adapter/`` (what SEPO added) and
``drills.json`` (which game, how it is told); ``model:FOLDER`` is measured from these three.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from negotiation.engine.drills import GAMES, Game
from trainer.datasets import Example
from trainer.domains.drills.dataset import DatasetSettings, examples, parted
from trainer.domains.drills.evaluation import evaluate
from trainer.domains.drills.grown import GROWS
from trainer.domains.drills.held_out import check_apart
from trainer.domains.drills.oracles import game_named
from trainer.domains.drills.prompts import Telling
from trainer.errors import BadInput
from trainer.learning.apprentice import Build, make_model, make_tokenizer, save_base
from trainer.learning.checkpoint import Checkpoints
from trainer.learning.policy import Lora, Policy, load, save_adapter
from trainer.learning.sepo.model import Model
from trainer.learning.sepo.training import SepoSettings
from trainer.learning.sepo.training import train as train_sepo
from trainer.learning.sft import SftSettings
from trainer.learning.teaching import teach
from trainer.runs import Run, say
from trainer.settings import from_dict, with_changes
from trainer.settings import load as load_settings

Stage = Literal["untrained", "base", "adapter"]
STAGES: tuple[Stage, ...] = ("untrained", "base", "adapter")
EPISODES_BY_TABLE = 20_000
"""Matches against each opponent where play is a table and they are simulated over arrays."""


@dataclass(frozen=True, slots=True)
class CourseSettings:
    """A course in one game."""

    game: str = ""
    base: Path | None = None
    """A model to begin with; without, an apprentice is made."""
    episodes: int = 200
    """Matches against each opponent by which the stages are measured, where they are played answer by answer."""
    per_game: int = 6400
    examples_seed: int = 42
    telling: Telling = field(default_factory=lambda: Telling(thoughts=False, told=2))
    """A hundred thousand weights have no thoughts worth reading: the apprentice answers with the action alone, and is
    told of the last two rounds. For a large model: ``thoughts = true`` and no ``told``."""
    build: Build = field(
        default_factory=lambda: Build(vocabulary=512, hidden=64, layers=2, heads=4, inner=192, positions=512)
    )
    lora: Lora = field(default_factory=Lora)
    sft: SftSettings = field(
        default_factory=lambda: SftSettings(steps=200, validate_every=200, save_every=200)
    )
    sepo: SepoSettings = field(default_factory=SepoSettings)

    def __post_init__(self) -> None:
        game_named(self.game)
        if self.sepo.grow_every and self.game not in GROWS:
            raise BadInput(f"sepo.grow_every: a pool can grow in {' and '.join(GROWS)} only")


PRESETS: dict[str, dict[str, Any]] = {
    "kuhn": {
        "telling.told": 0,
        "sepo.steps": 160,
        "sepo.matches": 12,
        "sepo.rows": 0,
        "sepo.grow_every": 1,
        "sepo.grow_keep": 4,
        "sepo.average": 0.95,
        "sepo.objective.returns": "immediate",
        "sepo.loss.kl": 0.0,
        "sepo.sampling.temperature": 0.5,
        "sepo.optimizer.learning_rate": 0.0015,
    },
}
"""What differs by game. Poker's hands do not depend on one another: each stands alone in the prompt and is paid alone.
Luck is large, so more deals are met, which costs little where they are drawn from tables (``hands.py``). The pool grows,
since a fixed one is best answered by an open weakness. There is no leash: the paper's .2 would hold a learner at its
examples, whose mixture has a NashConv of .16. What is never right has to go from one time in seven to never, and the
gradient of a probability shrinks with it: hence more steps, and a temperature, of rollouts, measures and exports alike,
at which the same logits are further from a coin flip."""


def settings_for(config: Path | None, changes: dict[str, Any]) -> CourseSettings:
    """The settings: a game's presets, what the file says, what was asked, each winning over the one before.

    Raises:
        BadInput: as :func:`trainer.settings.load`.
    """
    asked = load_settings(CourseSettings, config, changes)
    before = from_dict(
        CourseSettings, with_changes({"game": asked.game}, PRESETS.get(asked.game, {})), "presets"
    )
    return load_settings(CourseSettings, config, changes, before)


def run_course(settings: CourseSettings, seed: int, run: Run, *, resume: bool = False) -> dict[str, Any]:
    """Both stages, and each measured against every pool of the game."""
    folder, game = run.folder, GAMES[settings.game]
    check_apart(settings.game)
    write_about(folder, settings)
    begun = {} if (folder / "base" / "config.json").exists() else begin(settings, seed, run, resume=resume)
    found = strengthen(settings, folder / "base", folder / "adapter", seed, run, resume=resume)
    stages = {
        stage: measured(game, folder, settings, seed, stage) for stage in STAGES if (folder / stage).exists()
    }
    return {**begun, **found, "stages": stages}


def measured(game: Game, folder: Path, settings: CourseSettings, seed: int, stage: Stage) -> dict[str, Any]:
    """Every figure of one stage."""
    model = open_model(game, folder, seed, stage)
    episodes = settings.episodes if model.strategy(game) is None else EPISODES_BY_TABLE
    return evaluate(game, model, episodes, seed)


def write_about(folder: Path, settings: CourseSettings) -> None:
    """Say which game a folder's models play, how it is told to them, and at which temperature they answer."""
    about = {
        "game": settings.game,
        "telling": asdict(settings.telling),
        "temperature": settings.sepo.sampling.temperature,
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "drills.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


def begin(settings: CourseSettings, seed: int, run: Run, *, resume: bool = False) -> dict[str, Any]:
    """The examples, learnt; writes ``untrained/`` (of an apprentice) and ``base/``."""
    rows = examples_of(settings)
    if settings.base is None:
        policy = apprentice(settings, rows["train"], run.folder / "untrained", seed)
    else:
        policy = load(settings.base, lora=settings.lora, train=True, seed=seed)
    return teach(policy, rows, settings.sft, seed, run, resume=resume)


def strengthen(
    settings: CourseSettings, base: Path, adapter: Path, seed: int, run: Run, *, resume: bool = False
) -> dict[str, Any]:
    """SEPO on ``base``; writes ``adapter``."""
    policy = load(base, lora=settings.lora, train=True, seed=seed)
    game = GAMES[settings.game]
    found = train_sepo(
        policy,
        game,
        settings.telling,
        settings.sepo,
        seed,
        run,
        Checkpoints(run.folder / "checkpoints"),
        resume=resume,
    )
    save_adapter(policy, adapter, kind="drills", game=settings.game, telling=asdict(settings.telling))
    return found


def examples_of(settings: CourseSettings) -> dict[str, list[Example]]:
    """The game's examples, ``train`` and ``valid``, told as the settings tell."""
    game = GAMES[settings.game]
    rows = list(examples(game, settings.per_game, settings.examples_seed, settings.telling))
    data = DatasetSettings(per_game=settings.per_game, seed=settings.examples_seed)
    return {
        part: [Example(row["messages"][:-1], row["messages"][-1]["content"]) for row in own]
        for part, own in parted(rows, game.name, data).items()
    }


def apprentice(settings: CourseSettings, rows: list[Example], folder: Path, seed: int) -> Policy:
    """A new model with a vocabulary made from the examples."""
    texts = ["\n".join([*(message["content"] for message in row.chat), row.answer]) for row in rows[:2000]]
    tokenizer = make_tokenizer([*texts, *(row.answer for row in rows[:2000])], settings.build.vocabulary)
    model = make_model(settings.build, tokenizer, seed)
    save_base(model, tokenizer, folder)
    policy = Policy(model, tokenizer, folder)
    say(f"an apprentice of {sum(weight.numel() for weight in model.parameters()):,} weights")
    return policy


def open_model(game: Game, folder: Path, seed: int, stage: Stage | None = None) -> Model:
    """A trained player: a run's folder, or its ``base``, ``adapter`` or ``untrained`` alone.

    Raises:
        BadInput: for a folder without a model of this game.
    """
    if stage is None and folder.name in ("untrained", "base", "adapter"):
        return open_model(game, folder.parent, seed, folder.name)  # type: ignore[arg-type]
    try:
        about = json.loads((folder / "drills.json").read_text(encoding="utf-8"))
        known, telling = about["game"], Telling(**about["telling"])
        temperature = float(about.get("temperature", 1.0))
    except OSError as problem:
        raise BadInput(
            f"{folder} holds no player of the drills (drills.json): {problem.strerror}"
        ) from problem
    except (ValueError, KeyError, TypeError) as problem:
        raise BadInput(f"{folder}/drills.json is damaged") from problem
    if known != game.name:
        raise BadInput(f"{folder} learnt {known}, not {game.name}")
    if stage in ("untrained", "base"):
        return Model(game, load(folder / stage), telling, temperature, seed)
    return Model(game, load(folder / "base", folder / "adapter"), telling, temperature, seed)
