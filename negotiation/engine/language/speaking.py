"""From a strategist's decision to a persona's words: a reaction, a move with its figure, perhaps a close.

Every money figure in a line is one of the request's own figures, formatted exactly. ``memory`` sees to it
that no line comes twice in a game and that a thought comes back only when its pool is used up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from negotiation.engine.cards import DEADLINE, SILENCE
from negotiation.engine.language.grammar import Part, fitting, pools
from negotiation.engine.language.numerals import UNITS
from negotiation.engine.language.reactions import concession_keys, is_soft, reaction_keys
from negotiation.engine.language.types import Memory, Speech, TalkMemory, format_money
from negotiation.engine.language.voicing import in_voice
from negotiation.engine.personas import manner

_NEAR, _FAR = 0.03, 0.2
_LATE: Final = 14
_TRIES: Final = 60
_ANSWERED_BY_NEWS: Final = frozenset(("react.inform", "react.stall", "react.repeat", "react.concession_none"))
_START: Final = re.compile(r"(?:(?<=^)|(?<=[.?!] ))[a-z]")
_ASK_BACK: Final = frozenset(("talk.declined", "talk.guarded"))
"""Pools that put the question back where there is one."""
_GREETED: Final = frozenset(("react.greet",))
_IN_WHOLE_WORDS: Final = frozenset(("plainly", "pointing_back"))
"""A question that is more than a greeting."""
_CIVIL: Final = frozenset(("react.greet", "react.small_talk"))
_ABOUT_LIMITS: Final = frozenset(("react.question_limit", "react.question_budget"))
"""Questions after the limit, which no case answers, and words that are no question of substance."""
_WAITS_FOR_WORDS: Final = frozenset(
    ("question", "skepticism", "threat", "insult", "injection", "accept", "reject", "greet", "small_talk")
)
"""Acts that want a word of their own."""
_ABOVE_ALL: Final = "above all, "
"""Before a clause that weighs more than usual: said as a sentence of its own behind it."""
_TOLD_NOW: Final = frozenset(("told", "confided", "traded"))
_IN_ITS_VOICE: Final = _TOLD_NOW | {
    "known",
    "openly",
    "greeted",
    "detail",
    "either",
    "neither",
    "both",
    "perhaps",
}
"""Answers that say an author's sentence for the first time; said again, it is said plainly."""
_MAY_BE_GUESSED: Final = frozenset(("talk.cant_say", "talk.puzzled"))
_SAYS_BACK: Final = frozenset(("talk.condition", "talk.conditional", "talk.agreed_if"))
_MERE_MANNERS: Final = frozenset(("thanked", "forgiven", "flattered"))
"""Answers beside which a question still waits for its own; who is told that it has understood has been answered."""
_NO_MORE: Final = "talk.no_more"
"""A question right after what was told, which there is no answer to: it is after more of the same."""
_CANT_SAY: Final = "talk.cant_say"
"""A question in whole words that nothing here answers."""
_LEFT: Final = "talk.left"
"""The same, said back, so that who asked knows what was not answered."""
_SAID_BACK: Final = 4
"""So often in a deal; from then on it only says that it has no answer."""
_WHICH: Final = "talk.which"
"""The same, where it may be guessed what it was about: it is asked back which of two it was."""
_NOT_YET: Final = "talk.not_yet"
"""A question for yes or no to what the other side offers, where the answer is no."""
_UNDECIDED: Final = "talk.undecided"
"""A question what they would like to come of it, which no case tells."""
_RESTLESS: Final = "talk.restless"
"""A word before it may leave, while nothing is put down."""
_RESTLESS_FROM, _RESTLESS_AGAIN = 3, 4
"""Said at the turn before a persona may first leave (``pace.HAZARD_FROM_TURN``), and after so many turns again."""
_RECALLED: Final = "talk.recalled"
_RECALLS: Final = 0.3
"""How often a persona that has nothing to answer comes back to what the other side told it."""
_LONG, _SHORTER_TRIES = 45, 8
"""A reply of more words than this is put in other words, so often at most; the shortest is said."""
_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})
_OPENERS: Final = "open.figure"
_LEADING: Final[dict[str, str]] = {
    "answer_absurd": "absurd.line",
    "answer_claim_challenge_bluff": "called_bluff.line",
    "answer_claim_challenge_true": "called_true.line",
    "challenge_claim": "challenge.line",
}
_ORDINALS: Final = ("first", "second", "third")
_PARTING_ACTS: Final[dict[str, str]] = {
    "accept": "accept.deal",
    "walk_away": "walk.away",
    "taken": "accept.taken",
    "left": "walk.left",
}


