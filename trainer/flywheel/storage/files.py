"""Artefacts as files of a disk. A file is there whole or not at all, whatever is killed when.

A file is written under a name of its own, flushed to the disk, and then renamed. What a killed process left behind is
found by its age: half-written files, and whole ones that no row names.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.storage import FileSystemStorage

PARTIAL = ".part"
FORGOTTEN_AFTER = 600.0
"""Seconds after which a file that nobody names is nobody's any more."""


class WholeFiles(FileSystemStorage):
    """Files under one folder, the flywheel's own unless another one is given."""

    def __init__(self, location: str | None = None) -> None:
        super().__init__(location=location, allow_overwrite=True)
        self._given = location

    def path(self, name: str) -> str:
        """Where a file lies.

        Raises:
            ValueError: for a name that leads out of the folder.
        """
        return str(place(Path(self._given or settings.FLYWHEEL_DIR), name))

    def _save(self, name: str, content: Any) -> str:
        path = Path(self.path(name))
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f".{path.name}.{secrets.token_hex(6)}{PARTIAL}")
        try:
            with partial.open("xb") as file:
                for chunk in content.chunks():
                    file.write(chunk)
                file.flush()
                os.fsync(file.fileno())
            partial.replace(path)
        except OSError:
            partial.unlink(missing_ok=True)
            raise
        _flush_folder(path.parent)
        return name

    def delete(self, name: str) -> None:
        """Take a file away; one that is gone already is fine."""
        Path(self.path(name)).unlink(missing_ok=True)

    def names(self, folder: str) -> Iterator[str]:
        """The finished files of a folder."""
        root, found = Path(self.path("")), Path(self.path(folder))
        for path in sorted(found.rglob("*")) if found.is_dir() else ():
            if path.is_file() and not path.name.endswith(PARTIAL):
                yield path.relative_to(root).as_posix()

    def sweep_partial(self, folder: str) -> int:
        """Take away what killed processes left half-written; how many that were."""
        root = Path(self.path(folder))
        left = [path for path in root.rglob(f"*{PARTIAL}") if is_old(path)] if root.is_dir() else []
        for path in left:
            path.unlink(missing_ok=True)
        return len(left)

    def is_forgotten(self, name: str) -> bool:
        """Whether a file that no row names has lain there for too long to be somebody's work in progress."""
        return is_old(Path(self.path(name)))


def place(root: Path, name: str) -> Path:
    """A name under a folder.

    Raises:
        ValueError: for a name that leads out of it.
    """
    found = (root / name).resolve()
    if not found.is_relative_to(root.resolve()):
        raise ValueError(f"{name} is not in the store")
    return found


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
