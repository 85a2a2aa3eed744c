"""Bad input on a command line: one line on stderr that names it, exit status 2."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import NoReturn


def one_line_errors(parser: ArgumentParser) -> None:
    """Make ``parser`` refuse bad arguments in one line, without the usage text before it."""

    def refuse(message: str) -> NoReturn:
        sys.stderr.write(f"error: {message}\n")
        raise SystemExit(2)

    parser.error = refuse  # type: ignore[method-assign]
