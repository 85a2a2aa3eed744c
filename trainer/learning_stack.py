"""The part of the product that needs torch, for commands that need it only sometimes."""

from __future__ import annotations

import importlib
from typing import Any

from trainer.errors import BadInput


def learning(module: str) -> Any:
    """A module of :mod:`trainer.learning`, by its name there.

    Raises:
        BadInput: where what it needs is not installed.
    """
    try:
        return importlib.import_module(f"trainer.learning.{module}")
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.startswith("trainer"):
            raise
        raise BadInput(
            f"needs {missing.name}, which is not in this environment; run it with .venv-train/bin/python"
        ) from missing
