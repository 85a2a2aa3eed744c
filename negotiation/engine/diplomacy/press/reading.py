"""Press in, promises out: a small grammar of what players write, in English and in the notation of orders.

A sentence is cut into clauses. Each clause is a promise of the speaker, a request to the other, or neither, and of
one kind. What it says about places is found first and replaced by a sign, so that the patterns see only its form.
Talk that promises nothing (threats, news, flattery) yields nothing; a promise with an ``if`` is kept as conditional.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from negotiation.engine.diplomacy.geography import (
    ALIASES,
    FIRST_YEAR,
    POWER_NAMES,
    PROVINCE,
    PROVINCES,
)
from negotiation.engine.diplomacy.orders import CONVOY, HOLD, MOVE, SUPPORT_HOLD, SUPPORT_MOVE, Order, parse
from negotiation.engine.diplomacy.press.peace import Act, act_of_peace
from negotiation.engine.diplomacy.press.promises import Kind, Promise, turn_of
from negotiation.engine.diplomacy.state import State

PACT_TURNS, ZONE_TURNS, FOREVER = 4, 2, 400
"""How many movement phases a pact, or a zone to keep out of, covers if nothing is said."""


class Speech(NamedTuple):
    """What a message commits its sender to, and what it asks of its target."""

    promises: tuple[Promise, ...] = ()
    asks: tuple[Promise, ...] = ()
    """As promises of the one who is asked."""
    agrees: bool = False


_NAMES = sorted((alias for alias in ALIASES if len(alias) > 3), key=len, reverse=True)
_PLACE = re.compile(
    rf"\b(?:(?i:{'|'.join(map(re.escape, _NAMES))})"
    rf"|(?<=(?:.to|.in|rom|nto|.at) )NAP|(?!NAP\b)(?:{'|'.join(PROVINCES)}))(?:/[NES]C)?(?!\w)"
)
_ORDER = re.compile(
    r"(\b[Ss]upport\w* (?:with |of |for |your |my )?)?\b[AF] [A-Z]{3}(?:/[NES]C)? ?(?:"
    r"- ?[A-Z]{3}(?:/[NES]C)?(?: VIA)?|[SC] [AF] [A-Z]{3}(?:/[NES]C)?(?: ?- ?[A-Z]{3}(?:/[NES]C)?)?|H\b)"
)
_SENTENCE = re.compile(r"[^.!?;\n]+[.!?;\n]?")
_CLAUSE = re.compile(
    r"(?:,?\s+(?:and|but|then|while|so)\s+|,\s*)(?=(?:i|i'll|i'm|we|my|will|you|you'll|your|please|won't)\b)",
    re.I,
)
_MARK = re.compile(r"<(\d+)>")

_AGREES = re.compile(
    r"^\W*(?:agreed|deal|yes|ok|okay|accepted|confirmed|sounds good|you have my word|i (?:agree|accept))\b",
    re.I,
)
_IF = re.compile(r"\b(?:if|unless|provided|as long as|in exchange|in return)\b", re.I)
_CONDITION = re.compile(
    r"\b(?:if|unless|provided|as long as|in exchange|in return)\b.*?"
    r"(?:,|\bthen\b|(?=\b(?:i|we)(?:'ll| will| won't| shall| promise)\b)|$)",
    re.I,
)
_YOU = re.compile(
    r"^\W*(?:please|we (?:should|could|can|must)\b|"
    r"(?:could|can|would|will|do|shall|should) (?:you|we)|"
    r"you\b(?! (?:will|shall|can) (?:have|get|count on) my\b)|your\b|let'?s|how about|what about|"
    r"i (?:propose|suggest|want you|need you|ask you|would like you|hope you)|"
    r"(?:stay|keep|move|hold|support|do not|don't|leave|attack|never)\b)",
    re.I,
)
_OTHERS = re.compile(rf"^\W*(?:{'|'.join(POWER_NAMES)}|he|she|they|it)\b(?! (?:and|&) i\b)", re.I)
_AND_I = re.compile(rf"\b({'|'.join(POWER_NAMES)}) and (?=i\b)", re.I)
"""Two who do something together are one subject, not two clauses."""
_NOT = re.compile(
    r"\b(?:not|never|won'?t|don'?t|no|none|nobody|without|neither|nor|cannot|can'?t|refrain)\b", re.I
)
_ZONE = re.compile(
    r"\b(?:dmz|demilitari[sz]\w*|buffer|avoid\w*|(?:keep|leave|stays?|remains?)\b.*\b(?:neutral|empty)|"
    r"(?:stay|keep|keeping|staying|remain) (?:my \w+ )?(?:out|clear|away))\b",
    re.I,
)
_REFUSES = re.compile(
    r"\b(?:refus\w*|reject\w*|declin\w*|cancel\w*|no longer|impossible|pretend\w*|doubt\w*|might|maybe|perhaps|"
    r"did|didn't|was|were|had|used to|may|fool\w*|stupid|who says)\b"
    r"|\b(?:cannot|can't|can not|won't|don't|will not|do not|not|never) "
    r"(?:promise|guarantee|swear|agree|say|commit|pledge|sign|accept)\b",
    re.I,
)  # of places: what is refused, doubted or told of the past
_LEFT_OPEN = re.compile(
    r"(?:\bnot|\bnever|n't|\bcannot) (?:\w+ ){0,2}?(?:stay|keep|leave|avoid|remain|respect)\w*\b"
    r"|\b(?:stop|cease|quit|done|finished) (?:with )?(?:stay|keep|leav|avoid|remain|respect)ing\b",
    re.I,
)
_SUPPORT = re.compile(r"\bsupport", re.I)
_HOLD = re.compile(
    r"\b(?:hold(?:s|ing)?(?! (?:to|you|it)\b)|stay(?:s|ing)?|remain(?:s|ing)?|"
    r"sit(?:ting)? still|keep(?:ing)? my (?:army|fleet|unit) (?:in|at))\b",
    re.I,
)
_STAYS = re.compile(
    r"(?:\bnot|\bnever|n't) (?:be )?mov\w* (?:my |the )?(?:army |fleet |unit )?(?:in |from |out of |at )?<",
    re.I,
)
_GO = re.compile(
    r"\b(?:mov(?:e|es|ing)|go(?:es|ing)?|sail(?:ing)?|march(?:ing)?|head(?:ing)?|send(?:ing)?|tak(?:e|ing)|enter(?:ing)?|"
    r"attack(?:ing)?|advanc(?:e|ing)|occupy(?:ing)?|walk(?:ing)?|touch(?:ing)?|retreat(?:ing)?|withdraw(?:ing)?|"
    r"order(?:ing)?)\b",
    re.I,
)
_WILL = re.compile(
    r"\b(?:i'?ll|i will|i am|i'm|we will|we'?ll|i shall|i promise|i intend|i won'?t|i can|i plan|my|will|won'?t|"
    r"i (?:hold|move|support|stay|keep|send|go|sail|remain|leave|agree))\b|"
    r"^\W*(?:(?:mov|hold|support|keep|stay|send|head|sail)ing)\b",
    re.I,
)


def read(text: str, by: int, to: int, state: State) -> Speech:
    """What a message of ``by`` to ``to`` promises and asks in the phase that ``state`` is in.

    ``to`` may be EVERYONE; then nothing is asked of anybody in particular.
    """
    promises: list[_Told] = []
    asks: list[Promise] = []
    agrees = bool(_AGREES.match(text))
    for sentence in _SENTENCE.findall(re.sub("[<>]", " ", text)):  # our own marks, below
        conditional, question = bool(_IF.search(sentence)), sentence.rstrip().endswith("?")
        notation, rest = _notation(_CONDITION.sub(" ", sentence), by, to, state)
        told = [_Told(promise) for promise in notation if promise.by == by]
        asks += [promise for promise in notation if promise.by != by]
        for clause in _CLAUSE.split(_AND_I.sub(r"\1 & ", rest)):
            peace = None if _PLACE.search(clause) else act_of_peace(clause, by, to, question=question)
            if peace is None:
                promise = _clause(clause, by, to, state)
                asked = question or bool(_YOU.match(_AGREES.sub("", clause).strip(" ,:-")))
            else:
                promise = Promise(Kind.NO_ATTACK, by, to, (), None, *_window(clause, state, PACT_TURNS))
                asked = peace == Act.ASKS
            if promise is None:
                continue
            if asked:
                asks.append(_asked(promise))
            elif peace or _WILL.search(clause) or promise.kind == Kind.NOT_ENTER:
                told.append(_Told(promise, _dated(clause, state)))
        if not question:
            promises += [
                each._replace(promise=_with(each.promise, conditional, sentence.strip())) for each in told
            ]
    return Speech(_once(promises), tuple(asks), agrees)


class _Told(NamedTuple):
    """A promise, and whether its clause says for when."""

    promise: Promise
    dated: bool = False


def _once(told: list[_Told]) -> tuple[Promise, ...]:
    """The promises of a message; peace that was said without a date beside peace with one is the same peace."""
    peace = [each for each in told if each.promise.kind == Kind.NO_ATTACK]
    meant = [each for each in peace if each.dated] or peace[:1]
    return tuple(each.promise for each in told if each.promise.kind != Kind.NO_ATTACK or each in meant)


def _with(promise: Promise, conditional: bool, words: str) -> Promise:
    return Promise(
        promise.kind, promise.by, promise.to, promise.places, promise.unit, promise.first, promise.last, conditional, words
    )  # fmt: skip


def _asked(promise: Promise) -> Promise:
    """What is asked of the other, as a promise that it may make."""
    return Promise(promise.kind, promise.to, promise.by, promise.places, None, promise.first, promise.last)


def _notation(sentence: str, by: int, to: int, state: State) -> tuple[list[Promise], str]:
    """The orders written out in a sentence, as promises of the units' owners, and the sentence without them."""
    found = []
    owner = {node: power for power, row in enumerate(state.units) for node in row}
    window = _window(sentence, state, 1)
    for match in _ORDER.finditer(sentence):
        try:
            order = parse(match[0].removeprefix(match[1] or ""), state.standing())
        except ValueError:
            continue
        power = owner[order.node]
        if power in (by, to) and match[1]:
            other = to if power == by else by
            goal = PROVINCE[order.at] if order.kind == MOVE else PROVINCE[order.node]
            found.append(Promise(Kind.SUPPORT, other, power, (goal,), None, *window))
        elif power in (by, to):
            found += _promised(order, power, to if power == by else by, window, owner)
    return found, _ORDER.sub(" ", sentence)


