"""``python -m trainer drills``: evaluate players of the five games, write datasets, train models, export their play.

Training, and measuring what was trained, need the learning stack; it is loaded only when asked for.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from negotiation.engine.drills import Game
from negotiation.engine.drills.trained import DATA
from trainer.commands.arguments import OneLineParser, dispatch
from trainer.domains.drills.contestants import DrillContestant, Named
from trainer.domains.drills.dataset import DatasetSettings, write
from trainer.domains.drills.evaluation import evaluate
from trainer.domains.drills.export import add, best_response, entry, figures
from trainer.domains.drills.oracles import game_named, policy_named
from trainer.errors import BadInput
from trainer.learning_stack import learning
from trainer.runs import Run, revision, say
from trainer.settings import load

MAX_EPISODES = 1_000_000


@dataclass(frozen=True, slots=True)
class DrillEvaluateSettings:
    """What to measure."""

    game: str = ""
    """ipd, auction, pie, books_hats_balls or kuhn."""
    policy: str = ""
    """oracle:NAME, strategy:NAME for any strategy of any pool, or model:FOLDER for what ``drills train`` made."""
    episodes: int = 2000
    """Matches against each opponent; the paper played 20."""
    seed: int = 0
    pools: Literal["disjoint", "paper"] = "disjoint"
    """The game's own pools, or those that the paper prints, where one strategy may stand in two."""

    def __post_init__(self) -> None:
        if not 1 <= self.episodes <= MAX_EPISODES:
            raise ValueError(f"episodes must lie between 1 and {MAX_EPISODES}")
        if self.seed < 0:
            raise ValueError("seed must not be negative")


def run(argv: Sequence[str]) -> int:
    """``drills COMMAND``; see the module."""
    commands = {
        "evaluate": _evaluate,
        "generate": _generate,
        "train": _train,
        "export": _export,
    }
    return dispatch("drills", commands, argv)


def _parser(command: str, about: str) -> OneLineParser:
    parser = OneLineParser(prog=f"python -m trainer drills {command}", description=about)
    parser.add_argument("--config", type=Path, help="settings in TOML; flags win over it")
    parser.add_argument("--output", type=Path, help="a folder for what was asked and what came out")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def _given(arguments: argparse.Namespace, *names: str) -> dict[str, Any]:
    return {name: getattr(arguments, name) for name in names if getattr(arguments, name) is not None}


def _evaluate(argv: Sequence[str]) -> None:
    parser = _parser("evaluate", "Measure a player against every pool of a game.")
    parser.add_argument("--game")
    parser.add_argument("--policy", help="oracle:NAME, strategy:NAME or model:FOLDER")
    parser.add_argument("--episodes", type=int, help="matches against each opponent")
    parser.add_argument("--pools", help="disjoint or paper")
    arguments = parser.parse_args(argv)
    asked = load(
        DrillEvaluateSettings,
        arguments.config,
        _given(arguments, "game", "policy", "episodes", "seed", "pools"),
    )
    game = game_named(asked.game)
    contestant = _contestant(game, asked)
    started = time.perf_counter()
    pools = game.paper_pools if asked.pools == "paper" else game.pools
    result = {
        "game": game.name,
        "policy": asked.policy,
        "episodes": asked.episodes,
        "seed": asked.seed,
        "pools": {"named": asked.pools, **pools.all()},
        **evaluate(game, contestant, asked.episodes, asked.seed, pools),
    }
    say(f"{game.name}, {asked.policy}: {time.perf_counter() - started:.1f} s")
    if arguments.output:
        record = Run(arguments.output, "drills evaluate", asked, asked.seed)
        record.log(**result)
        record.finish(**result)
    sys.stdout.write((json.dumps(result) if arguments.json else _table(result)) + "\n")


def _contestant(game: Game, asked: DrillEvaluateSettings) -> DrillContestant:
    kind, _, folder = asked.policy.partition(":")
    if kind != "model":
        return Named(policy_named(game, asked.policy))
    found: DrillContestant = _course().open_model(game, Path(folder), asked.seed)
    return found


def _course() -> Any:
    """The part that needs torch."""
    return learning("sepo.course")


