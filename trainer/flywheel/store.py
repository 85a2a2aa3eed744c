"""The files of the flywheel: in the storage of artefacts, each whole or not at all; and this machine's own folder.

As the house comes, the two are the same. With PARLAY_ARTEFACTS the storage is elsewhere and the folder holds what this
machine works on: runs (``runs.bundles``) and models. A row names a file of either by its name under the store, so that
it means the same on every machine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import storages

from trainer.flywheel.storage.files import PARTIAL, is_old, place

__all__ = ["PARTIAL", "Damaged", "StoredFile", "is_old"]
OURS = ("runs/", "models/")
"""How names of folders begin that rows may hold."""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file in place: its name under the store, and the checksum of its bytes."""

    name: str
    sha256: str


class Damaged(ValueError):
    """A file is not there, or is not what its row says."""


def artefacts() -> Any:
    """The storage, as settings name it: ``storage.files.WholeFiles`` or ``storage.objects.ObjectStore``."""
    return storages["artefacts"]


def path_of(name: str) -> Path:
    """Where a file of the store lies on this machine.

    Raises:
        ValueError: for a name that leads out of the store.
    """
    return place(Path(settings.FLYWHEEL_DIR), name)


def name_of(path: str | Path) -> str:
    """What a row calls a folder: by its name under the store where it lies there, else as it is."""
    root = Path(settings.FLYWHEEL_DIR).resolve()
    found = Path(path)
    return found.relative_to(root).as_posix() if found.is_relative_to(root) else str(path)


def located(name: str) -> str:
    """Where what a row names lies on this machine; the folder or the hub's name that it is, where it is not ours."""
    return str(path_of(name)) if name.startswith(OURS) else name


def write(name: str, content: bytes) -> StoredFile:
    """Put a file in place, in one step for whoever looks; the same name again takes the place of the first.

    Raises:
        OSError: when the storage takes no more. Nothing is left of the attempt, and what was there stays.
    """
    path_of(name)
    artefacts().save(name, ContentFile(content))
    return StoredFile(name, checksum(content))


def read(name: str, sha256: str) -> bytes:
    """The bytes of a file.

    Raises:
        Damaged: when it is gone, or has another checksum.
    """
    try:
        with artefacts().open(name, "rb") as file:
            content: bytes = file.read()
    except OSError as problem:
        raise Damaged(f"{name} can't be read") from problem
    if checksum(content) != sha256:
        raise Damaged(f"{name} is not what was written")
    return content


def remove(name: str) -> None:
    """Take a file away; one that is gone already is fine."""
    artefacts().delete(name)


def checksum(content: bytes) -> str:
    """SHA-256, as 64 hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def names(folder: str) -> Iterator[str]:
    """The finished files of a folder."""
    yield from artefacts().names(folder)


def sweep_partial(folder: str) -> int:
    """Take away what killed processes left half-written; how many that were."""
    return int(artefacts().sweep_partial(folder))


def is_forgotten(name: str) -> bool:
    """Whether a file that no row names has lain there for too long to be somebody's work in progress."""
    return bool(artefacts().is_forgotten(name))
