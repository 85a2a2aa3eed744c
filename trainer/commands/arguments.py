"""The arguments that all commands share, and how a result is printed."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from trainer.errors import BadInput


class OneLineParser(argparse.ArgumentParser):
    """Refuses bad arguments in one line, as all bad input is."""

    def error(self, message: str) -> NoReturn:
        raise BadInput(message)


def parser(command: str, summary: str, output: str) -> OneLineParser:
    """A parser with ``--config --output --seed --resume --json``."""
    made = OneLineParser(prog=f"python -m trainer {command}", description=summary)
    made.add_argument("--config", type=Path, help="settings, TOML")
    made.add_argument(
        "--output", type=Path, default=Path(output), help="the run's folder (default %(default)s)"
    )
    made.add_argument("--seed", type=_seed, default=0)
    made.add_argument("--resume", action="store_true", help="go on with the run in --output")
    made.add_argument("--json", action="store_true", help="print the result as one JSON object")
    return made


def dispatch(group: str, commands: Mapping[str, Callable[[Sequence[str]], None]], argv: Sequence[str]) -> int:
    """Run one of the commands of a group, such as ``drills evaluate``; without a name, or asked for help, list them."""
    if not argv or argv[0] in ("-h", "--help"):
        sys.stderr.write(f"usage: python -m trainer {group} {{{','.join(commands)}}} [--help]\n")
        return 0 if argv else 2
    if argv[0] not in commands:
        raise BadInput(f"there is no {argv[0]!r}; there are {', '.join(commands)}")
    commands[argv[0]](argv[1:])
    return 0


def show(result: dict[str, Any], *, as_json: bool) -> None:
    """Print a result: one JSON object, or a line for each value."""
    if as_json:
        sys.stdout.write(json.dumps(result, default=float) + "\n")
        return
    for name, value in result.items():
        sys.stdout.write(f"{name}: {value}\n")


def _seed(text: str) -> int:
    try:
        seed = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"the seed must be a whole number, not {text!r}") from None
    if not 0 <= seed < 2**31:
        raise argparse.ArgumentTypeError("the seed must lie in [0, 2^31)")
    return seed
