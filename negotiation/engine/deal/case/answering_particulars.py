"""What is answered to a particular question: its author's clause, in place of what its words seemed to be about."""

from __future__ import annotations

from collections.abc import Collection

from negotiation.engine.deal.case.acts import TOPICS
from negotiation.engine.deal.case.answering_trade import BESIDE_THE_QUESTION
from negotiation.engine.deal.case.declared import SeatCase
from negotiation.engine.deal.case.labels import SPOKEN_TOPICS
from negotiation.engine.deal.case.particulars import sayable
from negotiation.engine.deal.case.state import TalkState
from negotiation.engine.deal.case.trade import TradeQuestions
from negotiation.engine.language.types import Answer


def with_particulars(
    found: list[Answer], asked: TradeQuestions, side: SeatCase, said: TalkState, detailed: Collection[str]
) -> list[Answer]:
    """The answers with those to particular questions, each said once; a fact that was told on the subject stands beside it.

    Args:
        said: what the seat has told and raised, this message included.
        detailed: clauses that it has said before.
    """
    if not asked.particulars:
        return found
    clauses = {each.id: clause for each, clause in sayable(side, said)}
    fresh = [
        (clauses[id_], label)
        for id_, label in asked.particulars
        if id_ in clauses and clauses[id_] not in detailed
    ]
    if not fresh:
        return found
    alone = asked.particular_alone and len(fresh) == len(asked.particulars)
    answered = {SPOKEN_TOPICS[topic] for topic in TOPICS if topic in {label for _, label in fresh}}
    kept = [
        each
        for each in found
        if each.kind not in BESIDE_THE_QUESTION or not (alone or each.topic in answered)
    ]
    first = [each for each in kept if each.kind in ("chatted", "greeted")]
    rest = [each for each in kept if each not in first]
    told = [Answer("openly", clause) for clause in dict.fromkeys(clause for clause, _ in fresh)]
    return [*first, *told, *rest]