def speak(request: Speech, *, memory: Memory, draws: Iterator[float]) -> str:
    """Say what ``request`` decided, in its voice; never a line that ``memory`` already holds.

    Args:
        draws: numbers uniform in [0, 1), without end.
    """
    speaker = _Speaker(request, memory, draws)
    line, parts = speaker.compose()
    for _ in range(_SHORTER_TRIES if request.talked is not None else 0):
        if len(line.split()) <= _LONG:
            break
        line, parts = min((line, parts), speaker.compose(), key=lambda each: len(each[0].split()))
    for _ in range(_TRIES):
        if line not in memory.lines:
            break
        line, parts = speaker.compose()
    while line in memory.lines:  # an endless game: say more rather than the same
        extra = speaker.pick("close.push")
        parts = [*parts, extra] if extra is not None else parts
        line = f"{line} {speaker.fill(extra)}" if extra is not None else f"{line} Still."
    for part in parts:
        memory.uses[part.text] = memory.uses.get(part.text, 0) + 1
    told = () if request.talked is None else request.talked.recalls
    memory.recalled.update(each for each in told if each.removeprefix(_ABOVE_ALL).lower() in line.lower())
    remember(request, memory=memory, line=line)
    return line


def speak_answers(request: Speech, *, memory: Memory, draws: Iterator[float]) -> str:
    """Say the answers and the reason of ``request`` and nothing else; empty where there are none."""
    return _Speaker(request, memory, draws).answers_alone()


def remember(request: Speech, *, memory: Memory, line: str) -> None:
    """Keep what was said for ``request``, whoever found the words."""
    memory.lines.add(line)
    memory.count += 1
    if request.heard_offer is not None:
        if memory.heard and memory.heard[-1] != request.heard_offer:
            memory.last_mover = "them"
        memory.heard.append(request.heard_offer)
    if request.offer is not None:
        if _conceded(request):
            memory.last_mover = "me"
        memory.spoken.append(request.offer)
    if request.claim is not None:
        memory.claims.add(request.claim)
        memory.stated = request.claim


def _conceded(request: Speech) -> bool:
    if request.offer is None or request.previous_offer is None:
        return False
    step = request.offer - request.previous_offer
    return step < 0 if request.seat == "seller" else step > 0


def facts_of(request: Speech, memory: Memory) -> frozenset[str]:
    """What is true at the table now, in the words of the grammar's conditions."""
    facts: set[str] = {request.seat}
    if request.setting:
        facts.add(request.setting)
    if request.offer is not None and request.heard_offer is not None and request.offer > 0:
        gap = abs(request.offer - request.heard_offer) / request.offer
        if gap < _NEAR:
            facts.add("close")
        elif gap > _FAR:
            facts.add("far")
    if request.turn >= _LATE:
        facts.add("late")
    if request.mood in ("strained", "critical"):
        facts.add("hot")
    if request.trust != "mid":
        facts.add(f"trust_{request.trust}")
    if request.heard_concession in ("small", "fair", "large"):
        facts.add("they_moved")
    elif _stayed(request, memory):
        facts.add("they_stayed")
    if any(one != two for one, two in zip(memory.spoken, memory.spoken[1:], strict=False)):
        facts.add("i_moved")
    if memory.last_mover == "me" and "they_stayed" in facts:
        facts.add("i_moved_last")
    return frozenset(facts)


def _stayed(request: Speech, memory: Memory) -> bool:
    if request.heard_concession == "backwards" or request.heard_terms:
        return False
    return bool(memory.heard) and request.heard_offer is not None


