"""Which of its objections a persona brings up next: what it minds most by its manner, and how it is today.

It hangs on the case file, on who the persona is, and on draws that decide nothing else: what was raised first tells
nothing of what a game hides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from negotiation.engine.deal.case.acts import Topic
from negotiation.engine.deal.case.declared import Objection, SeatCase
from negotiation.engine.deal.case.drawn import SeatWorld

MINDED: Final = 0.08
"""What the topic that a persona minds most adds to what an objection on it holds; further ones add less and less."""
MOOD: Final = 0.02
"""And what a day may add: it orders what weighs about the same."""


def next_concern(
    side: SeatCase, world: SeatWorld, minds: Sequence[Topic], raised: Sequence[str]
) -> Objection | None:
    """The objection that comes next, ``None`` where all were raised."""
    left = [place for place, each in enumerate(side.objections) if each.id not in raised]
    if not left:
        return None
    return side.objections[
        max(left, key=lambda place: _weight(side.objections[place], world.mood[place], minds))
    ]


def _weight(objection: Objection, mood: float, minds: Sequence[Topic]) -> float:
    place = minds.index(objection.topic) if objection.topic in minds else len(minds)
    minded = 1 - place / len(minds) if minds else 0.0
    return objection.hold + MINDED * minded + MOOD * mood
