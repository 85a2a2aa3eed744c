"""Regular languages over bytes, advanced one byte at a time (Brzozowski 1964, derivatives).

A grammar is what may still be written. ``advance`` gives what may be written after one more byte. Equal grammars
are made once and are one object, so that a decoder can keep its masks by grammar without comparing any.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

_CACHE = 1 << 17


@dataclass(frozen=True, slots=True, eq=False)
class Nothing:
    """No string at all."""


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """One string of bytes; empty where nothing is left to write."""

    rest: bytes


@dataclass(frozen=True, slots=True, eq=False)
class Many:
    """Any number of bytes out of a set, at most ``most`` where that is given."""

    of: frozenset[int]
    most: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Sequence:
    """First the one, then the other."""

    first: Grammar
    then: Grammar


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """Any one of several."""

    among: tuple[Grammar, ...]


Grammar = Nothing | Literal | Many | Sequence | Choice
NOTHING = Nothing()


@cache
def _literal(rest: bytes) -> Grammar:
    return Literal(rest)


@cache
def _sequence(first: Grammar, then: Grammar) -> Grammar:
    return Sequence(first, then)


@cache
def _choice(among: tuple[Grammar, ...]) -> Grammar:
    return Choice(among)


END = _literal(b"")


def literal(text: str) -> Grammar:
    return _literal(text.encode())


@cache
def many(of: frozenset[int], most: int | None = None) -> Grammar:
    """Any number of bytes out of ``of``, at most ``most`` where that is given."""
    return END if most == 0 else Many(of, most)


def sequence(*parts: Grammar) -> Grammar:
    """One after the other; right-nested, so that equal tails are equal objects."""
    whole: Grammar = END
    for part in reversed(parts):
        whole = _join(part, whole)
    return whole


def choice(options: Iterable[Grammar]) -> Grammar:
    """Any one of them; duplicates and dead ends fall away."""
    flat: dict[Grammar, None] = {}
    for option in options:
        for one in option.among if isinstance(option, Choice) else (option,):
            if not isinstance(one, Nothing):
                flat[one] = None
    if len(flat) < 2:
        return next(iter(flat), NOTHING)
    return _choice(tuple(flat))


def digits(low: int, high: int) -> Grammar:
    """Whole numbers from ``low`` to ``high``, both of the same number of digits."""
    first, last = str(low), str(high)
    if len(first) != len(last) or low > high:
        raise ValueError(f"{low} to {high} is no range of numbers of one length")
    if len(first) == 1:
        return choice(literal(str(digit)) for digit in range(low, high + 1))
    tail = 10 ** (len(first) - 1)
    return choice(
        sequence(
            literal(str(head)),
            _padded(max(low - head * tail, 0), min(high - head * tail, tail - 1), len(first) - 1),
        )
        for head in range(low // tail, high // tail + 1)
    )


def _padded(low: int, high: int, width: int) -> Grammar:
    """What may follow the first digit: numbers with their leading zeros."""
    if low == 0 and high == 10**width - 1:
        any_digit = choice(literal(str(digit)) for digit in range(10))
        return sequence(*[any_digit] * width)
    return choice(literal(str(number).zfill(width)) for number in range(low, high + 1))


@lru_cache(maxsize=_CACHE)
def advance(grammar: Grammar, byte: int) -> Grammar:
    """What may still be written after ``byte``; :data:`NOTHING` where the byte may not come."""
    match grammar:
        case Literal(rest):
            return _literal(rest[1:]) if rest and rest[0] == byte else NOTHING
        case Many(of, most):
            if byte not in of:
                return NOTHING
            return grammar if most is None else many(of, most - 1)
        case Sequence(first, then):
            onward = _join(advance(first, byte), then)
            return choice((onward, advance(then, byte))) if may_end(first) else onward
        case Choice(among):
            return choice(advance(option, byte) for option in among)
    return NOTHING


def advance_all(grammar: Grammar, text: bytes) -> Grammar:
    """As :func:`advance`, for several bytes."""
    for byte in text:
        grammar = advance(grammar, byte)
    return grammar


@lru_cache(maxsize=_CACHE)
def may_end(grammar: Grammar) -> bool:
    """Whether what was written so far is complete."""
    match grammar:
        case Literal(rest):
            return not rest
        case Many():
            return True
        case Sequence(first, then):
            return may_end(first) and may_end(then)
        case Choice(among):
            return any(may_end(option) for option in among)
    return False


@lru_cache(maxsize=_CACHE)
def first_bytes(grammar: Grammar) -> frozenset[int]:
    """The bytes that may come next."""
    match grammar:
        case Literal(rest):
            return frozenset(rest[:1])
        case Many(of, _):
            return of
        case Sequence(first, then):
            return first_bytes(first) | first_bytes(then) if may_end(first) else first_bytes(first)
        case Choice(among):
            return frozenset().union(*(first_bytes(option) for option in among))
    return frozenset()


def accepts(grammar: Grammar, text: str) -> bool:
    """Whether ``text`` is a whole string of the language."""
    return may_end(advance_all(grammar, text.encode()))


def endless(grammar: Grammar) -> tuple[Grammar, frozenset[int], int] | None:
    """Where a limited :class:`Many` comes next: the same without its limit, the bytes, and how many may still come.

    ``None`` where none does, or where what follows it could be mistaken for more of it.
    """
    if not isinstance(grammar, Sequence) or not isinstance(grammar.first, Many) or grammar.first.most is None:
        return None
    of, then = grammar.first.of, grammar.then
    if may_end(then) or first_bytes(then) & of:
        return None
    return _join(many(of), then), of, grammar.first.most


def _join(first: Grammar, then: Grammar) -> Grammar:
    if isinstance(first, Nothing) or isinstance(then, Nothing):
        return NOTHING
    if first is END:
        return then
    if then is END:
        return first
    if isinstance(first, Literal) and isinstance(then, Literal):
        return _literal(first.rest + then.rest)
    if isinstance(first, Sequence):
        return _sequence(first.first, _join(first.then, then))
    return _sequence(first, then)


def shortest(grammar: Grammar) -> bytes:
    """A shortest string of the language: how a decoder that has run out of room ends what it began.

    Raises:
        ValueError: for a language without strings.
    """
    match grammar:
        case Literal(rest):
            return rest
        case Many():
            return b""
        case Sequence(first, then):
            return shortest(first) + shortest(then)
        case Choice(among):
            return min((shortest(option) for option in among), key=len)
    raise ValueError("nothing can be written")
