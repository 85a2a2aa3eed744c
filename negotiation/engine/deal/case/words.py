"""What a persona answers to the words of a message: which of the things done it answers, how, and with which clause.

The clauses are their author's; the sentences around them are a voice's own (``language/talk.toml`` and the personas' lines).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from negotiation.engine.deal.case import acts
from negotiation.engine.deal.case.acts import Act, Talk, Topic
from negotiation.engine.deal.case.declared import SeatCase
from negotiation.engine.deal.case.labels import OPENING_QUESTIONS, TOPIC_WORDS
from negotiation.engine.deal.case.rules import ASKED_TOO_OFTEN
from negotiation.engine.deal.case.state import TalkState, ToldFact
from negotiation.engine.deal.types import Seat
from negotiation.engine.language.types import Answer, AnswerKind

MOST_ANSWERS: Final = 2
"""So many things of one message are answered; an objection and the move come on top."""
CONFIDES_FROM: Final = 2
"""A fact with this guard or more is told as something that one would rather keep."""
_MANNERS: Final[dict[Act, AnswerKind]] = {
    "apologise": "forgiven",
    "withdraw": "withdrawn",
    "ultimatum": "pressed",
    "stall": "stalled",
    "nibble": "nibbled",
    "trade": "trading",
    "label": "noted",
    "summarise": "noted",
    "mirror": "noted",
    "flatter": "flattered",
    "small_talk": "chatted",
}
"""What is answered to acts that are about nothing of the case, most pressing first."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """What is said of a case in one reply: the answers, and the reason that is given; empty where there is none."""

    answers: tuple[Answer, ...] = ()
    objection: str = ""


class Answering:
    """The answers to one message.

    Args:
        side: the persona's own; ``speaker`` the player's.
        before, after: what had been said before the message, and what has been with it.
        told: the fact that it told.
    """

    def __init__(
        self,
        side: SeatCase,
        speaker: SeatCase,
        seat: Seat,
        before: TalkState,
        after: TalkState,
        told: Sequence[ToldFact],
    ) -> None:
        self._side, self._speaker, self._seat = side, speaker, seat
        self._before, self._after = before, after
        self._told = list(told)

    def to(self, talk: Sequence[Talk]) -> tuple[Answer, ...]:
        """Questions first, then reasons, then everything else; each kind of answer once."""
        found: dict[AnswerKind, Answer] = {}
        for answer in (
            *self._questions(talk),
            *self._reasons(talk),
            *self._given(talk),
            *self._manners(talk),
        ):
            found.setdefault(answer.kind, answer)
        return tuple(found.values())[:MOST_ANSWERS]

    def _questions(self, talk: Sequence[Talk]) -> Iterator[Answer]:
        for each in talk:
            if each.act == "isolate":
                if self._after.raised == self._before.raised:
                    all_said = len(self._after.raised) == len(self._side.objections)
                    yield Answer("nothing_more" if all_said else "guarded", question=self._question_back())
            elif each.act == "ask_proof":
                yield from self._proof(each)
            elif each.act in acts.QUESTIONS and each.topic is not None:
                yield self._to_question(each.topic)

    def _to_question(self, topic: Topic) -> Answer:
        about = TOPIC_WORDS[topic]
        new = next((fact for fact in self._told if fact.topic == topic), None)
        if new is not None:
            self._told.remove(new)
            return Answer(self._how(new), new.says, about)
        known = [fact for fact in self._before.told if fact.topic == topic]
        left = any(fact.topic == topic and not self._after.has_told(fact.id) for fact in self._side.facts)
        if topic in self._side.answers:
            return Answer("known", self._side.answers[topic], about)
        if left:
            return Answer("declined", topic=about, question=self._question_back())
        if known:
            tired = self._after.again.get(topic, 0) >= ASKED_TOO_OFTEN
            return Answer("tired" if tired else "again", known[-1].says, about)
        return Answer("unknown", topic=about)

    def _how(self, told: ToldFact) -> AnswerKind:
        if len(self._after.own) > len(self._before.own):
            return "traded"
        return "confided" if self._side.fact[told.id].guard >= CONFIDES_FROM else "told"

    def _proof(self, asked: Talk) -> Iterator[Answer]:
        fact = next((each for each in self._after.told if each.id == asked.id), None)
        if fact is not None and fact.shown is not None:
            yield Answer("shown" if fact.shown else "unshown", fact.says, TOPIC_WORDS[fact.topic])

    def _reasons(self, talk: Sequence[Talk]) -> Iterator[Answer]:
        if self._after.exposed != self._before.exposed:
            yield Answer("found_out")
        for each in talk:
            if each.act in acts.WITH_REASONS and each.id is not None and each.id not in self._after.exposed:
                yield self._to_reason(each.id)

    def _to_reason(self, said: str) -> Answer:
        now, was = self._after, self._before
        answers = [each for each in self._side.objections if said in each.answers]
        freed = next(
            (each for each in answers if now.lifted.get(each.id, 0) > was.lifted.get(each.id, 0)), None
        )
        if freed is not None:
            return Answer("convinced", freed.says, TOPIC_WORDS[freed.topic])
        if now.won > was.won:
            return Answer("moved", topic=TOPIC_WORDS[self._speaker.argument[said].topic])
        if any(id_ == said for id_, _ in was.used):
            return Answer("used")
        return Answer("unheard", question=self._question_back())

    def _given(self, talk: Sequence[Talk]) -> Iterator[Answer]:
        """What the player told of its own side is acknowledged."""
        before = {each.id for each in self._before.own}
        for each in talk:
            if each.act == "disclose" and each.id is not None and each.id not in before:
                yield Answer("thanked", topic=TOPIC_WORDS[self._speaker.fact[each.id].topic])

    def _manners(self, talk: Sequence[Talk]) -> Iterator[Answer]:
        does = {each.act for each in talk}
        for act, kind in _MANNERS.items():
            if act in does:
                yield Answer(kind)

    def _question_back(self) -> str:
        """What it would like to know itself: the first topic of the trade of which the player has told nothing."""
        told = {each.topic for each in self._after.own}
        has = {fact.topic for fact in self._speaker.facts}
        return next(
            (question for topic, question in OPENING_QUESTIONS[self._seat].items() if topic in has - told), ""
        )
