"""Backups by themselves: each night a folder named by its day, rehearsed, and those beyond the last few let go."""

from __future__ import annotations

import os
import re
import shutil
from datetime import date
from pathlib import Path

import structlog
from django.conf import settings
from django.utils import timezone

from trainer.flywheel.operations.backup import LIST, OBJECTS, Told, backup
from trainer.flywheel.operations.rehearsal import Rehearsed, rehearse

log = structlog.get_logger(__name__)

REHEARSED = "rehearsed"
"""Touched in a backup's folder once it was restored and played from."""
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def back_up_tonight(place: Path, today: date | None = None) -> tuple[Told, Rehearsed]:
    """Keep a backup of today in ``place``, see that it can be restored, and let go of those beyond ``BACKUPS_KEPT``.

    Raises:
        BackupRefused: when it could not be written, or not be restored; earlier ones are untouched then.
    """
    place.mkdir(parents=True, exist_ok=True)
    for left in place.glob(".rehearsal-*"):  # of one that was killed
        shutil.rmtree(left, ignore_errors=True)
    day = (today or timezone.localdate()).isoformat()
    folder = place / day
    _begin_with(latest(place, before=day), folder)
    told = backup(folder)
    rehearsed = rehearse(folder)
    (folder / REHEARSED).touch()
    for old in _days(place)[: -settings.BACKUPS_KEPT]:
        shutil.rmtree(old)
    log.info("backed_up", folder=str(folder), **told.as_json(), seconds=rehearsed.seconds)
    return told, rehearsed


def latest(place: Path, *, before: str = "9999") -> Path | None:
    """The latest whole backup of a day before ``before``."""
    whole = [each for each in _days(place) if each.name < before and (each / LIST).is_file()]
    return whole[-1] if whole else None


def age_seconds(place: Path) -> float | None:
    """Since the latest backup that was restored and played from; ``None`` where there is none."""
    marks = [each / REHEARSED for each in _days(place) if (each / REHEARSED).is_file()]
    return timezone.now().timestamp() - marks[-1].stat().st_mtime if marks else None


def _days(place: Path) -> list[Path]:
    """The folders of days, the oldest first."""
    return sorted(each for each in place.glob("*") if each.is_dir() and _DAY.fullmatch(each.name))


def _begin_with(earlier: Path | None, folder: Path) -> None:
    """What the backup before holds is linked, not copied: an object never changes, and each folder stands by itself."""
    if earlier is None or folder.exists():
        return
    for kept in (earlier / OBJECTS).glob("*/*"):
        link = folder / OBJECTS / kept.parent.name / kept.name
        link.parent.mkdir(parents=True, exist_ok=True)
        os.link(kept, link)