def _train(argv: Sequence[str]) -> None:
    parser = _parser("train", "Examples, then SEPO: a model for one game, measured before and after.")
    parser.add_argument("--game")
    parser.add_argument("--base", type=Path, help="a model to begin with; without, an apprentice is made")
    parser.add_argument("--steps", type=int, help="of SEPO, instead of the settings'")
    parser.add_argument("--resume", action="store_true", help="go on with the run in --output")
    arguments = parser.parse_args(argv)
    course = _course()
    given = _given(arguments, "game", "base")
    if arguments.steps is not None:
        given["sepo.steps"] = arguments.steps
    settings = course.settings_for(arguments.config, given)
    seed = arguments.seed or 0
    if seed < 0:
        raise BadInput("seed must not be negative")
    output = arguments.output or Path("var/runs/drills") / f"{settings.game}-{seed}"
    record = Run(output, "drills train", settings, seed, resume=arguments.resume)
    result = course.run_course(settings, seed, record, resume=arguments.resume)
    record.finish(**result)
    sys.stdout.write((json.dumps(result) if arguments.json else _stages(result)) + "\n")


def _export(argv: Sequence[str]) -> None:
    parser = OneLineParser(
        prog="python -m trainer drills export",
        description="A trained model's play as a table, so that people can play against it in the browser.",
    )
    parser.add_argument("--game", required=True)
    parser.add_argument("--policy", required=True, help="model:FOLDER")
    parser.add_argument("--name", required=True, help="stands for this play for ever")
    parser.add_argument(
        "--episodes", type=int, default=20_000, help="matches against each opponent, to measure it"
    )
    parser.add_argument("--file", type=Path, default=DATA, help="default %(default)s")
    given = parser.parse_args(argv)
    game = game_named(given.game)
    if not given.policy.startswith("model:"):
        raise BadInput(f"policy {given.policy!r} is not model:FOLDER")
    folder = Path(given.policy.removeprefix("model:"))
    model = _course().open_model(game, folder, 0)
    play = learning("sepo.tables").play_of(model)
    measured = evaluate(game, Named(play), given.episodes, 42)
    best = best_response(game, play)
    source = {
        "stage": "SEPO" if (folder / "adapter").exists() else folder.name,
        "weights": model.weights,
        "revision": revision(),
        **figures(measured),
        **({} if best is None else {"best_response": best}),
    }
    made = entry(game, play, model.telling.told, given.name, source)
    add(given.file, game.name, made)
    sys.stdout.write(json.dumps(source) + "\n")


def _stages(result: dict[str, Any]) -> str:
    """The main figures before and after, a stage on a line."""
    shown = ("pay", "exploit", "robust", "collusion", "externality", "safety_table1")
    lines = [f"{'':<11}" + "".join(f"{name:>15}" for name in (*shown, "nash_conv"))]
    for stage, found in result["stages"].items():
        figures = [f"{found[name]['mean']:>15.3f}" for name in shown]
        figures += [f"{found['nash_conv']:>15.3f}"] if "nash_conv" in found else []
        lines.append(f"{stage:<11}" + "".join(figures))
    lines.append(f"safest against the held-out pool: step {result['best_step']}")
    return "\n".join(lines)


def _generate(argv: Sequence[str]) -> None:
    parser = _parser("generate", "Write train.jsonl, valid.jsonl and card.json: examples of all five games.")
    parser.add_argument("--per-game", type=int, help="examples of each game")
    arguments = parser.parse_args(argv)
    if arguments.output is None:
        raise BadInput("generate needs --output, a folder for the dataset")
    settings = load(DatasetSettings, arguments.config, _given(arguments, "per_game", "seed"))
    try:
        card = write(arguments.output, settings)
    except OSError as problem:
        raise BadInput(f"{arguments.output}: {problem.strerror}") from problem
    counts = {part: file["examples"] for part, file in card["files"].items()}
    sys.stdout.write((json.dumps(card) if arguments.json else f"{counts} in {arguments.output}") + "\n")


def _table(result: dict[str, Any]) -> str:
    """Every figure on a line, its interval beside it."""
    lines = [f"{result['game']}, {result['policy']}, {result['episodes']} episodes against each opponent"]
    for name, figure in result.items():
        if isinstance(figure, float):
            lines.append(f"{name:<20} {figure:>9.4f}  exact")
        elif isinstance(figure, dict) and "ci95" in figure:
            low, high = figure["ci95"]
            lines.append(f"{name:<20} {figure['mean']:>9.4f}  ({low:.4f} to {high:.4f})")
    return "\n".join(lines)
