"""Every number of a line, in digits or in words: decided, public, or not to be said.

Works by permission. What the reader of numbers understands must be an allowed figure; a digit or a number word that
is left over after that is refused, whatever it was meant to be.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from negotiation.engine.language.magnitude import figure_of
from negotiation.engine.language.numerals import DECADES, SCALES, SMALL
from negotiation.engine.language.quantities import Quantity, quantities
from negotiation.engine.language.tokens import Token, tokenise
from negotiation.opponents.guard.facts import Facts
from negotiation.opponents.guard.objections import Objection

_EVERYDAY: Final = frozenset(("one", "two"))
"""Number words that English can't do without; harmless beside the nouns below, and few in a line."""
_HARMLESS: Final = frozenset(
    {
        "thing",
        "things",
        "side",
        "sides",
        "way",
        "ways",
        "party",
        "parties",
        "point",
        "points",
        "people",
        "person",
    }
    | {
        "company",
        "companies",
        "reason",
        "reasons",
        "word",
        "words",
        "question",
        "questions",
        "step",
        "steps",
        "more",
    }
    | {
        "roads",
        "packages",
        "us",
        "last",
        "next",
        "minute",
        "minutes",
        "second",
        "seconds",
        "moment",
        "round",
        "rounds",
    }
)
_POINTING: Final = frozenset(("the", "these", "those", "both"))
_MOST_EVERYDAY: Final = 3
_CLOSE: Final = 0.005
_WORDS: Final = (frozenset(SMALL) | frozenset(DECADES) | {"hundred", "buck", "bucks", "quid"}) - _EVERYDAY
_SCALE_WORDS: Final = frozenset(word for word in SCALES if len(word) > 2)
_COUNTING: Final = re.compile(
    r"\b(?:one|two)(?:[.,;:!?]| then| and)+ ?(?:then )?(?:one|two)\b", re.IGNORECASE
)
_GLUED: Final = re.compile(r"[a-z]\d|\d[a-z]")
_GLUED_FINE: Final = re.compile(r"^[$€£]?\d[\d,.]*(?:k|m|mm|bn|b)$")


def figure_objections(line: str, facts: Facts) -> Iterator[Objection]:
    """What is wrong with the numbers of a tidy line."""
    plain = masked(line, facts)
    tokens, found = _numbers_of(plain)
    used: set[int] = set()
    for quantity in found:
        span = range(quantity.start, quantity.stop)
        said = _said(plain, tokens, span)
        if _allowed(quantity, tokens, facts):
            used |= set(span)
        elif not _everyday(quantity, tokens):
            yield Objection("figures", f"names {said}, which was neither decided nor put on the table")
            used |= set(span)
    yield from _left_over(plain, tokens, used)


@lru_cache(maxsize=256)
def _numbers_of(plain: str) -> tuple[list[Token], list[Quantity]]:
    """The line as tokens, and its numbers; read only. A line is looked at for several figures, one after the other."""
    tokens = tokenise(plain)
    return tokens, quantities(tokens)


def masked(line: str, facts: Facts) -> str:
    """A line without the names that it may use and that hold numbers of their own: "net 60", "24x7 support", "15%"."""
    labels = {*facts.terms, *((facts.gift,) if facts.gift else ()), *_quoted(facts.news)}
    for label in sorted(labels, key=len, reverse=True):
        line = _name(label).sub(" , ", line)
    return line


@lru_cache(maxsize=1024)
def _name(label: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.,]){re.escape(label)}(?!\w)", re.IGNORECASE)


def _quoted(news: Iterable[str]) -> Iterator[str]:
    """The numbers of headlines with what they count, as they stand there: "15%", "50 basis points"."""
    for text in news:
        yield from re.findall(
            r"\$?\d[\d,.]*(?:%|[- ]?(?:percent|basis points|bp|months?|weeks?|days?|years?))", text
        )


def _allowed(quantity: Quantity, tokens: list[Token], facts: Facts) -> bool:
    if quantity.unit == "time":
        last = tokens[quantity.stop - 1].norm.removesuffix("s")
        return last in ("round", "turn") and quantity.value == facts.deadline_turns
    if quantity.unit == "count" and tokens[quantity.stop - 1].norm.removesuffix("s") in ("round", "turn"):
        return quantity.value == facts.deadline_turns
    if quantity.unit not in ("money", "bare", "rate") or quantity.side or quantity.numeral.vague:
        return False
    figure = figure_of(quantity, facts.money, tuple(sorted(facts.figures)))
    return figure is not None and any(abs(figure.value - one) < _CLOSE for one in facts.figures)


def _everyday(quantity: Quantity, tokens: list[Token]) -> bool:
    """ "one" as a pronoun, "two things", "one more": a number that measures nothing."""
    words = [token.norm for token in tokens[quantity.start : quantity.stop] if token.kind == "word"]
    if not words or words[0] not in _EVERYDAY or any(word in SMALL for word in words[1:]):
        return False
    if any(token.kind in ("number", "currency") for token in tokens[quantity.start : quantity.stop]):
        return False
    following = tokens[quantity.stop].norm if quantity.stop < len(tokens) else ""
    if words[-1] in _SCALE_WORDS or following in _SCALE_WORDS or following in SMALL or following == "point":
        return False
    before = tokens[quantity.start - 1].norm if quantity.start else ""
    return (
        words[0] == "one"
        or before in _POINTING
        or bool({*words[1:], following, _after_of(tokens, quantity.stop)} & _HARMLESS)
    )


def _after_of(tokens: list[Token], at: int) -> str:
    """ "two of us": what follows the "of"."""
    if at + 1 < len(tokens) and tokens[at].norm == "of":
        return tokens[at + 1].norm
    return ""


def _left_over(plain: str, tokens: list[Token], used: set[int]) -> Iterator[Objection]:
    """Digits and number words that no allowed figure accounts for."""
    everyday = 0
    for place, token in enumerate(tokens):
        if token.kind == "word" and token.norm in _EVERYDAY:
            everyday += 1
        if place in used:
            continue
        if token.kind == "number":
            yield Objection("figures", f"holds the number {token.norm}, which means nothing that was decided")
        elif token.kind == "word" and token.norm in _WORDS:
            yield Objection("figures", f"says “{token.norm}”, a number that was not decided")
    if everyday > _MOST_EVERYDAY or _COUNTING.search(plain):
        yield Objection("figures", "counts with small number words, one after the other")
    for word in plain.lower().split():
        bare = word.strip(".,;:!?()\"'")
        if _GLUED.search(bare) and not _GLUED_FINE.match(bare):
            yield Objection("figures", f"mixes letters and digits in “{bare}”")


def _said(plain: str, tokens: list[Token], span: range) -> str:
    return plain[tokens[span.start].start : tokens[span.stop - 1].end].strip()


def could_begin_figure(word: str) -> bool:
    """Whether a word, as far as it has come, may be the beginning of a number: never shown before it is complete."""
    lower = word.lower()
    if not lower:
        return False
    if any(not ("a" <= ch <= "z" or ch in "'-.,;:!?\"()") for ch in lower):
        return True
    bare = lower.strip("'-.,;:!?\"()")
    return (
        bare in _EVERYDAY or bare in _WORDS or bare in _SCALE_WORDS or bare in ("k", "m", "point", "oh", "o")
    )
