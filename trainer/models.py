"""The tables of the trainer."""

from __future__ import annotations

from trainer.flywheel.models import Dataset, DatasetEntry, DatasetUse, Episode, TranscriptImport, Twin
from trainer.flywheel.promotion.models import Generation, PromotionDecision
from trainer.flywheel.runs.models import TrainingRun
from trainer.flywheel.schedule.models import Retraining

__all__ = [
    "Dataset",
    "DatasetEntry",
    "DatasetUse",
    "Episode",
    "Generation",
    "PromotionDecision",
    "Retraining",
    "TrainingRun",
    "TranscriptImport",
    "Twin",
]
