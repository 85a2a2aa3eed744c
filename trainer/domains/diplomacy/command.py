"""``python -m trainer diplomacy``: adjudicate a phase, hold an arena. Needs no torch."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trainer.domains.diplomacy.adjudication import adjudicate
from trainer.domains.diplomacy.arena import arena, read_seats
from trainer.errors import BadInput
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


class _Parser(argparse.ArgumentParser):
    """Reports bad input as every command here does: one line, status 2."""

    def error(self, message: str) -> Any:
        raise BadInput(message)


def run(argv: Sequence[str]) -> int:
    """``diplomacy COMMAND``; see the module."""
    commands: dict[str, Callable[[Sequence[str]], None]] = {"adjudicate": _adjudicate, "arena": _arena}
    if not argv or argv[0] in ("-h", "--help"):
        sys.stderr.write(f"usage: python -m trainer diplomacy {{{','.join(commands)}}} [--help]\n")
        return 0 if argv else 2
    if argv[0] not in commands:
        raise BadInput(f"there is no {argv[0]!r}; there are {', '.join(commands)}")
    commands[argv[0]](argv[1:])
    return 0


def _adjudicate(argv: Sequence[str]) -> None:
    parser = _Parser(
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
    parser = _Parser(prog="python -m trainer diplomacy arena", description="Play bots against each other.")
    parser.add_argument("--config", type=Path, help="settings in TOML; flags win over it")
    parser.add_argument("--output", type=Path, help="a folder for what was asked and what came out")
    parser.add_argument("--seats", help="policies and numbers of seats, as in dumbbot:1,random:6")
    parser.add_argument("--games", type=int)
    parser.add_argument("--years", type=int, help="game years, from 1901 on")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--json", action="store_true", help="print one JSON object; the only form there is")
    given = vars(parser.parse_args(argv))
    names = ("seats", "games", "years", "seed")
    asked = load(
        ArenaSettings, given["config"], {name: given[name] for name in names if given[name] is not None}
    )
    seats = read_seats(asked.seats)
    record = Run(given["output"], "diplomacy arena", asked, asked.seed) if given["output"] else None
    result = arena(seats, asked.games, asked.years, asked.seed)
    if record:
        record.log(**result)
        record.finish(**result)
    _print(result)


def _print(result: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(result) + "\n")
