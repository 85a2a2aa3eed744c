"""Everything that a seat can do with words at one table, numbered: for players whose moves are numbers."""

from __future__ import annotations

from negotiation.engine.deal.case.acts import ACTS, ON_A_TOPIC, TOPICS, WITH_REASONS, Talk
from negotiation.engine.deal.case.declared import DealCase
from negotiation.engine.deal.types import OTHER_SEAT, Seat


def talk_moves(case: DealCase, seat: Seat) -> tuple[Talk, ...]:
    """All single things that ``seat`` can say, in an order that is the case's own.

    A reason is put once as an argument, or as proof where it can be shown; an untrue claim is put as an answer. Proof
    can be asked for of each fact of the other side's.
    """
    own, theirs = case.seats[seat], case.seats[OTHER_SEAT[seat]]
    by_id = WITH_REASONS | {"disclose", "ask_proof"}
    return (
        *(Talk(act, topic) for act in ACTS if act in ON_A_TOPIC for topic in TOPICS),
        *(Talk(act) for act in ACTS if act not in ON_A_TOPIC and act not in by_id),
        *(Talk("prove" if each.proof else "argue", each.topic, each.id) for each in own.arguments),
        *(Talk("answer", each.topic, each.id) for each in own.never),
        *(Talk("disclose", each.topic, each.id) for each in own.facts),
        *(Talk("ask_proof", each.topic, each.id) for each in theirs.facts),
    )
