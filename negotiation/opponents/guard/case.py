"""The world behind a deal, as far as words are concerned: clauses that were told pass, the others are refused.

A model that only finds the words has never read an untold fact, and one in a seat of its own knows its own side only.
This is the second lock: what stands in a line is compared with every clause that was not told, with the other cell of
what was, and with what the seat must never claim.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from negotiation.engine.deal import Negotiation, Observation
from negotiation.engine.deal.case.declared import SeatCase
from negotiation.engine.language import Speech
from negotiation.opponents.guard.objections import Objection
from negotiation.opponents.guard.words import listed

_WORD: Final = re.compile(r"[A-Za-z][A-Za-z'-]*")
_WEIGHED: Final = re.compile(r"\Aabove all, |, among other things\Z")
_SHORTEST: Final = 4
"""Letters of a word that says something."""
_SHARE: Final = 0.5
_LEAST: Final = 2
"""From this share of a hidden clause's own words on, and this many, a line tells it."""


@dataclass(frozen=True, slots=True)
class CaseWords:
    """What a line may take from the case, and what it may not.

    Attributes:
        told: clauses that may be said, word for word.
        untold: clauses that may not be told in any words.
        common: stems of words that everybody at the table has used or read.
    """

    told: tuple[str, ...] = ()
    untold: tuple[str, ...] = ()
    common: frozenset[str] = frozenset()


def sayable(speech: Speech) -> Iterator[str]:
    """Every clause that a reply may use."""
    yield from (answer.fact for answer in speech.answers if answer.fact)
    if speech.objection:
        yield speech.objection
    if speech.talked is not None:
        yield from (*speech.talked.repeats, *speech.talked.missing, *speech.talked.recalls)


def case_words(side: SeatCase, speech: Speech, public: Iterable[str]) -> CaseWords:
    """What may be said of the seat's own side.

    Args:
        public: texts that both sides know: the talk so far, the news, the summary of the deal.
    """
    bare = [_WEIGHED.sub("", clause) for clause in sayable(speech)]
    told = tuple(dict.fromkeys((*sayable(speech), *bare)))
    hidden = [clause for fact in side.facts for clause in fact.says]
    hidden += [clause for fact in side.facts for clause in fact.more]
    hidden += [each.more for each in side.objections if each.more]
    hidden += [each.says for each in side.objections] + [each.says for each in side.never]
    untold = tuple(clause for clause in hidden if clause.lower() not in {each.lower() for each in bare})
    known = (*public, *told, *side.answers.values())
    return CaseWords(told, untold, frozenset(stem for text in known for stem in _stems(text)))


def words_at(table: Negotiation, speech: Speech | None, seen: Observation) -> CaseWords | None:
    """What a line at a table may take from its case; ``None`` where there is none.

    Args:
        speech: what the line is to say.
        seen: the table from the speaker's seat.
    """
    if table.case is None or speech is None or speech.talked is None:
        return None
    talk = (move.text for move in seen.transcript)
    news = (headline.text for headline in seen.headlines)
    return case_words(table.case.seats[seen.seat], speech, (*talk, *news, table.scenario.summary))


def without_told(line: str, words: CaseWords) -> str:
    """The line with "it" for every clause that may be said, which need not be looked at again."""
    for clause in sorted(words.told, key=len, reverse=True):
        line = re.sub(rf"(?<!\w){re.escape(clause)}(?!\w)", "it", line, flags=re.IGNORECASE)
    return line


def case_objections(line: str, words: CaseWords) -> Iterator[Objection]:
    """Whether a line, without what may be said, tells something else of the case."""
    said = set(_stems(line))
    for clause in words.untold:
        own = {stem for stem in _stems(clause) if stem not in words.common}
        names = {_stem(name) for name in re.findall(r"\b[A-Z][a-z]{2,}", clause)} & own
        hits = own & said
        if hits & names or len(hits) >= max(_LEAST, math.ceil(_SHARE * len(own))):
            yield Objection("case", "tells something of the business that was not to be told")
            return


def _stems(text: str) -> list[str]:
    """The words of a text that say something, without their endings."""
    found = _WORD.findall(text)
    return [_stem(word) for word in found if len(word) >= _SHORTEST and word.lower() not in listed("common")]


def _stem(word: str) -> str:
    lower = word.lower().removesuffix("'s")
    for end in ("ing", "ed", "es", "s"):
        if lower.endswith(end) and len(lower) - len(end) >= _SHORTEST - 1:
            return lower.removesuffix(end)
    return lower