class _Speaker:
    """One request being put into words."""

    def __init__(self, request: Speech, memory: Memory, draws: Iterator[float]) -> None:
        self._request = request
        self._manner = manner(request.voice)
        self._memory = memory
        self._draws = draws
        self._facts = facts_of(request, memory)
        self._values = _values(request)
        if memory.stated is not None:
            self._values["stated"] = format_money(memory.stated, request.money)
        self._taken: list[tuple[Part, Mapping[str, str]]] = []

    def compose(self) -> tuple[str, list[Part]]:
        """One line and the parts it is made of."""
        self._taken = []
        act = self._request.act
        if self._keeps_silent():
            self._add(f"card.{SILENCE}")
            if self._filled(*self._taken[-1]) in self._memory.lines:
                self._move()
        elif act in _PARTING_ACTS:
            self._answer()
            self._prefer()
            if act == "walk_away" and self._request.talked is not None:
                self._say_what_was_left(self._request.talked)
            self._add(_PARTING_ACTS[act])
            self._add_terms()
        else:
            self._talk()
        return " ".join(self._filled(*taken) for taken in self._taken), [part for part, _ in self._taken]

    def _say_what_was_left(self, talked: TalkMemory) -> None:
        """Who leaves says over what, where it has said it before."""
        said = {more.get("fact") for _, more in self._taken}
        left = [each for each in talked.missing if each.removeprefix(_ABOVE_ALL) not in said]
        if left and len(left) == len(talked.missing):
            self._add("talk.unsettled", more={"fact": left[-1].removeprefix(_ABOVE_ALL)})

    def _talk(self) -> None:
        request = self._request
        leading = _LEADING.get(request.act)
        if request.act == "open" and request.heard_offer is None:
            self._add(_OPENERS if request.offer is not None else "open.wait")
            self._add_terms()
            return
        answered = self._answer()
        led = self._prefer() or (leading is not None and self._add(leading))
        if not led and not answered and not self._recall():
            self._react()
        self._say_left()
        if request.objection:
            self._raise()
        if answered:
            self._tell_news()
        if request.claim_reason is not None:
            self._add(f"restate.{request.claim_reason}")
        elif request.card is not None and request.card != SILENCE:
            self._add(f"card.{request.card}")
        self._move()
        if request.act != "final_offer" and not self._warn():
            self._close()

    def answers_alone(self) -> str:
        """The answers and the reason, without the move."""
        self._answer()
        if self._request.objection:
            self._raise()
        return " ".join(self._filled(*taken) for taken in self._taken)

    def _answer(self) -> bool:
        """Answer what was asked and argued, before anything else; an insult is answered first of all."""
        request = self._request
        if request.heard is not None and "insult" in request.heard.acts and request.answers:
            self._add("react.insult", fresh=True)
        for answer in request.answers:
            fact = answer.fact.removeprefix(_ABOVE_ALL)
            put = in_voice(request.voice, fact) if answer.kind in _IN_ITS_VOICE else fact
            said = {"fact": put, "topic": answer.topic, "question": answer.question, "point": answer.point}
            if answer.kind == "partly" and self._has_said(fact):
                del said["fact"]
            more = {name: words for name, words in said.items() if words}
            wishes = answer.kind == "unknown" and request.asked == "wishes"
            key = _UNDECIDED if wishes else f"talk.{answer.kind}"
            if not self._add(key, more=more):
                self._add(key)
            weighty = fact != answer.fact and answer.kind in _TOLD_NOW
            if weighty and not request.objection and self._words() < self._manner.enough:
                self._add("talk.weighty")
        if self._leaves_a_question():
            self._add("talk.later", fresh=True)
        return bool(request.answers)

    def _raise(self) -> None:
        """Say what holds it back, in words of its own."""
        request = self._request
        self._add("objection.raise", more={"objection": in_voice(request.voice, request.objection)})

    def _has_said(self, clause: str) -> bool:
        """Whether the persona has said a clause before, word for word."""
        return any(clause.lower() in line.lower() for line in self._memory.lines)

    def _leaves_a_question(self) -> bool:
        """Whether what was asked has no answer among those given: thanks alone would pass over it."""
        request = self._request
        asked = request.heard is not None and "question" in request.heard.acts
        kinds = {each.kind for each in request.answers}
        plain = request.asked in _IN_WHOLE_WORDS and not request.objection
        return asked and plain and bool(kinds) and kinds <= _MERE_MANNERS and request.heard_concession is None

    def _say_left(self) -> None:
        """Say back a question that nothing here answers, where that was not done yet and there is room for it."""
        said = any("question" in more for _, more in self._taken)
        if self._may_say_back() and not said and self._words() < self._manner.enough:
            self._add(_LEFT, more=self._words_for(_LEFT))

    def _may_say_back(self) -> bool:
        """Whether there is a question to say back: who does so each time parrots."""
        uses = self._memory.uses
        said = sum(uses.get(part.text, 0) for part in pools(self._request.voice)[_LEFT])
        return self._request.left is not None and said < _SAID_BACK

    def _tell_news(self) -> None:
        """A word on what has just come in, where the answer has left room: it never takes the answer's place."""
        request = self._request
        if request.headline is None or self._words() >= self._manner.enough:
            return
        for key in reaction_keys(request, self._memory):
            if key.startswith("headline.") and self._add(key, fresh=True):
                return

    def _words(self) -> int:
        return sum(len(self._filled(*taken).split()) for taken in self._taken)

    def _keeps_silent(self) -> bool:
        request = self._request
        still = request.act in ("hold", "counter") and not _conceded(request)
        silent = request.card == SILENCE and still and not request.terms and request.preferred is None
        return silent and not request.answers and not request.objection

    def _prefer(self) -> bool:
        """Of packages side by side, say which."""
        if self._request.preferred is None:
            return False
        return self._add("prefer.two" if self._request.packages == 2 else "prefer.three")

    def _add_terms(self) -> None:
        if self._request.terms:
            self._add("terms.with")

    def _react(self) -> None:
        """Answer what was heard; comment on the step too where the words alone were soft."""
        news = False
        for key in self._reactions():
            if news and (key in _ANSWERED_BY_NEWS or key.startswith("headline.")):
                continue
            if not self._add(key, fresh=True, more=self._words_for(key)):
                continue
            if key.startswith("headline.") and not news:
                news = True  # the news is worth a word, and so is what was said
                continue
            busy = news or self._request.card is not None
            if is_soft(key) and not busy and next(self._draws) < self._manner.comments:
                for second in concession_keys(self._request, self._memory):
                    if second not in (key, "react.inform") and self._add(second, fresh=True):
                        break
            return

    def _words_for(self, key: str) -> dict[str, str]:
        """Words that a pool may use beside the usual: what was told last, and the figure that was just asked about."""
        request = self._request
        if key == _NO_MORE and request.talked is not None:
            return {"topic": request.talked.just_told}
        if key == _LEFT:
            return {"question": request.left or ""}
        if key == _WHICH:
            return dict(zip(("topic", "point"), request.likely, strict=True))
        if key == _NOT_YET and request.heard is not None and request.heard.figure is not None:
            return {"heard": format_money(request.heard.figure, request.money)}
        return {}

    def _reactions(self) -> list[str]:
        """The pools to react from. Where there is a case, news comes last, and a question that was not understood is
        asked for again rather than met with a word that fits anything."""
        keys = reaction_keys(self._request, self._memory)
        if self._request.talked is None:
            return keys
        keys.sort(key=lambda key: key.startswith("headline."))
        asks = self._request.asked != "figure" and any(key.startswith("react.question") for key in keys)
        civil = _ABOUT_LIMITS | (_CIVIL - _GREETED if self._request.asked in _IN_WHOLE_WORDS else _CIVIL)
        supposes = "react.hypothetical" in keys and self._request.left is None
        if asks and not supposes and self._request.heard_concession is None and not civil & set(keys):
            unanswered = self._unanswered(self._request.talked)
            if unanswered in _MAY_BE_GUESSED and self._may_say_back():
                unanswered = _LEFT
            guessed = [_WHICH] if unanswered in _MAY_BE_GUESSED and self._request.likely else []
            keys = [*guessed, unanswered, *keys]
        return [key for key in keys if not key.startswith("react.question") or key in _ABOUT_LIMITS]

    def _unanswered(self, talked: TalkMemory) -> str:
        """The pool that meets a question which nothing here answers."""
        if self._request.asked == "in_scorn":
            return "react.reject"
        if self._request.asked == "to_decide" and "heard" in self._values:
            return _NOT_YET
        if self._request.asked == "wishes":
            return _UNDECIDED
        if talked.just_told and self._request.asked == "":
            return _NO_MORE
        return _CANT_SAY if self._request.asked in ("plainly", "pointing_back") else "talk.puzzled"

    def _recall(self) -> bool:
        """At times, come back to what the other side told."""
        talked = self._request.talked
        left = (
            [] if talked is None else [each for each in talked.recalls if each not in self._memory.recalled]
        )
        heard = self._request.heard
        waits = heard is not None and not _WAITS_FOR_WORDS.isdisjoint(heard.acts)
        if not left or waits or next(self._draws) >= _RECALLS:
            return False
        return self._add(_RECALLED, fresh=True, more={"fact": left[0].removeprefix(_ABOVE_ALL)})

    def _move(self) -> None:
        request = self._request
        if request.offer is None:
            self._add("close.push")
        elif request.act == "final_offer":
            self._add("final.offer")
            self._add_terms()
        elif request.previous_offer is None:
            self._add("counter.first")
            self._add_terms()
        elif request.terms:
            self._add("terms.move")
        elif _conceded(request):
            self._add("counter.move")
        elif request.offer == request.previous_offer:
            self._add("hold.stay")
        else:
            self._add("counter.retreat")

    def _warn(self) -> bool:
        """Who only asks is told in time that the talks may end: once, in the first reply with room for it, then seldom."""
        request = self._request
        over = request.waited - _RESTLESS_FROM
        if request.talked is None or over < 0:
            return False
        said = any(part.text in self._memory.uses for part in pools(request.voice)[_RESTLESS])
        room = self._words() < (self._manner.enough if said else _LONG)
        return room and (not said or over % _RESTLESS_AGAIN == 0) and self._add(_RESTLESS, fresh=True)

    def _close(self) -> None:
        request = self._request
        if self._words() >= self._manner.enough:
            return
        if request.deadline_turns is not None and request.card != DEADLINE and next(self._draws) < 0.4:
            self._add("close.deadline", fresh=True)
        elif request.offer is not None and next(self._draws) < self._manner.closes:
            self._add("close.push", fresh=True)

    def _add(self, key: str, *, fresh: bool = False, more: Mapping[str, str] = _NOTHING) -> bool:
        """Say a part of a pool; ``more`` are words for it beside those that all parts may use."""
        part = self.pick(key, fresh=fresh, more=more)
        if part is not None:
            self._taken.append((part, more))
        return part is not None

    def pick(self, key: str, *, fresh: bool = False, more: Mapping[str, str] = _NOTHING) -> Part | None:
        """A fitting part of a pool, the least used in this game first; ``fresh`` wants an unused one."""
        figures = frozenset((*self._values, *more))
        sayable = fitting(self._request.voice, key, self._facts, figures)
        if key in _ASK_BACK:
            sayable = tuple(part for part in sayable if "question" in part.slots) or sayable
        if not sayable:
            return None
        uses = self._memory.uses
        best = [part for part in sayable if part.text not in uses]
        named = "point" if "point" in more else "fact" if key in _SAYS_BACK and "fact" in more else ""
        if (
            named
        ):  # what was argued, or laid down as a condition, is named, as long as it can be in fresh words
            best = [part for part in best if named in part.slots] or best
        if not best:
            if fresh:
                return None
            least = min(uses[part.text] for part in sayable)
            best = [part for part in sayable if uses[part.text] == least]
        return best[int(next(self._draws) * len(best))]

    def fill(self, part: Part) -> str:
        """The part with its figures, its sentences begun with capitals."""
        return self._filled(part, _NOTHING)

    def _filled(self, part: Part, more: Mapping[str, str]) -> str:
        text = part.text.format_map({**self._values, **more}).lstrip()
        return _START.sub(lambda found: found[0].upper(), text)


def _values(request: Speech) -> dict[str, str]:
    figures = {
        "offer": request.offer,
        "previous": request.previous_offer,
        "heard": request.heard_offer,
        "claim": request.claim,
    }
    values = {
        name: format_money(figure, request.money) for name, figure in figures.items() if figure is not None
    }
    turns = request.deadline_turns
    if turns is not None and 0 < turns < len(UNITS):
        values["rounds"] = f"{UNITS[turns]} round" + ("s" if turns > 1 else "")
    if request.sweetener is not None:
        values["sweetener"] = request.sweetener
    if request.terms:
        values["terms"] = listed(request.terms)
    if request.preferred is not None:
        values["choice"] = _ORDINALS[request.preferred]
    return values


def listed(labels: Sequence[str]) -> str:
    """Labels in a row; those that hold commas themselves are kept apart by semicolons."""
    if any("," in label for label in labels):
        return "; ".join(labels)
    return " and ".join(filter(None, (", ".join(labels[:-1]), labels[-1])))
