"""What a persona answers to the words of a message: which of the things done it answers, how, and with which clause.

The clauses are their author's; the sentences around them are a voice's own (``language/talk.toml`` and the personas' lines).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from negotiation.engine.deal.case import acts
from negotiation.engine.deal.case.acts import Act, Talk, Topic
from negotiation.engine.deal.case.answering_choice import TELLS_A_FACT, with_choice
from negotiation.engine.deal.case.answering_particulars import with_particulars
from negotiation.engine.deal.case.answering_trade import with_trade
from negotiation.engine.deal.case.declared import Objection, SeatCase
from negotiation.engine.deal.case.drawn import further
from negotiation.engine.deal.case.labels import OPENING_QUESTIONS, SPOKEN_TOPICS, spoken
from negotiation.engine.deal.case.own_reasons import reason_on, with_own_reason
from negotiation.engine.deal.case.persons import turned
from negotiation.engine.deal.case.persuading import A_NEED
from negotiation.engine.deal.case.rules import ASKED_TOO_OFTEN
from negotiation.engine.deal.case.state import TalkState, ToldFact
from negotiation.engine.deal.case.trade import COVERS, NOTHING_ASKED, TradeQuestions
from negotiation.engine.deal.case.worries import NEARLY_ALL, Worries
from negotiation.engine.deal.types import Seat
from negotiation.engine.language.speaking import listed
from negotiation.engine.language.types import Answer, AnswerKind, TalkMemory

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
    "disparage": "defended",
    "constraint": "asked_why",
    "deflect": "curious",
}
"""What is answered to acts that are about nothing of the case, most pressing first."""


_SAYS_SOMETHING: Final = frozenset(
    (
        *("told", "confided", "traded", "known", "openly", "greeted", "detail", "shown", "again"),
        *("either", "neither", "both", "perhaps"),
    )
)
SAID_ONCE: Final = frozenset(("detail", "known", "openly", "greeted", "either", "neither", "both", "perhaps"))
"""Answers that say a clause which is not said in the same way again."""
_HEARD_BEFORE: Final = frozenset(("no_more", "again", "tired"))
"""Answers that tell nothing new: to who asks what is hard, what worries it is a better one."""
_SAYS_LITTLE: Final = frozenset(("declined", "unknown", "no_more", "guarded", "wide", "no_sum"))
"""Answers that tell something, and those that give way to them where more was asked than is answered."""


def _most_telling(answers: list[Answer]) -> tuple[Answer, ...]:
    """So many as are given, in their order: of more, those stay that tell something; nobody adds to an answer that there
    is no more to it."""
    told_of = {each.topic for each in answers if each.kind in _SAYS_SOMETHING}
    kept = [each for each in answers if each.kind not in ("no_more", "unknown") or each.topic not in told_of]
    while len(kept) > MOST_ANSWERS:
        little = [each for each in kept if each.kind in _SAYS_LITTLE]
        rest = [each for each in kept if each.kind not in TELLS_A_FACT]  # what was told has to be heard
        kept.remove((little or rest or kept)[-1])
    return tuple(kept)


_ASKS_OUT: Final = frozenset(("ask_open", "ask_closed", "ask_problem"))
_MERE_THANKS: Final = frozenset(("thanked", "chatted", "greeted"))
"""Answers beside which a question still waits for its own."""
_WIDE: Final[frozenset[Topic]] = frozenset(("interests",))
"""What is asked about everything at once."""
_POINTS_TO: Final = 2
"""So many topics are named to who asks about everything at once."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """What is said of a case in one reply: the answers, and the reason that is given; empty where there is none."""

    answers: tuple[Answer, ...] = ()
    objection: str = ""
    talked: TalkMemory | None = None
    terms: Mapping[str, str] = field(default_factory=dict)
    """Why a term matters at all, by the id of its issue."""
    helps: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What would help against a reason that it has given, options as ``issue.option``, by the reason's words."""


