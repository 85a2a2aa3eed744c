"""What holds a persona back, as far as it has said so: what of it is open, and what it says who is asked about it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from negotiation.engine.deal.case.declared import Objection, SeatCase
from negotiation.engine.deal.case.labels import SPOKEN_TOPICS
from negotiation.engine.deal.case.persuading import open_share
from negotiation.engine.deal.case.state import TalkState
from negotiation.engine.language.types import Answer

NEARLY_ALL: Final = 0.05
"""An objection of which less than this share is open counts as answered."""


@dataclass(frozen=True, slots=True)
class Worries:
    """A persona's objections as a message finds them.

    Args:
        before, after: what had been said before the message, and what has been with it.
        given: options and sweeteners that the player has given, by their names.
        detailed: facts and objections of which it has said more already, by what it said.
    """

    side: SeatCase
    before: TalkState
    after: TalkState
    given: Collection[str]
    detailed: Sequence[str]

    def open(self) -> list[Objection]:
        """Objections that were raised before and that nothing answers yet."""
        return [
            each
            for each in self.side.objections
            if each.id in self.before.raised and self.left(each) >= NEARLY_ALL
        ]

    def left(self, objection: Objection) -> float:
        return open_share(objection, self.after.lifted.get(objection.id, 0.0), self.given)

    def answer(self, worry: Objection) -> Answer:
        """Asked what worries it, it says more of what it has raised, and once all was said, the same again."""
        fresh = bool(worry.more) and worry.more not in self.detailed
        return Answer(
            "detail" if fresh else "again", worry.more if fresh else worry.says, SPOKEN_TOPICS[worry.topic]
        )
