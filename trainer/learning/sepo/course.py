"""From nothing, or from a given model, to a player of one game: examples, a beginning, SEPO.

A run's folder holds ``base/`` (the model after the examples, merged), ``adapter/`` (what SEPO added) and
``drills.json`` (which game, how it is told); ``model:FOLDER`` is measured from these three.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from negotiation.engine.drills import GAMES, Game
from trainer.datasets import Example
from trainer.domains.drills.dataset import DatasetSettings, examples, parted
from trainer.domains.drills.evaluation import evaluate
from trainer.domains.drills.grown import GROWS
from trainer.domains.drills.held_out import check_apart
from trainer.domains.drills.oracles import game_named
from trainer.domains.drills.prompts import Telling
from trainer.errors import BadInput
from trainer.learning import course
from trainer.learning.apprentice import Build
from trainer.learning.course import STAGES, Stage
from trainer.learning.policy import Lora, load
from trainer.learning.sepo.model import Model
from trainer.learning.sepo.settings import SepoSettings
from trainer.learning.sepo.source import SepoSource
from trainer.learning.sft import SftSettings
from trainer.runs import Run
from trainer.settings import from_dict, with_changes
from trainer.settings import load as load_settings

ABOUT = "drills.json"
EPISODES_BY_TABLE = 20_000
"""Matches against each opponent where play is a table and they are simulated over arrays."""


@dataclass(frozen=True, slots=True)
class DrillCourseSettings:
    """A course in one of the drills."""

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
    "ipd": {"sepo.grow_every": 1, "sepo.grow_keep": 4},
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
"""What differs by game. In the dilemma the pool grows: who is safe from the pool's two adversaries may be open to a
third, and with the pool fixed the worst opponent took more after training than before. Poker's hands do not depend on
one another: each stands alone in the prompt and is paid alone. Luck is large, so more deals are met, which costs
little where they are drawn from tables (``hands.py``). The pool grows, since a fixed one is best answered by an open
weakness. There is no KL penalty: the paper's .2 would hold a learner at its examples, whose mixture has a NashConv of .16.
What is never right has to go from one time in seven to never, and the gradient of a probability shrinks with it:
hence more steps, and a temperature, of rollouts, measures and exports alike, at which the same logits are further
from a coin flip."""


def settings_for(config: Path | None, changes: dict[str, Any]) -> DrillCourseSettings:
    """The settings: a game's presets, what the file says, what was asked, each winning over the one before.

    Raises:
        BadInput: as :func:`trainer.settings.load`.
    """
    asked = load_settings(DrillCourseSettings, config, changes)
    before = from_dict(
        DrillCourseSettings, with_changes({"game": asked.game}, PRESETS.get(asked.game, {})), "presets"
    )
    return load_settings(DrillCourseSettings, config, changes, before)


def run_course(settings: DrillCourseSettings, seed: int, run: Run, *, resume: bool = False) -> dict[str, Any]:
    """Both stages, and each measured against every pool of the game."""
    folder, game = run.folder, GAMES[settings.game]
    check_apart(settings.game)
    write_about(folder, settings)
    found = course.run_stages(
        run,
        lambda: begin(settings, seed, run, resume=resume),
        lambda: strengthen(settings, folder / "base", seed, run, resume=resume),
    )
    stages = {
        stage: measured(game, folder, settings, seed, stage) for stage in STAGES if (folder / stage).exists()
    }
    return {**found, "stages": stages}


def measured(
    game: Game, folder: Path, settings: DrillCourseSettings, seed: int, stage: Stage
) -> dict[str, Any]:
    """Every figure of one stage."""
    model = open_model(game, folder / stage, seed)
    episodes = settings.episodes if model.strategy(game) is None else EPISODES_BY_TABLE
    return evaluate(game, model, episodes, seed)


def write_about(folder: Path, settings: DrillCourseSettings) -> None:
    """Say which game a folder's models play, how it is told to them, and at which temperature they answer."""
    about = {
        "game": settings.game,
        "telling": asdict(settings.telling),
        "temperature": settings.sepo.sampling.temperature,
    }
    course.write_about(folder, ABOUT, about)


def begin(settings: DrillCourseSettings, seed: int, run: Run, *, resume: bool = False) -> dict[str, Any]:
    """The game's examples, learnt."""
    rows = examples_of(settings)
    return course.begin(settings, rows, texts_of(rows["train"]), seed, run, resume=resume)


def strengthen(
    settings: DrillCourseSettings,
    base: Path,
    seed: int,
    run: Run,
    *,
    resume: bool = False,
    adapter: Path | None = None,
) -> dict[str, float]:
    """SEPO on ``base``; writes ``adapter``, in the run's folder unless it is given."""
    policy = load(base, lora=settings.lora, train=True, seed=seed)
    source = SepoSource(GAMES[settings.game], settings.telling, settings.sepo, seed)
    about = {"kind": "drills", "game": settings.game, "telling": asdict(settings.telling)}
    return course.strengthen(policy, source, seed, run, resume=resume, adapter=adapter, **about)


def examples_of(settings: DrillCourseSettings) -> dict[str, list[Example]]:
    """The game's examples, ``train`` and ``valid``, told as the settings tell."""
    game = GAMES[settings.game]
    rows = list(examples(game, settings.per_game, settings.examples_seed, settings.telling))
    data = DatasetSettings(per_game=settings.per_game, seed=settings.examples_seed)
    return {
        part: [Example(row["messages"][:-1], row["messages"][-1]["content"]) for row in own]
        for part, own in parted(rows, game.name, data).items()
    }


def texts_of(rows: list[Example]) -> list[str]:
    """What an apprentice's vocabulary is made from."""
    few = rows[:2000]
    texts = ["\n".join([*(message["content"] for message in row.chat), row.answer]) for row in few]
    return [*texts, *(row.answer for row in few)]


def open_model(game: Game, folder: Path, seed: int) -> Model:
    """A trained player: a run's folder, or its ``base``, ``adapter`` or ``untrained`` alone.

    Raises:
        BadInput: for a folder without a model of this game.
    """
    home, stage = course.home_of(folder)
    known, telling, temperature = course.read_about(
        home,
        ABOUT,
        "the drills",
        lambda about: (about["game"], Telling(**about["telling"]), float(about.get("temperature", 1.0))),
    )
    if known != game.name:
        raise BadInput(f"{home} learnt {known}, not {game.name}")
    return Model(game, course.stage_policy(home, stage), telling, temperature, seed)
