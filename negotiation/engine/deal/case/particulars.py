"""Particulars: what a seat says to one particular question, such as who had the rooms before, or which device came apart.

An author writes each with some ways to ask for it, under ``[[seat.particulars]]`` in a case file; those of a shipped case
have a file of their own. No secret, no favour, and the same whatever a game drew; one ``about`` something is said once that
was told or raised, each variant with its own clause.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from negotiation.engine.deal.case.declared import Fact, Objection, Particular, SeatCase
from negotiation.engine.deal.case.state import TalkState
from negotiation.engine.deal.scenario_fields import Table, shown

FEWEST_WORDS, MOST_WORDS = 5, 30
MOST: Final = 400
_CHARACTERS, _MOST_ASKS = 220, 6
_MARKS: Final = frozenset('.!?;:"()')


def particulars(table: Table, things: Sequence[Fact | Objection]) -> tuple[Particular, ...]:
    """The particulars of a seat.

    Args:
        table: the seat's.
        things: its facts and objections, which they may be about.
    """
    found = tuple(_particular(each, things) for each in table.tables("particulars"))
    if len(found) > MOST:
        table.note(f"there are {len(found)}, expected at most {MOST}", "particulars")
    seen: set[str] = set()
    for place, each in enumerate(found, 1):
        if each.id in seen:
            table.note(f"{shown(each.id)} is taken by another", "particulars", place, "id")
        seen.add(each.id)
    return found


def sayable(side: SeatCase, said: TalkState) -> Iterator[tuple[Particular, str]]:
    """What may be said now, each with its clause.

    Args:
        said: what this seat has told and raised so far.
    """
    raised = {f"{side.objection[id_].topic}.{id_}" for id_ in said.raised if id_ in side.objection}
    told = {f"{each.topic}.{each.id}": each.high for each in said.told}
    for each in side.particulars:
        if not each.about or each.about in raised:
            yield each, each.says[0]
        elif each.about in told:
            yield each, each.says[-1 if told[each.about] else 0]


def _particular(table: Table, things: Sequence[Fact | Objection]) -> Particular:
    found = Particular(
        id=table.slug(),
        about=table.text("about", 64) if "about" in table else "",
        asks=table.texts("asks", 1, _MOST_ASKS),
        says=table.text_or_pair("says", _CHARACTERS),
    )
    table.close()
    thing = next((each for each in things if f"{each.topic}.{each.id}" == found.about), None)
    if found.about and thing is None:
        table.note("is neither a fact nor an objection of this seat, written topic.id", "about")
    variants = len(thing.says) if isinstance(thing, Fact) else 1
    if len(found.says) != variants:
        table.note(f"has {len(found.says)} clauses, expected {variants}, as what it is about has", "says")
    for clause in found.says:
        words = len(clause.split())
        if not FEWEST_WORDS <= words <= MOST_WORDS:
            table.note(f"has {words} words, expected {FEWEST_WORDS} to {MOST_WORDS}", "says")
        if not _MARKS.isdisjoint(clause) or any(letter.isdigit() for letter in clause):
            table.note("has a mark or a digit in it, expected words that go into a sentence", "says")
    return found
