"""All lessons, in the order in which they are looked at: the first whose condition holds is the one that is told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coaching.analysis.review.lessons import lines
from coaching.analysis.review.lessons.ends import ENDS
from coaching.analysis.review.lessons.grave import GRAVE
from coaching.analysis.review.lessons.lesson import FoundLesson, Lesson
from coaching.analysis.review.lessons.rest import CALLS, REST, TERMS
from coaching.analysis.review.lessons.steps import STEPS
from coaching.analysis.review.moment import Moment
from coaching.analysis.wording import gettext_noop, spoken, told

BEYOND_LIMIT = Lesson(
    id="beyond_limit",
    skill="closing",
    direction="leave",
    tested=lambda m: False,
    says=lambda m: told(
        gettext_noop("You closed beyond your own walk-away of {limit}: leaving was better than this deal."),
        limit=m.price(m.turn.before.own.walk_away),
    ),
    act=gettext_noop("Write your walk-away beside the number before you take it, and leave when it is past."),
    stop=gettext_noop("Closing beyond your own walk-away."),
    line=lines.leaving,
    grave=True,
)
"""Given by whoever knows how the deal closed, not by the move alone."""

TABLE: tuple[Lesson, ...] = (*GRAVE, *ENDS, *CALLS, *TERMS, *STEPS, *REST)
BY_ID: dict[str, Lesson] = {lesson.id: lesson for lesson in (*TABLE, BEYOND_LIMIT)}


def lesson_of(moment: Moment) -> Lesson:
    """Why the better move is better: the first lesson whose condition holds. The last one always does."""
    return next(lesson for lesson in TABLE if lesson.tested(moment))


def grave_in(moment: Moment) -> Lesson | None:
    """What is told of a move whatever it was worth."""
    return next((lesson for lesson in GRAVE if lesson.tested(moment)), None)


def taught(lesson: Lesson, moment: Moment) -> FoundLesson:
    """A lesson with the words and figures of a move."""
    said = lesson.says(moment)
    return {
        "id": lesson.id,
        "skill": lesson.skill,
        "text": spoken(said),
        "told": said,
        "act": lesson.act,
        "line": lesson.line(moment),
        "figure": lesson.figure(moment),
    }


def reason_of(move: Mapping[str, Any]) -> str:
    """Why the better move of a kept review was better, or why there is no verdict, in the reader's language; as it was
    written down where a review is from before its messages were kept."""
    lesson = move.get("lesson") or move.get("unjudged")
    return spoken(lesson["told"]) if lesson and "told" in lesson else str(move["reason"])
