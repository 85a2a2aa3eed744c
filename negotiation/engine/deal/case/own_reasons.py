"""What a persona says of its own reasons: to who names one in a question, and where a subject has nothing else left to say.

Its reasons are its author's, no secret and the same whatever a game drew. Said in an answer they move nobody.
"""

from __future__ import annotations

from collections.abc import Collection

from negotiation.engine.deal.case.acts import Topic
from negotiation.engine.deal.case.answering_trade import BESIDE_THE_QUESTION
from negotiation.engine.deal.case.declared import SeatCase
from negotiation.engine.deal.case.trade import TradeQuestions
from negotiation.engine.language.types import Answer

_GOES_ON = frozenset(("detail", "either", "neither", "both"))
"""Answers to a question about what was said before, or to which of two things it is: they stand without a reason."""


def with_own_reason(
    found: list[Answer], asked: TradeQuestions, side: SeatCase, said: Collection[str]
) -> list[Answer]:
    """The answers with the reason that the question named, which is nearer to it than anything on its subject.

    Args:
        said: clauses that are not said in the same way again.
    """
    reason = side.argument.get(asked.reason)
    if reason is None or reason.says in said or any(each.kind in _GOES_ON for each in found):
        return found
    kept = [each for each in found if each.kind not in BESIDE_THE_QUESTION | {"openly", "perhaps"}]
    return [*kept, Answer("openly", reason.says)]


def reason_on(topic: Topic, side: SeatCase, said: Collection[str]) -> str:
    """A reason on a topic that was not said yet; empty where there is none. One that cites a gift waits for it."""
    left = (each.says for each in side.arguments if each.topic == topic and not each.sweetener)
    return next((each for each in left if each not in said), "")
