"""The tables of the room, one file for each subject."""

from coaching.room.models.assignments import Assignment, Attempt
from coaching.room.models.privacy import DataExport
from coaching.room.models.ratings import PersonRating, RatedGame
from coaching.room.models.rubrics import Check, CheckResult, Rubric

__all__ = [
    "Assignment",
    "Attempt",
    "Check",
    "CheckResult",
    "DataExport",
    "PersonRating",
    "RatedGame",
    "Rubric",
]
