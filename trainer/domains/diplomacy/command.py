"""``python -m trainer diplomacy``: adjudicate a phase, hold an arena, train a policy, measure it.

Only what has a model in it needs torch, and loads it when asked.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from negotiation.engine.diplomacy.bots import BOTS
from trainer.commands.arguments import OneLineParser, dispatch
from trainer.domains.diplomacy.adjudication import adjudicate
from trainer.domains.diplomacy.arena import arena, player_named, read_seats
from trainer.domains.diplomacy.measure import answered, records, summary, worth_of_words
from trainer.domains.diplomacy.pool import PoolSettings, Positions
from trainer.domains.diplomacy.reward import BoardRewardSettings
from trainer.domains.diplomacy.tables import TablePlayer
from trainer.errors import BadInput
from trainer.learning_stack import learning
from trainer.runs import Run
from trainer.settings import load

MAX_GAMES = 100_000
MAX_YEARS = 200


@dataclass(frozen=True, slots=True)
class ArenaSettings:
    """Who plays whom, for how long."""

    seats: str = ""
    """Policies and their numbers of seats, seven in all: dumbbot:1,random:6."""
    games: int = 70
    years: int = 10
    seed: int = 0

    def __post_init__(self) -> None:
        for name, value, most in (("games", self.games, MAX_GAMES), ("years", self.years, MAX_YEARS)):
            if not 1 <= value <= most:
                raise ValueError(f"{name} must lie between 1 and {most}, not be {value}")
        if self.seed < 0:
            raise ValueError(f"seed must not be negative, as {self.seed} is")


@dataclass(frozen=True, slots=True)
class BoardEvaluateSettings:
    """What to measure, and how well."""

    policy: str = ""
    """A bot by name, or model:FOLDER for what ``diplomacy train`` made."""
    positions: int = 280
    rollouts: int = 8
    years: int = 6
    """Of the games that positions are taken from."""
    others: str = "trusting"
    """Plays the other six."""
    seed: int = 0
    rewards: BoardRewardSettings = field(default_factory=BoardRewardSettings)

    def __post_init__(self) -> None:
        for name in ("positions", "rollouts", "years"):
            if not 1 <= getattr(self, name) <= MAX_GAMES:
                raise ValueError(f"{name} must lie between 1 and {MAX_GAMES}")
        if self.others not in BOTS:
            raise ValueError(f"others: there is no bot {self.others!r}; there are {', '.join(BOTS)}")
        if self.seed < 0:
            raise ValueError("seed must not be negative")


def run(argv: Sequence[str]) -> int:
    """``diplomacy COMMAND``; see the module."""
    commands = {
        "adjudicate": _adjudicate,
        "arena": _arena,
        "train": _train,
        "evaluate": _evaluate,
    }
    return dispatch("diplomacy", commands, argv)


def _adjudicate(argv: Sequence[str]) -> None:
    parser = OneLineParser(
        prog="python -m trainer diplomacy adjudicate",
        description='Play one phase: {"phase", "units", "centers", "orders", "retreats"?} on stdin, what came of it out.',
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object; the only form there is")
    parser.parse_args(argv)
    try:
        page = json.load(sys.stdin)
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise BadInput(f"stdin: not JSON: {problem}") from problem
    _print(adjudicate(page))


def _arena(argv: Sequence[str]) -> None:
    parser = _parser("arena", "Play bots and models against each other.")
    parser.add_argument(
        "--seats", help="players and numbers of seats: dumbbot:1,random:6 or model:FOLDER:1,dumbbot:6"
    )
    parser.add_argument("--games", type=int)
    parser.add_argument("--years", type=int, help="game years, from 1901 on")
    given = parser.parse_args(argv)
    asked = load(ArenaSettings, given.config, _given(given, "seats", "games", "years", "seed"))
    seats = read_seats(asked.seats, _opened)
    result = arena(seats, asked.games, asked.years, asked.seed)
    _keep(given.output, "arena", asked, result)
    _print(result)


def _train(argv: Sequence[str]) -> None:
    parser = _parser("train", "Bots' examples, then GRPO over truncated rollouts: a policy for the board.")
    parser.add_argument("--base", type=Path, help="a model to begin with; without, an apprentice is made")
    parser.add_argument("--steps", type=int, help="of GRPO, instead of the settings'")
    parser.add_argument("--resume", action="store_true", help="go on with the run in --output")
    given = parser.parse_args(argv)
    course = learning("diplomacy.course")
    changes = _given(given, "base")
    if given.steps is not None:
        changes["grpo.steps"] = given.steps
    settings = load(course.BoardCourseSettings, given.config, changes)
    seed = given.seed or 0
    if seed < 0:
        raise BadInput("seed must not be negative")
    record = Run(
        given.output or Path("var/runs/diplomacy") / str(seed),
        "diplomacy train",
        settings,
        seed,
        resume=given.resume,
    )
    result = course.run_course(settings, seed, record, resume=given.resume)
    record.finish(**result)
    _print({"adapter": str(record.folder / "adapter"), **result})


def _evaluate(argv: Sequence[str]) -> None:
    parser = _parser("evaluate", "What a policy's answers are worth in positions it never trained on.")
    parser.add_argument("--policy", help="a bot's name, or model:FOLDER")
    parser.add_argument("--positions", type=int)
    parser.add_argument("--rollouts", type=int, help="of each answer")
    parser.add_argument("--others", help="the bot that plays the other six")
    given = parser.parse_args(argv)
    asked = load(
        BoardEvaluateSettings,
        given.config,
        _given(given, "policy", "positions", "rollouts", "others", "seed"),
    )
    player = player_named(asked.policy, _opened)
    groups = Positions(PoolSettings(years=asked.years), asked.seed).held_out(asked.positions)
    samples = answered(player, groups, asked.seed)
    found = records(samples, groups, asked.rewards, BOTS[asked.others](), asked.rollouts)
    words = worth_of_words(samples, groups, asked.rewards, asked.rollouts, asked.seed)
    result = {"policy": asked.policy, "seed": asked.seed, **summary(found, asked.seed), "words": words}
    _keep(given.output, "evaluate", asked, result)
    _print(result)


def _parser(command: str, about: str) -> OneLineParser:
    parser = OneLineParser(prog=f"python -m trainer diplomacy {command}", description=about)
    parser.add_argument("--config", type=Path, help="settings in TOML; flags win over it")
    parser.add_argument("--output", type=Path, help="a folder for what was asked and what came out")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--json", action="store_true", help="print one JSON object; the only form there is")
    return parser


def _given(arguments: argparse.Namespace, *names: str) -> dict[str, Any]:
    return {name: getattr(arguments, name) for name in names if getattr(arguments, name) is not None}


def _opened(folder: Path) -> TablePlayer:
    player: TablePlayer = learning("diplomacy.course").open_player(folder)
    return player


def _keep(folder: Path | None, command: str, asked: Any, result: dict[str, Any]) -> None:
    if folder:
        record = Run(folder, f"diplomacy {command}", asked, asked.seed)
        record.log(**result)
        record.finish(**result)


def _print(result: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(result) + "\n")
