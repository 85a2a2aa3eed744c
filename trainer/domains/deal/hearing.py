"""A case as a model meets it: its sheet stands in the chat, and its words are heard as a person's are.

The protocol of moves stays what it is without a case, so one adapter plays both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from negotiation.engine.deal import OTHER_SEAT, Action, Observation
from negotiation.engine.deal.case.declared import SeatCase
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.listening import listen

Chat = list[dict[str, str]]


def heard(action: Action, seen: Observation) -> Action:
    """The move with what its words do, as the other side hears them; as it was where there is no case."""
    if seen.sheet is None or action.accept or action.walk_away:
        return action
    case = cases()[seen.scenario]
    said = [move.text for move in seen.transcript if move.side == "opponent"]
    listening = listen(
        action.text,
        speaker=case.seats[seen.seat],
        listener=case.seats[OTHER_SEAT[seen.seat]],
        told=tuple(each.id for each in seen.told),
        raised=seen.sheet.raised,
        last_line=said[-1] if said else "",
    )
    return replace(action, talk=listening.talk)


def with_sheet(chat: Chat, seen: Observation) -> Chat:
    """The chat with the own sheet and what was heard, at the end of its last message; as it was where there is no case."""
    if seen.sheet is None:
        return chat
    case = cases()[seen.scenario]
    lines = _lines(seen, case.seats[seen.seat], case.seats[OTHER_SEAT[seen.seat]])
    *before, last = chat
    return [*before, {**last, "content": "\n".join((last["content"], *lines))}]


def _lines(seen: Observation, own: SeatCase, theirs: SeatCase) -> Iterator[str]:
    if seen.sheet is None:
        return
    yield "Of your own side you know: " + "; ".join(each.says for each in seen.sheet.facts) + "."
    yield "Reasons that you can give: " + "; ".join(each.says for each in own.arguments) + "."
    yield "Never say, for it is untrue: " + "; ".join(each.says for each in own.never) + "."
    if seen.told:
        yield "They have told you: " + "; ".join(each.says for each in seen.told) + "."
    if seen.sheet.raised:
        yield (
            "What holds them back: "
            + "; ".join(theirs.objection[each].says for each in seen.sheet.raised)
            + "."
        )
