"""Whether words can be said at all: known acts and topics, and ids of the right sheet."""

from __future__ import annotations

from collections.abc import Sequence

from negotiation.engine.deal.case import acts
from negotiation.engine.deal.case.acts import Talk
from negotiation.engine.deal.case.declared import DealCase
from negotiation.engine.deal.errors import ActionRefused
from negotiation.engine.deal.types import OTHER_SEAT, Seat

MOST_TALK = 4
"""Things done with words in one message."""


def check_talk(talk: Sequence[Talk], case: DealCase | None, seat: Seat) -> None:
    """Refuse words that mean nothing at this table.

    Raises:
        ActionRefused: with what to mend.
    """
    if not talk:
        return
    if case is None:
        raise ActionRefused("no_case", "There is no case behind this deal to talk about.", "talk")
    if len(talk) > MOST_TALK:
        raise ActionRefused(
            "too_much_talk", f"Do at most {MOST_TALK} things with words in one message.", "talk"
        )
    for each in talk:
        if each.act not in acts.ACTS:
            raise ActionRefused("unknown_act", f"{each.act} is not an act.", "talk")
        if each.topic is not None and each.topic not in acts.TOPICS:
            raise ActionRefused("unknown_topic", f"{each.topic} is not a topic.", "talk")
        if each.act in acts.ON_A_TOPIC and each.topic is None:
            raise ActionRefused("talk_needs_topic", f"{each.act} needs a topic.", "talk")
        _check_id(each, case, seat)


def _check_id(each: Talk, case: DealCase, seat: Seat) -> None:
    own, theirs = case.seats[seat], case.seats[OTHER_SEAT[seat]]
    if each.act in acts.WITH_REASONS:
        if each.id not in own.argument and each.id not in own.claim:
            raise ActionRefused("unknown_argument", f"{each.id} is not an argument of yours.", "talk")
        argument = own.argument.get(each.id or "")
        if each.act == "prove" and not (argument and argument.proof):
            raise ActionRefused("nothing_to_show", f"There is nothing to show for {each.id}.", "talk")
    elif each.act == "disclose":
        if each.id not in own.fact:
            raise ActionRefused("unknown_fact", f"{each.id} is not a fact of yours.", "talk")
    elif each.act == "follow_up" and each.id in theirs.objection:
        return
    elif each.id is not None and each.id not in theirs.fact:
        raise ActionRefused("unknown_fact", f"{each.id} is not a fact of theirs.", "talk")
