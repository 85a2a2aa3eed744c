"""The arguments that all commands share, and how a result is printed."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any, NoReturn

from trainer.errors import BadInput


class Parser(argparse.ArgumentParser):
    """Refuses bad arguments in one line, as all bad input is."""

    def error(self, message: str) -> NoReturn:
        raise BadInput(message)


def parser(command: str, summary: str, output: str) -> Parser:
    """A parser with ``--config --output --seed --resume --json``."""
    made = Parser(prog=f"python -m trainer {command}", description=summary)
    made.add_argument("--config", type=Path, help="settings, TOML")
    made.add_argument(
        "--output", type=Path, default=Path(output), help="the run's folder (default %(default)s)"
    )
    made.add_argument("--seed", type=_seed, default=0)
    made.add_argument("--resume", action="store_true", help="go on with the run in --output")
    made.add_argument("--json", action="store_true", help="print the result as one JSON object")
    return made


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