def _promised(
    order: Order, by: int, to: int, window: tuple[int, int], owner: dict[int, int]
) -> list[Promise]:
    here = PROVINCE[order.node]
    if order.kind == MOVE:
        return [Promise(Kind.MOVE, by, to, (PROVINCE[order.at],), here, *window)]
    if order.kind == HOLD:
        return [Promise(Kind.HOLD, by, to, (), here, *window)]
    if order.kind in (SUPPORT_HOLD, SUPPORT_MOVE) and owner[order.at] == to:
        return [Promise(Kind.SUPPORT, by, to, (order.to,), here, *window)]
    return [Promise(Kind.HOLD, by, to, (), here, *window)] if order.kind == CONVOY else []


def _clause(clause: str, by: int, to: int, state: State) -> Promise | None:
    """The one promise that a clause can be, whoever is to make it."""
    marked = _PLACE.sub(lambda found: f"<{ALIASES[found[0].split('/')[0].lower()]}>", clause)
    if _REFUSES.search(clause):
        return None
    places = tuple(int(found) for found in _MARK.findall(marked))
    if _OTHERS.match(clause) and not _ZONE.search(clause):
        return None
    if places and _STAYS.search(marked):
        return Promise(Kind.HOLD, by, to, (), places[0], *_window(clause, state, 1))
    if places and _LEFT_OPEN.search(marked):
        return None
    if places and (_ZONE.search(marked) or (_NOT.search(marked) and _GO.search(marked))):
        return Promise(Kind.NOT_ENTER, by, to, places, None, *_window(clause, state, ZONE_TURNS))
    window = _window(clause, state, 1)
    if _SUPPORT.search(marked):
        return None if _NOT.search(marked) else _support(marked, by, to, window)
    if _NOT.search(marked) and not re.search(r"\bnot (?:be )?mov", marked, re.I):
        return None
    if _HOLD.search(marked) or _NOT.search(marked):
        return Promise(Kind.HOLD, by, to, (), places[0] if places else None, *window)
    if places and _GO.search(marked):
        if found := re.search(r"\bto <(\d+)>.*\b(?:with|from) (?:my \w+ (?:in |at )?)?<(\d+)>", marked, re.I):
            return Promise(Kind.MOVE, by, to, (int(found[1]),), int(found[2]), *window)
        origin = re.search(r"(?:from|in|army|fleet|unit|my) <(\d+)>.*<\d+>", marked, re.I)
        return Promise(Kind.MOVE, by, to, places[-1:], int(origin[1]) if origin else None, *window)
    if re.search(r"\bmy (?:army|fleet|unit)", marked, re.I) and _GO.search(marked):
        return Promise(Kind.MOVE, by, to, (), None, *window)
    return None