class Answering:
    """The answers to one message.

    Args:
        side: the persona's own; ``speaker`` the player's.
        before, after: what had been said before the message, and what has been with it.
        told: the fact that it told.
        asked_back: questions that it has asked before: it asks each once.
        given: options and sweeteners that the player has given, by their names.
        quotable: facts that the player told in so many words that they can be said back to it.
        detailed: facts and objections of which it has said more already, by what it said.
    """

    def __init__(
        self,
        side: SeatCase,
        speaker: SeatCase,
        seat: Seat,
        before: TalkState,
        after: TalkState,
        told: Sequence[ToldFact],
        asked_back: Collection[str] = (),
        given: Collection[str] = (),
        quotable: Collection[str] = (),
        detailed: Sequence[str] = (),
    ) -> None:
        self._worries = Worries(side, before, after, given, detailed)
        self._detailed = detailed
        self._side, self._speaker, self._seat = side, speaker, seat
        self._asked_back, self._given_names, self._quotable = asked_back, given, quotable
        self._before, self._after = before, after
        self._told = list(told)
        self._topics: set[Topic | None] = set()

    def to(self, talk: Sequence[Talk], asked: TradeQuestions = NOTHING_ASKED) -> tuple[Answer, ...]:
        """A greeting, then questions, then reasons, then everything else; each kind once, but for those that tell."""
        found: dict[tuple[AnswerKind, str], Answer] = {}
        self._topics = {each.topic for each in talk}
        greets = (Answer("chatted"),) if talk and talk[0].act == "small_talk" else ()
        parts = (greets, self._questions(talk), self._reasons(talk), self._given(talk), self._manners(talk))
        for answer in chain.from_iterable(parts):
            found.setdefault((answer.kind, answer.fact if answer.kind in _SAYS_SOMETHING else ""), answer)
        answers = with_trade(list(found.values()), asked, self._side, self._worries)
        answers = with_particulars(answers, asked, self._side, self._after, self._detailed)
        answers = with_choice(answers, asked, self._side, self._worries)
        answers = with_own_reason(answers, asked, self._side, self._detailed)
        return _most_telling(self._with_more_of_it(answers, talk, asked))

    def _with_more_of_it(
        self, found: list[Answer], talk: Sequence[Talk], asked: TradeQuestions
    ) -> list[Answer]:
        """A fact that was told is one thing of its subject, and may not be what was asked: what anybody may know of it goes
        with it. Where nothing answers, it is said what that is of the likeliest subject, and asked whether it was that."""
        told = [each for each in found if each.kind in TELLS_A_FACT]
        questions = [each for each in talk if each.act in _ASKS_OUT and each.topic is not None]
        if len(told) == len(found) == len(questions) == 1:
            public = self._side.answers.get(questions[0].topic or "interests", "")
            if public and public not in self._detailed and questions[0].topic not in _WIDE:
                return [*found, Answer("known", public, told[0].topic)]
        understood = (asked.found and asked.alone) or asked.particulars
        if (
            asked.likely
            and not (questions or understood)
            and all(each.kind in _MERE_THANKS for each in found)
        ):
            one, other = asked.likely
            if public := self._public(one):
                return [*found, Answer("perhaps", public, spoken(one), point=spoken(other))]
        return found

    def _public(self, label: str) -> str:
        """What anybody may know on a topic or a question of any trade, and was not said before."""
        on_topic = (clause for topic, clause in self._side.answers.items() if topic == label)
        clauses = (*on_topic, *self._side.asked.get(label, ()))
        return next((each for each in clauses if each and each not in self._detailed), "")

    def _questions(self, talk: Sequence[Talk]) -> Iterator[Answer]:
        for each in talk:
            if each.act == "isolate":
                if self._after.raised == self._before.raised:
                    yield self._worried()
            elif each.act == "ask_proof":
                yield from self._proof(each)
            elif each.act in acts.QUESTIONS and (more := self._more(each)) is not None:
                yield more
                if any(fact.topic == each.topic for fact in self._told) and each.topic is not None:
                    yield self._to_question(each.topic)
            elif each.act in acts.QUESTIONS and each.topic is not None:
                answer = self._to_question(each.topic)
                yield self._worried() if self._is_after_worries(each, answer) else answer

    def _is_after_worries(self, asked: Talk, answer: Answer) -> bool:
        """Whether what worries it is a better answer: to who asks what is hard, before what anybody may know of risk; to
        who asks about risk at all, where nothing else is known of it."""
        if answer.kind == "unknown":
            return asked.act == "ask_problem" or asked.topic == "risk"
        if answer.kind in _HEARD_BEFORE and asked.act == "ask_problem" and self._worries.open():
            return True
        return (
            asked.act == "ask_problem"
            and asked.topic == "risk"
            and answer.kind in ("known", "no_more")
            and bool(self._worries.open())
        )

    def _more(self, asked: Talk) -> Answer | None:
        """What there is to say to who asks on about something that it said before; ``None`` where there was nothing ever."""
        raised = self._side.objection.get(asked.id or "") if asked.id in self._before.raised else None
        if raised is not None and raised.topic == asked.topic:
            more, about = raised.more, SPOKEN_TOPICS[raised.topic]
        else:
            told = next((each for each in self._before.told if each.id == asked.id), None)
            if told is None:
                return None
            more, about = further(self._side.fact[told.id], told.high), SPOKEN_TOPICS[told.topic]
        if not more:
            return None
        return Answer("no_more" if more in self._detailed else "detail", more, about)

    def _worried(self) -> Answer:
        """Asked what worries it, where no fact tells: what it has raised, or that there is something."""
        if self._worries.open():
            return self._worries.answer(self._worries.open()[0])
        all_said = len(self._after.raised) == len(self._side.objections)
        return Answer("nothing_more" if all_said else "guarded", question=self._question_back())

    def memory(self, keeps: Iterable[str], turn: int) -> TalkMemory:
        """What it remembers, beside what it answers now.

        Args:
            keeps: what it was asked about and did not answer, as it is said.
        """
        return TalkMemory(
            repeats=(*(each.says for each in self._after.told if each.turn < turn), *self._detailed),
            keeps=tuple(keeps),
            missing=tuple(each.says for each in self._worries.open()),
            touched=tuple(each.says for each in self._worries.open() if self._touches(each)),
            just_told=next(
                (SPOKEN_TOPICS[each.topic] for each in self._before.told if each.turn == turn - 1), ""
            ),
            recalls=tuple(
                filter(None, (turned(each.says) for each in self._before.own if each.id in self._quotable))
            ),
        )

    def _touches(self, objection: Objection) -> bool:
        """Whether a message is about an objection's topic."""
        return objection.topic in self._topics

    def _to_question(self, topic: Topic) -> Answer:
        about = SPOKEN_TOPICS[topic]
        new = next((fact for fact in self._told if fact.topic == topic), None)
        if new is not None:
            self._told.remove(new)
            return Answer(self._how(new), new.says, about)
        known = [fact for fact in self._before.told if fact.topic == topic]
        left = any(fact.topic == topic and not self._after.has_told(fact.id) for fact in self._side.facts)
        public = self._side.answers.get(topic, "")
        if public and public not in self._detailed:
            return Answer("known", public, about)
        raised = next((each for each in self._worries.open() if each.topic == topic), None)
        if raised is not None:
            return self._worries.answer(raised)
        if topic in _WIDE:
            return self._piece_by_piece()
        if reason := reason_on(topic, self._side, self._detailed):
            return Answer("openly", reason)
        if left:
            return Answer("declined", topic=about, question=self._question_back())
        if known:
            tired = self._after.again.get(topic, 0) >= ASKED_TOO_OFTEN
            if tired and self._worries.open():
                return self._worries.answer(
                    self._worries.open()[0]
                )  # the words were others, as a rule: there is more to say than that
            return Answer("tired" if tired else "again", known[-1].says, about)
        if public:
            return Answer("no_more", public, about)
        if topic == "basis":
            return Answer("no_sum")  # nobody can say that it does not know it
        return Answer("unknown", topic=about)

    def _piece_by_piece(self) -> Answer:
        """Asked for everything at once, it says more of what it has raised, else what it would rather be asked about: what
        it guards least, as its author wrote it, whatever a game drew."""
        fresh = [each for each in self._worries.open() if each.more and each.more not in self._detailed]
        if fresh:
            return self._worries.answer(fresh[0])
        left = [each for each in self._side.facts if not self._after.has_told(each.id)]
        openly = sorted(left, key=lambda each: each.guard)
        topics = list(dict.fromkeys(SPOKEN_TOPICS[each.topic] for each in openly))[:_POINTS_TO]
        return Answer("wide", topic=listed(topics), question=self._question_back())

    def _how(self, told: ToldFact) -> AnswerKind:
        if len(self._after.own) > len(self._before.own):
            return "traded"
        return "confided" if self._side.fact[told.id].guard >= CONFIDES_FROM else "told"

    def _proof(self, asked: Talk) -> Iterator[Answer]:
        fact = next((each for each in self._after.told if each.id == asked.id), None)
        if fact is not None and fact.shown is not None:
            yield Answer("shown" if fact.shown else "unshown", fact.says, SPOKEN_TOPICS[fact.topic])
        elif fact is None and asked.topic is not None:
            yield Answer("declined", topic=SPOKEN_TOPICS[asked.topic], question=self._question_back())

    def _reasons(self, talk: Sequence[Talk]) -> Iterator[Answer]:
        if self._after.exposed != self._before.exposed:
            yield Answer("found_out")
        for each in talk:
            if each.act in acts.WITH_REASONS and each.id is not None and each.id not in self._after.exposed:
                yield self._to_reason(each.id)

    def _to_reason(self, said: str) -> Answer:
        now, was = self._after, self._before
        argued = self._speaker.argument.get(said)
        point = "" if argued is None else argued.point
        if (
            argued is not None
            and argued.sweetener
            and f"sweetener_{argued.sweetener}" not in self._given_names
        ):
            return Answer("waits", point=point)  # a reason that cites a gift counts with the gift
        answers = [each for each in self._side.objections if said in each.answers]
        freed = next(
            (each for each in answers if now.lifted.get(each.id, 0) > was.lifted.get(each.id, 0)), None
        )
        if freed is not None:
            kind: AnswerKind = "convinced" if self._worries.left(freed) < NEARLY_ALL else "partly"
            return Answer(kind, freed.says, SPOKEN_TOPICS[freed.topic], point=point)
        if now.won > was.won and (said, A_NEED) in now.used - was.used:
            return Answer("moved", topic=SPOKEN_TOPICS[self._speaker.argument[said].topic], point=point)
        if any(id_ == said for id_, _ in was.used):
            return Answer("used", point=point)
        if argued is not None and self._spoke_of(argued.topic):
            return Answer("taken_in", point=point)  # nobody says that nobody asked who has spoken of it
        return Answer("unheard", question=self._question_back(), point=point)

    def _spoke_of(self, topic: Topic) -> bool:
        """Whether it told or raised anything on a topic before, or said what anybody may know of it."""
        return (
            any(each.topic == topic for each in self._before.told)
            or any(each.topic == topic for each in self._side.objections if each.id in self._before.raised)
            or self._side.answers.get(topic, "") in self._detailed
            or any(
                topic in COVERS[question] and any(each in self._detailed for each in said)
                for question, said in self._side.asked.items()
            )
        )

    def _given(self, talk: Sequence[Talk]) -> Iterator[Answer]:
        """What the player told of its own side is acknowledged."""
        before = {each.id for each in self._before.own}
        for each in talk:
            if each.act == "disclose" and each.id is not None and each.id not in before:
                told = next(one for one in self._after.own if one.id == each.id)
                fact = turned(told.says) if told.id in self._quotable else ""
                yield Answer("thanked", fact, SPOKEN_TOPICS[told.topic])

    def _manners(self, talk: Sequence[Talk]) -> Iterator[Answer]:
        heard = {fact.topic for fact in self._before.told}
        does = {each.act for each in talk if each.act not in acts.DEEPENS or each.topic in heard}
        for act, kind in _MANNERS.items():
            if act in does:
                yield Answer(kind)

    def _question_back(self) -> str:
        """What it would like to know itself: the first topic of the trade of which the player has told nothing, and that
        was not its own question just now."""
        if len(self._after.own) > len(self._before.own):
            return ""  # who has just told something is not asked to go first
        told = {each.topic for each in self._after.own}
        open_still = {fact.topic for fact in self._speaker.facts} - told
        questions = OPENING_QUESTIONS[self._seat].items()
        left = [
            each
            for topic, each in questions
            if topic in open_still and topic not in self._topics and each not in self._asked_back
        ]
        return left[0] if left else ""
