"""What both readers make of a message: the house by its words, the second ear by what its questions mean.

What the house heard stands unless the ear is against it; where it heard nothing the ear is believed if it is sure, and asked
back about if it only guesses. Only questions are weighed: what binds, what is told and what follows on something said is the
house's. Without the published weights the house listens alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from negotiation.engine.deal.case.acts import TOPICS, Act, Asked, Talk
from negotiation.engine.deal.case.checks import MOST_TALK
from negotiation.engine.deal.case.declared import SeatCase
from negotiation.engine.deal.case.trade import COVERS
from negotiation.engine.deal.listening.asking import kind_of
from negotiation.engine.deal.listening.at_the_table import WITHOUT_SUBJECT, asked_of_the_table
from negotiation.engine.deal.listening.ear.intents import NO_CLAUSE, Ear, Intent, second_ear
from negotiation.engine.deal.listening.ear.particular import particular_ear
from negotiation.engine.deal.listening.heard import Heard, Listening
from negotiation.engine.deal.listening.listen import listen
from negotiation.engine.deal.listening.trade import Question, questions_of

TAKEN: Final = 0.65
"""The share from which the ear is believed where the house heard something else, or nothing."""
SURELY: Final = 0.8
"""The same where the house heard it ask on about one thing that was said."""
KEPT: Final = 0.3
"""The share of what the house heard from which it stands whatever the ear thinks likeliest."""
DOUBTED: Final = 0.3
"""The share of what the house heard, and of what covers it, below which it is not believed."""
DOUBTED_PATTERN: Final = 0.05
"""The same where a whole pattern of a question of the trade fitted."""
GUESSED, SAID = 0.2, 0.5
"""The share of a subject from which it is asked back about, and from which something is said of it as well."""
MOST_WEIGHED: Final = 4
"""Questions of one message that the ear is asked about: each costs some milliseconds, and two are answered."""
_WEIGHED: Final[frozenset[Act]] = frozenset(("ask_open", "ask_closed", "ask_problem", "follow_up"))
_NOTHING, _GREETING = "none", "greeting"
_SPOKEN_TO: Final = frozenset(NO_CLAUSE) - {_NOTHING}
_SHOWS: Final = re.compile(
    r"\b(?:would|do|will|wouldn't|don't) (?:you|they) (?:like|want|care|wish) (?:me |us )?to"
    r" (?:see|read|hear|have|look|try|meet|send|show)\b"
)
"""What puts something before somebody, and asks for nothing of theirs."""
_IMPATIENT: Final = re.compile(r"\b(?:why|so long|took|taking|kept|keeping|hold up|waiting|delay\w*)\b")
"""Words of a question that greets nobody, however like a greeting it is: "what took your people so long?"."""
_SMALL_TALK: Final = re.compile(
    r"\bhow (?:are|is|was|were|have you|has|did|do you do|goes)\b"
    r"|\b(?:weekend|weather|holiday|trip|journey|flight|family|coffee|sleep|slept)\b"
)
_NO_WORD: Final = re.compile(r"[^\w ]")
_WHICH_OF: Final = re.compile(r"\bwhich (?:one )?of (?:those|these|them|the (?:two|three|four))\b")


def hear(
    text: str,
    *,
    speaker: SeatCase,
    listener: SeatCase,
    told: tuple[str, ...] = (),
    raised: tuple[str, ...] = (),
    last_line: str = "",
    settled: Callable[[str], bool] = lambda _quote: False,
) -> Listening:
    """What a message of ``speaker`` does with words, for ``listener``; as ``listen``, with the second ear if any.

    Args:
        settled: whether a question is about what lies on the table, which the table answers.
    """
    house = listen(text, speaker=speaker, listener=listener, told=told, raised=raised, last_line=last_line)
    ear = second_ear()
    if ear is None:
        return house
    return with_ear(house, text, ear, listener, settled, said=(*told, *raised), last_line=last_line)


def get_ready(listener: SeatCase) -> None:
    """Load what the ear needs to hear questions to somebody in this seat: better while a person reads than in its turn."""
    if (ear := second_ear()) is not None:
        ear.intents([""], listener)
    if (particular := particular_ear()) is not None:
        particular.heard([""], listener, frozenset(), frozenset())


def with_ear(
    house: Listening,
    text: str,
    ear: Ear,
    listener: SeatCase,
    settled: Callable[[str], bool],
    *,
    said: Sequence[str] = (),
    last_line: str = "",
) -> Listening:
    """What the house heard, with the ear's part in its questions.

    Args:
        said: ids of the facts and objections that the listener has told or raised.
        last_line: its last words.
    """
    questions = list(questions_of(text))
    if not questions:
        return house
    # A word thrown back ("Support?") beside a whole question asks for nothing.
    whole = [each for each in questions if len(each.sentence.spoken.split()) > 1] or questions
    open_ = [_AskedOf(each, house) for each in whole if not settled(each.sentence.quote)]
    asked = [each for each in open_ if each.is_weighed][:MOST_WEIGHED]
    for each, intent in zip(asked, _intents(ear, text, asked, listener), strict=True):
        each.weigh(intent)
    in_particular = [each for each in open_ if each.may_be_particular][:MOST_WEIGHED]
    heard = _particulars(in_particular, listener, said, last_line)
    for each, particular in zip(in_particular, heard, strict=True):
        each.particular = particular
    words = {each.sentence.quote for each in questions if each not in whole}
    gone = {one.talk for each in asked for one in each.dropped}
    gone |= {each.talk for each in (*house.heard, *house.unsure) if each.quote in words}
    found = [each for each in house.heard if each.talk not in gone]
    found += [each.added for each in asked if each.added is not None]
    likely, stands_out = _likely(
        [each.intent for each in asked if each.label is None and not each.particular]
    )
    left = [] if stands_out else [questions.index(each.question) for each in asked if each.is_left]
    return replace(
        house,
        heard=tuple(_once(found))[:MOST_TALK],
        unsure=tuple(each for each in house.unsure if each.talk not in gone),
        asked=Asked(
            tuple(each.label or _NOTHING for each in open_),
            likely,
            stands_out,
            tuple(left),
            tuple(each.particular for each in open_) if any(each.particular for each in open_) else (),
        ),
    )


def _particulars(
    asked: Sequence[_AskedOf], listener: SeatCase, said: Sequence[str], last_line: str
) -> list[str]:
    """The particular that each question asks for, by its id; empty for none. With what leads up to a question where that
    is clear, else by itself."""
    ear = particular_ear()
    if ear is None or not asked:
        return [""] * len(asked)
    open_ = frozenset(said)
    just = frozenset(each for each in said if _is_in(last_line, listener, each))
    alone = [each.question.sentence.quote for each in asked]
    led = [each.question.words for each in asked]
    ways = list(dict.fromkeys((*alone, *led)))
    found = dict(zip(ways, ear.heard(ways, listener, open_, just), strict=True))
    heard = (found[one] or found[other] for one, other in zip(alone, led, strict=True))
    return ["" if each is None else each.id for each in heard]


def _is_in(last_line: str, listener: SeatCase, id_: str) -> bool:
    """Whether a line says a fact, an objection, or the more that there is to one, however a voice cut it into sentences."""
    fact, objection = listener.fact.get(id_), listener.objection.get(id_)
    clauses = () if fact is None else (*fact.says, *fact.more)
    clauses += () if objection is None else (objection.says, objection.more)
    line = _bare(last_line)
    return any(each and _bare(each) in line for each in clauses)


def _bare(text: str) -> str:
    return _NO_WORD.sub("", text.lower())


def _intents(ear: Ear, text: str, asked: Sequence[_AskedOf], listener: SeatCase) -> list[Intent]:
    """What each question asks for: with what leads up to it where that is clear, else by itself, else, of a message with
    several, what the message asks for as a whole."""
    if not asked:
        return []
    alone = [each.question.sentence.quote for each in asked]
    led = [each.question.words for each in asked]
    whole = [text] if len(asked) > 1 else []
    ways = list(dict.fromkeys((*led, *alone, *whole)))
    found = dict(zip(ways, ear.intents(ways, listener), strict=True))
    of_all = [found[each] for each in whole]
    return [_clearest(found[one], found[other], of_all) for one, other in zip(led, alone, strict=True)]


def _clearest(with_lead: Intent, alone: Intent, whole: Sequence[Intent]) -> Intent:
    """The first that is clear, a question by itself only where it is very clear; else the first."""
    if with_lead.share(with_lead.best) >= TAKEN:
        return with_lead
    if alone.share(alone.best) >= SURELY:
        return alone
    return next((each for each in whole if each.share(each.best) >= TAKEN), with_lead)


class _AskedOf:
    """One question as both heard it.

    Attributes:
        label: what it asks for; ``None`` while nobody knows.
        dropped: what the house heard in it and does not stand.
        added: what the ear heard in it.
        particular: the id of what it asks for in particular; empty for none.
    """

    def __init__(self, question: Question, house: Listening) -> None:
        quote = question.sentence.quote
        self.question = question
        self._heard = [each for each in (*house.heard, *house.unsure) if each.quote == quote]
        self.label: str | None = question.label or next(
            (each.talk.topic for each in self._heard if each.talk.topic is not None), None
        )
        of_the_table = asked_of_the_table(quote) - WITHOUT_SUBJECT
        weighable = all(each.talk.act in _WEIGHED for each in self._heard)
        self.may_be_particular = not of_the_table and _SHOWS.search(question.sentence.plain) is None
        self.is_weighed = weighable and self.may_be_particular
        self._goes_on = any(each.talk.id is not None for each in self._heard)
        self._has_no_clause = _WHICH_OF.search(self.question.sentence.plain) is not None
        self.dropped: list[Heard] = []
        self.added: Heard | None = None
        self.intent: Intent | None = None
        self.particular = ""

    @property
    def is_left(self) -> bool:
        """Whether nobody knows what it is about: neither something a clause answers, nor the figure, the terms or the talk,
        which an answer speaks to anyway."""
        if self.particular:
            return False
        if self._has_no_clause:
            return True
        if self.intent is None or self.label not in (None, _NOTHING):
            return False
        return self.intent.best not in _SPOKEN_TO

    def weigh(self, intent: Intent) -> None:
        """Let the ear's opinion count."""
        if self._has_no_clause:
            self.dropped, self.label = self._heard, None  # no case tells which
            return
        self.intent = intent
        held: set[str] = {each.talk.topic for each in self._heard if each.talk.topic is not None}
        held |= {self.question.label} if self.question.label is not None else set()
        support = intent.share(*held)
        best = intent.best
        if held and (support >= KEPT or best in held):
            return
        if best == _GREETING and not _greets(self.question.sentence.plain):
            self.intent, self._has_no_clause = None, True
        elif intent.share(best) >= (SURELY if self._goes_on else TAKEN):
            self.dropped, self.label = self._heard, best
            if best in TOPICS:
                talk = Talk(kind_of(self.question.sentence), best)
                self.added = Heard(talk, intent.share(best), self.question.sentence.quote)
        elif self._is_doubted(intent, held):
            self.dropped, self.label = self._heard, None

    def _is_doubted(self, intent: Intent, held: set[str]) -> bool:
        """Whether what the house heard is too unlikely to stand, though nothing likelier is known."""
        if self._goes_on:
            return False
        least = DOUBTED if self.question.label is None else DOUBTED_PATTERN
        return intent.share(*held, *_near(held)) < least


def _greets(plain: str) -> bool:
    """Whether a question that is like a greeting has the words of one."""
    return _SMALL_TALK.search(plain) is not None and _IMPATIENT.search(plain) is None


def _near(held: Iterable[str]) -> set[str]:
    """The questions of any trade that cover what was heard."""
    return {label for label, covered in COVERS.items() if covered.intersection(held)}


def _likely(intents: Sequence[Intent | None]) -> tuple[tuple[str, ...], bool]:
    """The two likeliest labels of the last question that nobody understood, and whether the first may be spoken to."""
    last = intents[-1] if intents else None
    if last is None or last.best in NO_CLAUSE:
        return (), False
    first, second = sorted((*TOPICS, *COVERS), key=lambda label: -last.share(label))[:2]
    if last.share(first) < GUESSED:
        return (), False
    return (first, second), last.share(first) >= SAID


def _once(found: Sequence[Heard]) -> Iterator[Heard]:
    said: set[Talk] = set()
    for each in found:
        if each.talk not in said:
            said.add(each.talk)
            yield each
