"""A text cut into clauses, and a clause written down with its numbers masked, for patterns to look at."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from negotiation.engine.language.quantities import Quantity
from negotiation.engine.language.tokens import Token

_ENDS: Final = frozenset((".", "!", "?", ";", "\n", "..."))
_TURNS: Final = frozenset(("but", "however", "although", "though", "yet", "whereas", "while", "instead"))
_POLITE: Final = re.compile(r"\b(why do|can|could|would|will|do) not (you|we|i)\b")
"""A question that only sounds negative: "can't you do 150?", "why don't we settle at 150?"."""
_WINDOW: Final = 40
_LONGEST: Final = 200
"""Tokens looked at on either side of a figure, and of a clause in all: a run-on text stays cheap."""
_SAID_OF_IT: Final = (
    ["that", "is"],
    ["that is", "the"],
    ["that is", "my"],
    ["that is", "our"],
    ["that is", "all"],
)
_KEPT: Final = frozenset((",", "?", "!", ":", "+", "~"))


@dataclass(frozen=True, slots=True)
class Clause:
    """``tokens[start:stop]``, and whether its sentence asks."""

    start: int
    stop: int
    asks: bool


def sentences(tokens: list[Token]) -> list[Clause]:
    """The sentences of a text, closing mark included."""
    found: list[Clause] = []
    start = 0
    for at, token in enumerate(tokens):
        if token.kind == "mark" and token.norm in _ENDS:
            if at + 1 < len(tokens) and tokens[at + 1].norm in ("?", "!"):
                continue
            if (
                token.norm == "?"
                and at - start <= 6
                and "number" in (tokens[at - 1].kind, tokens[max(at - 2, start)].kind)
            ):
                continue  # "165? Not a chance." is one sentence
            if [one.norm for one in tokens[at + 1 : at + 3]] in _SAID_OF_IT and tokens[
                at - 1
            ].kind == "number":
                continue  # "147. That is the budget." says what 147 is
            if at > start:
                found.append(Clause(start, at + 1, token.norm == "?"))
            start = at + 1
    if start < len(tokens):
        found.append(Clause(start, len(tokens), False))
    return found


def clauses(tokens: list[Token]) -> list[Clause]:
    """Sentences cut where they turn ("..., but ...")."""
    found: list[Clause] = []
    for sentence in sentences(tokens):
        start = sentence.start
        for at in range(sentence.start, sentence.stop):
            holds = [one.norm for one in tokens[at + 1 : at + 3]] == ["not", "a"]
            if tokens[at].norm in _TURNS and at - start >= 1 and not holds:
                found.append(Clause(start, at, sentence.asks))
                start = at + 1
        found.append(Clause(start, sentence.stop, sentence.asks))
    return found


def masked(tokens: list[Token], clause: Clause, numbers: list[Quantity], target: int | None = None) -> str:
    """The clause in plain words: the number ``target`` as <m>, other money as <o>, the rest as <n>.

    Without a target money stands as <m3> and per cents as <p3>, by their place in ``numbers``.
    """
    words: list[str] = []
    starts = {number.start: index for index, number in enumerate(numbers)}
    at, stop = clause.start, clause.stop
    if target is not None and target >= 0 and stop - at > 2 * _WINDOW:
        at, stop = max(at, numbers[target].start - _WINDOW), min(stop, numbers[target].stop + _WINDOW)
    while at < min(stop, clause.start + _LONGEST if target is None else stop):
        index = starts.get(at)
        if index is not None:
            words.append(_name(numbers[index], index, target))
            at = numbers[index].stop
            continue
        token = tokens[at]
        if token.kind == "word" or token.norm in _KEPT:
            words.append(token.norm)
        at += 1
    written = " ".join(words).replace("take it or leave it", "take it")
    return _POLITE.sub(r"\1 \2", written.replace(" , ", ", ").removesuffix(" ,"))


def _name(number: Quantity, index: int, target: int | None) -> str:
    if target is None:
        if number.unit in ("money", "bare"):
            return f"<n{index}>" if number.side else f"<m{index}>"
        return f"<p{index}>" if number.unit == "percent" else "<n>"
    if index == target:
        return "<m>"
    return "<o>" if number.unit in ("money", "bare") else "<n>"
