"""Which engine and which protocol made an example: a fingerprint of their files, so that nobody has to count up."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import negotiation.engine
import negotiation.opponents.protocol

SCHEMA = 1
"""Of the records of an episode's file. Counts up when a reader of version n could not read them."""


@cache
def protocol_version() -> str:
    """Twelve digits that change with what a model reads or may write."""
    return _fingerprint(Path(negotiation.opponents.protocol.__path__[0]))


@cache
def engine_version() -> str:
    """Twelve digits that change with the rules of the game."""
    return _fingerprint(Path(negotiation.engine.__path__[0]))


def _fingerprint(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".py", ".toml"):
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]
