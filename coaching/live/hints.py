"""Hints on their way to a coach: read anew from the log after every whole turn, never stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from coaching.analysis.hints import hints
from negotiation.engine.deal import Scenario
from negotiation.events import redact
from negotiation.table.models import Logged


def hints_after(rows: Sequence[Logged], scenario: Scenario) -> dict[str, Any] | None:
    """The hints at the end of a log and the turn that they are for; ``None`` before the first grading.

    The log passes through the player's eyes first: what is hidden from the player can't reach a hint.
    """
    gradings = [row for row in rows if row.type == "turn_graded"]
    if not gradings:
        return None
    graded = gradings[-1]
    before = gradings[-2].data["posterior"] if len(gradings) > 1 else None
    frames = [redact(seq=row.seq, kind=row.type, data=row.data, role="player") for row in rows]
    found = hints([dict(frame) for frame in frames], graded.data["posterior"], scenario, before)
    return {"turn": graded.data["turn"], "hints": [asdict(hint) for hint in found]}


def last_graded(rows: Sequence[Logged]) -> Logged | None:
    """The grading of the last whole turn, which holds the reference observer's posterior."""
    return next((row for row in reversed(rows) if row.type == "turn_graded"), None)
