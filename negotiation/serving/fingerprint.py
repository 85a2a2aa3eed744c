"""Which weights a base model has: the same name and the same form can hold others."""

from __future__ import annotations

import hashlib
from pathlib import Path

BLOCK = 1 << 22


def fingerprint(folder: Path) -> str | None:
    """The checksum of a model's weights, in the order of its files' names; None where there are none to be read here."""
    files = sorted(folder.glob("*.safetensors")) if folder.is_dir() else []
    digest = hashlib.sha256()
    for path in files:
        with path.open("rb") as stream:
            while block := stream.read(BLOCK):
                digest.update(block)
    return digest.hexdigest() if files else None
