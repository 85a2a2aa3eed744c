"""The version, as pyproject.toml has it. Standard library only."""

from __future__ import annotations

import tomllib
from pathlib import Path


def _read() -> str:
    project = Path(__file__).resolve().parent.parent / "pyproject.toml"
    return str(tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"])


VERSION = _read()
