"""What training leaves on the disk, and when it goes. Rows stay, and say what was let go. Doing it twice is harmless."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import structlog
from django.conf import settings
from django.utils import timezone

from trainer.flywheel import store
from trainer.flywheel.promotion.keeping import MODELS
from trainer.flywheel.promotion.lineage import ancestors
from trainer.flywheel.promotion.models import Generation
from trainer.flywheel.runs import bundles
from trainer.flywheel.runs.models import TrainingRun

log = structlog.get_logger(__name__)

CHECKPOINTS = "checkpoints"
LET_GO = "files_let_go"


def runs_let_go(*, now: datetime | None = None) -> int:
    """Take away what no longer serves; how many folders that were.

    Checkpoints of runs that are done go at once: nothing resumes them. Whole folders of runs that are over go after
    PARLAY_RUNS_KEPT_DAYS, but for those that a generation or an open run stands on, and those that built a base: a
    model server may be running it.
    """
    now = now or timezone.now()
    gone = 0
    for run in TrainingRun.objects.filter(state=TrainingRun.State.DONE):
        gone += sum(_removed(folder) for folder in store.path_of(run.folder).glob(f"*/{CHECKPOINTS}"))
        bundles.forget(run, lambda name: CHECKPOINTS in name.split("/"))
    over = TrainingRun.objects.filter(
        finished_at__lt=now - timedelta(days=settings.RUNS_KEPT_DAYS),
        state__in=[TrainingRun.State.DONE, TrainingRun.State.FAILED, TrainingRun.State.CANCELLED],
    )
    needed = set(_stood_on())
    for run in over.exclude(pk__in=needed):
        if "base" not in run.results and (_removed(store.path_of(run.folder)) or run.kept):
            bundles.forget(run)
            run.results = {**run.results, LET_GO: now.date().isoformat()}
            run.save(update_fields=["results"])
            gone += 1
            log.info("run_let_go_of_files", run=str(run.pk))
    return gone + _orphans() + bundles.tidy()


def _stood_on() -> Iterator[uuid.UUID]:
    """Runs whose files somebody may still need."""
    for generation in Generation.objects.select_related("run"):
        for run in ancestors(generation.run):
            yield run.pk
    for run in TrainingRun.objects.filter(state__in=[TrainingRun.State.WAITING, TrainingRun.State.RUNNING]):
        for each in ancestors(run.candidate or run):
            yield each.pk


def _orphans() -> int:
    """Copies of adapters that no generation names: a promotion was refused after the copy was made."""
    root = store.path_of(MODELS)
    named = {Path(path).name for path in Generation.objects.values_list("path", flat=True)}
    left = [folder for folder in root.iterdir() if folder.name not in named] if root.is_dir() else []
    return sum(_removed(folder) for folder in left if store.is_old(folder))


def _removed(folder: Path) -> bool:
    if not folder.is_dir():
        return False
    shutil.rmtree(folder, ignore_errors=True)
    return True
