"""What a case holds: two sides of a deal with something to tell, to need, to doubt and to argue.

Everything here is what an author wrote; what a game draws of it is in ``drawn.py``. Clauses fit "Since you ask: {}."
and "The truth is that {}.".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from negotiation.engine.deal.case.acts import Topic


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that a seat knows of itself, and may tell.

    ``guard`` is how loath it is to tell it, 0 to 3. ``value`` names the hidden value that the fact bears on and
    ``need`` the need; both are empty for a plain fact. ``says`` has one clause, or two where there is a value: for
    its low and its high cell. ``cues`` are words by which the fact is recognised. ``more`` is what it says to who asks on:
    nothing, one clause, or one for each of ``says``.
    """

    id: str
    topic: Topic
    guard: int
    says: tuple[str, ...]
    value: str
    need: str
    cues: tuple[str, ...]
    more: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Need:
    """What a seat wants beside the price. The options (``issue.option``) and the sweetener of the other seat (counted from
    1; 0 for none) that meet it are worth more, the more it weighs."""

    id: str
    says: str
    options: tuple[str, ...]
    sweetener: int
    cues: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Objection:
    """A reason not to go as far as a seat could. ``hold`` is a share of the nominal zone; ``answers`` say what lifts
    which share of it: an argument of the other side's by its id, an option as ``issue.option``, a sweetener as
    ``sweetener_1``. ``more`` is what it says to who asks on, empty for nothing."""

    id: str
    topic: Topic
    says: str
    hold: float
    answers: Mapping[str, float]
    cues: tuple[str, ...]
    more: str = ""


@dataclass(frozen=True, slots=True)
class Argument:
    """A reason that a seat can give. It ``hits`` a need of the other side's. One with ``proof`` can be shown; one with
    a ``sweetener`` waits until that sweetener, counted from 1, is given. ``point`` is what the other side calls it, in a few
    words that go into a sentence as a noun; empty where its author gave none."""

    id: str
    topic: Topic
    says: str
    hits: str
    proof: bool
    sweetener: int
    cues: tuple[str, ...]
    point: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """Something untrue that a seat must never say, in the words in which it would be tempted to."""

    id: str
    topic: Topic
    says: str
    cues: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Particular:
    """What a seat says to one particular question, with ways to ask it. ``about`` is the fact or the objection that it goes
    on about, as ``topic.id``, empty for none; ``says`` has as many clauses as that."""

    id: str
    about: str
    asks: tuple[str, ...]
    says: tuple[str, ...]

    @property
    def thing(self) -> str:
        """The id of what it is about, without its topic."""
        return self.about.partition(".")[2]


@dataclass(frozen=True)
class SeatCase:
    """One seat's side of a case. ``answers`` is what it says of a topic to anybody who asks: no secret, no favour. ``asked``
    is the same for the questions of any trade (``trade.COVERS``), one answer after the other where they come again;
    ``terms`` is why a term of the deal matters at all, by the id of its issue; ``particulars`` answer questions that nobody
    asks but here."""

    facts: tuple[Fact, ...]
    needs: tuple[Need, ...]
    objections: tuple[Objection, ...]
    arguments: tuple[Argument, ...]
    never: tuple[Claim, ...]
    answers: Mapping[Topic, str]
    asked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    terms: Mapping[str, str] = field(default_factory=dict)
    particulars: tuple[Particular, ...] = ()

    @cached_property
    def fact(self) -> Mapping[str, Fact]:
        return {each.id: each for each in self.facts}

    @cached_property
    def argument(self) -> Mapping[str, Argument]:
        return {each.id: each for each in self.arguments}

    @cached_property
    def claim(self) -> Mapping[str, Claim]:
        return {each.id: each for each in self.never}

    @cached_property
    def objection(self) -> Mapping[str, Objection]:
        return {each.id: each for each in self.objections}

    @cached_property
    def place_of_need(self) -> Mapping[str, int]:
        return {each.id: place for place, each in enumerate(self.needs)}

    @cached_property
    def place_of_fact(self) -> Mapping[str, int]:
        return {each.id: place for place, each in enumerate(self.facts)}


@dataclass(frozen=True)
class DealCase:
    """The case of one scenario, seat by seat."""

    scenario: str
    seats: Mapping[str, SeatCase]
