"""Room on the disk: refused before a run starts, and stopped in time while it works.

The quota is for everything under the flywheel's folder; the reserve is what the disk itself must have left, for the
database and everybody else who writes there.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from django.conf import settings

from trainer.flywheel import store

MB = 1_000_000


def used_mb(folder: Path | None = None) -> int:
    """Megabytes that files take under ``folder``, the whole store by default."""
    root = folder or store.path_of("")
    total = 0
    for path in root.rglob("*") if root.is_dir() else ():
        try:
            total += path.lstat().st_size
        except OSError:  # taken away while we looked
            continue
    return total // MB


def free_mb() -> int:
    """Megabytes that the disk of the store has left."""
    root = store.path_of("")
    root.mkdir(parents=True, exist_ok=True)
    return shutil.disk_usage(root).free // MB


def lacking(needed_mb: int = 0) -> str:
    """Why there is no room for ``needed_mb`` more, in words for the admin; empty where there is."""
    free, reserve = free_mb(), settings.DISK_RESERVE_MB
    if free - needed_mb < reserve:
        return (
            f"The disk has {free:,} MB left; a run needs {needed_mb:,} MB, and {reserve:,} MB stay free for everything "
            "else. Make room, then go on."
        )
    quota = settings.FLYWHEEL_QUOTA_MB
    if quota and (used := used_mb()) + needed_mb > quota:
        return (
            f"The trainer’s files take {used:,} of {quota:,} MB, and a run needs {needed_mb:,} MB more. Let old runs "
            "go, or raise PARLAY_FLYWHEEL_QUOTA_MB."
        )
    return ""