def _support(marked: str, by: int, to: int, window: tuple[int, int]) -> Promise:
    before, after = _SUPPORT.split(marked, maxsplit=1)
    own = _MARK.findall(before) or re.findall(r"(?:with|from) (?:my \w+ (?:in )?)<(\d+)>", after)
    goals = [place for place in _MARK.findall(after) if place not in own]
    return Promise(Kind.SUPPORT, by, to, tuple(map(int, goals[-1:])), int(own[0]) if own else None, *window)


_COUNTS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_UNTIL = re.compile(
    r"\b(until|till|through|thru|before)\b(?:[^\d]*?\b(spring|fall|autumn)\b)?[^\d]*?(19\d\d)", re.I
)
_FOR = re.compile(r"\bfor (?:the next )?(a|one|two|three|four|five|\d) (year|turn|season|phase)s?\b", re.I)
_IN_YEAR = re.compile(r"\b(?:in|during|throughout|all of) (19\d\d)\b", re.I)
_IN = re.compile(r"\b(?:in|next|this|come)? ?(?:the )?(spring|fall|autumn)\b(?: of)?(?: (19\d\d))?", re.I)


def _window(words: str, state: State, turns: int) -> tuple[int, int]:
    """The movement phases that words speak of; ``turns`` from now on, if they do not say."""
    now = turn_of(state)
    if found := _UNTIL.search(words):
        before = found[1].lower() == "before"
        last = _turn(int(found[3]), found[2] or ("spring" if before else "fall"))
        return now, max(now, last - before)
    if found := _FOR.search(words):
        count = _COUNTS.get(found[1].lower()) or int(found[1])
        return now, now + count * (2 if found[2].lower() == "year" else 1) - 1
    if found := _IN_YEAR.search(words):
        spring = _turn(int(found[1]), "spring")
        return max(now, spring), max(now, spring + 1)
    if re.search(r"\b(?:forever|always|permanent\w*|all game)\b", words, re.I):
        return now, now + FOREVER
    if re.search(r"\bnext (?:turn|season|phase)\b", words, re.I):
        return now + 1, now + 1
    if re.search(r"\bnext year\b", words, re.I):
        return now - now % 2 + 2, now - now % 2 + 3
    if re.search(r"\bthis year\b", words, re.I):
        return now, now - now % 2 + 1
    if re.search(r"\bthis (?:turn|season|phase|move)\b|\bnow\b", words, re.I):
        return now, now
    if found := _IN.search(words):
        year = int(found[2]) if found[2] else FIRST_YEAR + now // 2
        turn = _turn(year, found[1])
        turn += 2 if turn < now and not found[2] else 0
        return turn, turn
    return now, now + turns - 1


def _dated(clause: str, state: State) -> bool:
    """Whether the clause says for which phases."""
    return _window(clause, state, 1) == _window(clause, state, 2)


def _turn(year: int, season: str) -> int:
    return 2 * (year - FIRST_YEAR) + (season.lower() != "spring")
