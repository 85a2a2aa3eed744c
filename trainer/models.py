"""The tables of the trainer."""

from __future__ import annotations

from trainer.flywheel.models import Dataset, DatasetEntry, DatasetUse, Episode, TranscriptImport

__all__ = ["Dataset", "DatasetEntry", "DatasetUse", "Episode", "TranscriptImport"]
