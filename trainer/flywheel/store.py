"""The files of the flywheel. A file is there whole or not at all, whatever is killed when.

A file is written under a name of its own, flushed to the disk, and then renamed. What a killed process left behind is
found by its age: half-written files, and whole ones that no row names.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

PARTIAL = ".part"
FORGOTTEN_AFTER = 600.0
"""Seconds after which a file that nobody names is nobody's any more."""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file in place: its name under the store, and the checksum of its bytes."""

    name: str
    sha256: str


class Damaged(ValueError):
    """A file is not there, or is not what its row says."""


def path_of(name: str) -> Path:
    """Where a file of the store lies.

    Raises:
        ValueError: for a name that leads out of the store.
    """
    root = Path(settings.FLYWHEEL_DIR)
    found = (root / name).resolve()
    if not found.is_relative_to(root.resolve()):
        raise ValueError(f"{name} is not in the store")
    return found


def write(name: str, content: bytes) -> StoredFile:
    """Put a file in place, in one step for whoever looks; the same name again takes the place of the first.

    Raises:
        OSError: when the disk takes no more. Nothing is left of the attempt, and what was there stays.
    """
    path = path_of(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{secrets.token_hex(6)}{PARTIAL}")
    try:
        with partial.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError:
        partial.unlink(missing_ok=True)
        raise
    _flush_folder(path.parent)
    return StoredFile(name, checksum(content))


def read(name: str, sha256: str) -> bytes:
    """The bytes of a file.

    Raises:
        Damaged: when it is gone, or has another checksum.
    """
    try:
        content = path_of(name).read_bytes()
    except OSError as problem:
        raise Damaged(f"{name} can't be read") from problem
    if checksum(content) != sha256:
        raise Damaged(f"{name} is not what was written")
    return content


def remove(name: str) -> None:
    """Take a file away; one that is gone already is fine."""
    path_of(name).unlink(missing_ok=True)


def checksum(content: bytes) -> str:
    """SHA-256, as 64 hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def names(folder: str) -> Iterator[str]:
    """The finished files of a folder."""
    root = path_of(folder)
    for path in sorted(root.rglob("*")) if root.is_dir() else ():
        if path.is_file() and not path.name.endswith(PARTIAL):
            yield path.relative_to(path_of("")).as_posix()


def sweep_partial(folder: str) -> int:
    """Take away what killed processes left half-written; how many that were."""
    root = path_of(folder)
    left = [path for path in root.rglob(f"*{PARTIAL}") if is_old(path)] if root.is_dir() else []
    for path in left:
        path.unlink(missing_ok=True)
    return len(left)


def is_forgotten(name: str) -> bool:
    """Whether a file that no row names has lain there for too long to be somebody's work in progress."""
    return is_old(path_of(name))


def is_old(path: Path) -> bool:
    """Whether a file or folder has lain there for longer than anybody works on one."""
    try:
        return path.stat().st_mtime < time.time() - FORGOTTEN_AFTER
    except FileNotFoundError:
        return False


def _flush_folder(folder: Path) -> None:
    """A renamed file survives a loss of power only once its folder is on the disk too."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
