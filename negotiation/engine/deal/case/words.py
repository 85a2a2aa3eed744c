"""The plain sentences in which a case is spoken: clauses as their author wrote them, in a frame that fits them all."""

from __future__ import annotations

from collections.abc import Sequence

from negotiation.engine.deal.case.acts import QUESTIONS, Talk
from negotiation.engine.deal.case.declared import Objection, SeatCase
from negotiation.engine.deal.case.state import ToldFact


def answered(side: SeatCase, talk: Sequence[Talk], told: Sequence[ToldFact]) -> tuple[str, ...]:
    """The answer to a message: the facts told, else what anybody may know of the topics that were asked about."""
    if told:
        return tuple(f"Since you ask: {each.says}." for each in told)
    topics = dict.fromkeys(each.topic for each in talk if each.act in QUESTIONS and each.topic is not None)
    known = [side.answers[topic] for topic in topics if topic in side.answers]
    return tuple(f"{each[0].upper()}{each[1:]}." for each in known)


def objected(objection: Objection) -> str:
    """An objection as it is given."""
    return f"What holds me back: {objection.says}."
