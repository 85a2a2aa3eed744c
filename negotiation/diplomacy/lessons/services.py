"""Asking for a lesson, and working it out."""

from __future__ import annotations

from typing import Any

import structlog
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from negotiation.diplomacy.models import AllianceLesson, BoardSeat
from negotiation.diplomacy.selectors import power_of, sitting_of
from negotiation.diplomacy.sitting import Sitting
from negotiation.diplomacy.wording import promise_page

log = structlog.get_logger(__name__)


@transaction.atomic
def lesson_request(*, seat: BoardSeat) -> AllianceLesson:
    """The lesson of a seat in a game that is over; the worker is asked for it once."""
    lesson, new = AllianceLesson.objects.get_or_create(seat=seat)
    if new:
        transaction.on_commit(lambda: _enqueue(lesson.pk), robust=True)
    return lesson


def _enqueue(lesson_id: int) -> None:
    # The task's module imports these services.
    from negotiation.diplomacy.lessons.tasks import work_out

    try:
        work_out.delay(lesson_id)
    except OperationalError:  # the sweep finds it when the broker is back
        log.exception("lesson_not_enqueued", lesson=lesson_id)


def lesson_run(*, lesson_id: int) -> bool:
    """Work a lesson out, unless that was done; doing it twice gives the same."""
    lesson = AllianceLesson.objects.select_related("seat__game").filter(pk=lesson_id, done_at=None).first()
    if lesson is None:
        return False
    chapters = chapters_of(lesson.seat)
    return bool(
        AllianceLesson.objects.filter(pk=lesson_id, done_at=None).update(
            chapters=chapters, done_at=timezone.now()
        )
    )


def chapters_of(seat: BoardSeat) -> list[dict[str, Any]]:
    """The chapters of a lesson as JSON, with every promise in words."""
    # Analysis brings NumPy code that only this needs.
    from negotiation.engine.diplomacy.lesson import Phase, chapters

    sitting = sitting_of(seat.game)
    phases = [Phase(past.state, past.ledger, past.messages, past.orders) for past in sitting.past]
    found = chapters(phases, sitting.ledger, power_of(seat), seed=seat.game.seed)
    return [
        {
            "phase": chapter.phase,
            "made": [_promise(sitting, at) for at in chapter.made],
            "broken": [_promise(sitting, at) for at in chapter.broken],
            "words": chapter.words._asdict() if chapter.words else None,
            "breach": chapter.breach._asdict() if chapter.breach else None,
        }
        for chapter in found
    ]


def _promise(sitting: Sitting, at: int) -> dict[str, Any]:
    entry = sitting.ledger.entries[at]
    page = promise_page(entry.promise, sitting.ids[at])
    return {
        "to": page["to"],
        "summary": page["summary"],
        "verdict": entry.verdict.value if entry.verdict else "OPEN",
    }
