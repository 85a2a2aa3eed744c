"""The coach's one table of lessons: every reason that it can give, what each was tested on, and what follows from it."""

from coaching.analysis.review.lessons.lesson import SKILLS, Direction, FoundLesson, Lesson, Skill, opposite
from coaching.analysis.review.lessons.table import (
    BEYOND_LIMIT,
    BY_ID,
    TABLE,
    grave_in,
    lesson_of,
    reason_of,
    taught,
)

__all__ = [
    "BEYOND_LIMIT",
    "BY_ID",
    "SKILLS",
    "TABLE",
    "Direction",
    "FoundLesson",
    "Lesson",
    "Skill",
    "grave_in",
    "lesson_of",
    "opposite",
    "reason_of",
    "taught",
]
