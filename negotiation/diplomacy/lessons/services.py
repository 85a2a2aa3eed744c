"""Asking for a lesson, and working it out."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from negotiation.diplomacy.models import AllianceLesson, BoardSeat
from negotiation.diplomacy.selectors import power_of, sitting_of
from negotiation.diplomacy.sitting import Sitting
from negotiation.diplomacy.wording import promise_page
from owed import services as owed
from owed.kinds import Work, register


def lesson_request(*, seat: BoardSeat) -> AllianceLesson:
    """The lesson of a seat in a game that is over; the worker is asked for it once."""
    return owed.ask(AllianceLesson, seat=seat)


def _lesson(row: AllianceLesson) -> dict[str, Any]:
    return {"chapters": chapters_of(row.seat), "done_at": timezone.now()}


LESSON = register(Work("lesson", AllianceLesson, _lesson))


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
