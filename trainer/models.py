"""The tables of the trainer."""

from __future__ import annotations

from trainer.flywheel.models import Dataset, DatasetEntry, DatasetUse, Episode, TranscriptImport
from trainer.flywheel.runs.models import TrainingRun

__all__ = ["Dataset", "DatasetEntry", "DatasetUse", "Episode", "TrainingRun", "TranscriptImport"]
