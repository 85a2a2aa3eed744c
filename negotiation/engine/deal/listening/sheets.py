"""The things of a case by the words that tell them apart, and which of them a sentence speaks of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from negotiation.engine.deal.case.acts import Topic
from negotiation.engine.deal.case.declared import SeatCase
from negotiation.engine.deal.listening.sentences import Sentence
from negotiation.engine.deal.listening.words import RARE, Part, names_in, parts, spoken, stems_of, weight

Kind = Literal["fact", "argument", "claim", "objection", "answer"]
_SHARED: Final = (1.0, 1.0, 0.7, 0.5)
"""What a word counts for that so many things of a side hold; beyond, the last."""


@dataclass(frozen=True, slots=True)
class Thing:
    """One clause of a case, by its words.

    Attributes:
        high: which clause of a fact that has two.
        stems: words of the clause; ``known`` has those of its author's cues too.
        cues: the author's cues; ``phrases`` are those of several words, as they stand.
        names: words that say by themselves which thing is meant: proper names, and cues of one word.
    """

    kind: Kind
    id: str
    topic: Topic
    own: bool
    high: bool | None
    parts: tuple[Part, ...]
    stems: frozenset[str]
    cues: tuple[frozenset[str], ...]
    phrases: tuple[str, ...]
    known: frozenset[str]
    names: frozenset[str]
    proof: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """How a sentence fits a thing.

    Attributes:
        words: the shared words.
        weight: what they count for.
        share: of what all words of its clause count for, how much is shared.
        cues: of the author's cues, how many are there in full.
        phrases: of those with several words, how many stand there as they are written.
        denied: whether one of the two denies what the other says.
    """

    thing: Thing
    words: frozenset[str]
    weight: float
    share: float
    cues: int
    phrases: int
    denied: bool

    @property
    def telling(self) -> bool:
        """Whether more than words of any business talk are shared."""
        return any(weight(word) >= RARE for word in self.words)

    @property
    def named(self) -> bool:
        """Whether one of the shared words names the thing by itself."""
        return any(word in self.thing.names and weight(word) >= RARE for word in self.words)

    @property
    def score(self) -> float:
        """How well it fits, to be compared with others."""
        return self.share + 0.15 * min(self.cues, 3) + 0.2 * min(self.phrases, 2) + 0.05 * min(self.weight, 6)


class Sheets:
    """What both sides of a table may speak of, by its words."""

    def __init__(self, speaker: SeatCase, listener: SeatCase) -> None:
        self.things = (*_things(speaker, own=True), *_things(listener, own=False))
        self._counts = {
            own: Counter(word for stems in _by_id(self.things, own) for word in stems)
            for own in (True, False)
        }

    def weigh(self, word: str, own: bool) -> float:
        """What a word counts for on one side: less, the more things hold it."""
        held = self._counts[own].get(word, 1)
        return weight(word) * _SHARED[min(held, len(_SHARED)) - 1]

    def matches(self, said: Sentence) -> list[Match]:
        """Everything that shares a word with a sentence."""
        return [
            self._match(thing, said, words) for thing in self.things if (words := thing.known & said.stems)
        ]

    def _match(self, thing: Thing, said: Sentence, words: frozenset[str]) -> Match:
        shared = sum(self.weigh(word, thing.own) for word in words)
        of_clause = sum(self.weigh(word, thing.own) for word in words & thing.stems)
        whole = sum(self.weigh(word, thing.own) for word in thing.stems)
        cues = sum(1 for cue in thing.cues if cue and cue <= words)
        phrases = sum(1 for phrase in thing.phrases if phrase in said.spoken)
        share = of_clause / whole if whole else 0.0
        return Match(thing, words, shared, share, cues, phrases, _denied(thing, said.parts, words))


def _denied(thing: Thing, said: tuple[Part, ...], words: frozenset[str]) -> bool:
    """Whether what was said and the clause differ in "not"."""
    touched = [part for part in thing.parts if part.stems & words]
    if any(part.denies for part in said if part.stems & words):
        return not any(part.denies for part in touched)
    return bool(touched) and all(part.denies for part in touched)


def _things(side: SeatCase, *, own: bool) -> Iterable[Thing]:
    for fact in side.facts:
        for place, says in enumerate(fact.says):
            yield _thing(
                "fact",
                fact.id,
                fact.topic,
                own,
                says,
                fact.cues,
                high=bool(place) if len(fact.says) > 1 else None,
            )
    for argument in side.arguments:
        yield _thing(
            "argument", argument.id, argument.topic, own, argument.says, argument.cues, proof=argument.proof
        )
    for claim in side.never:
        yield _thing("claim", claim.id, claim.topic, own, claim.says, claim.cues)
    for objection in side.objections:
        yield _thing("objection", objection.id, objection.topic, own, objection.says, objection.cues)
    for topic, says in side.answers.items():
        yield _thing("answer", "", topic, own, says, ())


def _thing(
    kind: Kind,
    id_: str,
    topic: Topic,
    own: bool,
    says: str,
    cues: Sequence[str],
    *,
    high: bool | None = None,
    proof: bool = False,
) -> Thing:
    listed = tuple(stems_of(parts(cue)) for cue in cues)
    said = parts(says)
    stems = stems_of(said)
    phrases = tuple(spoken(cue) for cue in cues if " " in cue)
    alone = frozenset(word for cue in listed if len(cue) == 1 for word in cue)
    names = alone.union(*(names_in(text) for text in (says, *cues)))
    return Thing(
        kind, id_, topic, own, high, said, stems, listed, phrases, stems.union(*listed), names, proof
    )


def _by_id(things: Iterable[Thing], own: bool) -> Iterable[frozenset[str]]:
    """The words of each thing of a side, both clauses of a fact together."""
    together: dict[tuple[str, str, str], frozenset[str]] = {}
    for thing in things:
        if thing.own == own:
            key = thing.kind, thing.id, thing.topic
            together[key] = together.get(key, frozenset()) | thing.known
    return together.values()


_CASES: Final = 32


class _Keyed:
    """A pair of sides, told apart by which objects they are: cases are read once and kept."""

    __slots__ = ("listener", "speaker")

    def __init__(self, speaker: SeatCase, listener: SeatCase) -> None:
        self.speaker, self.listener = speaker, listener

    def __hash__(self) -> int:
        return hash((id(self.speaker), id(self.listener)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Keyed) and self.speaker is other.speaker and self.listener is other.listener


@lru_cache(maxsize=_CASES)
def _sheets(key: _Keyed) -> Sheets:
    return Sheets(key.speaker, key.listener)


def sheets_of(speaker: SeatCase, listener: SeatCase) -> Sheets:
    """The words of a table, reckoned once for a pair of sides."""
    return _sheets(_Keyed(speaker, listener))
