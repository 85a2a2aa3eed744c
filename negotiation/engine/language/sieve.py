"""Which of many patterns can match a text at all, told by a few letters that each of them needs.

Hundreds of patterns look at every sentence, and nearly none of them finds anything. A pattern that matches must find
certain letters in the text ("budget" cannot match without "bud"), so the three-letter pieces of the text say which
patterns are worth trying. The idea is that of the prefilters of RE2 and of code search (Cox 2012, "Regular Expression
Matching with a Trigram Index"). What is needed is read off the parsed pattern; a pattern that needs nothing certain is
always tried.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

try:
    from re import _constants, _parser  # type: ignore[attr-defined]  # the parser of ``re``, which has no other name

    _parse: Callable[[str, int], Iterable[tuple[Any, Any]]] | None = _parser.parse
    _WIDTHLESS: Final = frozenset((_constants.AT, _constants.ASSERT, _constants.ASSERT_NOT))
    _REPEATS: Final = frozenset((_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT))
except (
    ImportError,
    AttributeError,
):  # pragma: no cover  # a Python whose parser has other names: slower, not wrong
    _parse = None

_PIECE: Final = 3
_Needed = frozenset[str]
"""Strings of which a matching text holds at least one; each of ``_PIECE`` letters or more."""


class Sieve:
    """The patterns of a list that may match a text, by their places in the list.

    Args:
        patterns: case-sensitive ones are sifted; one that ignores case is always tried. One that is not compiled yet is
            taken for case-sensitive.
    """

    def __init__(self, patterns: Sequence[re.Pattern[str] | str]) -> None:
        needs = [_needed(pattern) for pattern in patterns]
        self._always = [place for place, needed in enumerate(needs) if not needed]
        common = Counter(piece for needed in needs for text in needed for piece in set(pieces(text)))
        found: defaultdict[str, set[int]] = defaultdict(set)
        for place, needed in enumerate(needs):
            for text in needed:
                # Of the pieces of one string any will do; the one that fewest others have lets least through.
                found[min(pieces(text), key=lambda piece: common[piece])].add(place)
        self._by_piece = dict(found)

    def may_match(self, text: str) -> list[int]:
        """Places of the patterns that may be found in ``text``, ascending; no other one can be."""
        places = set(self._always)
        for piece in self._by_piece.keys() & pieces(text):
            places |= self._by_piece[piece]
        return sorted(places)


def pieces(text: str) -> set[str]:
    """Every three letters that stand side by side."""
    return {text[at : at + _PIECE] for at in range(len(text) - _PIECE + 1)}


def _needed(pattern: re.Pattern[str] | str) -> _Needed:
    if _parse is None:
        return frozenset()
    if isinstance(pattern, str):
        return _of_sequence(_parse(pattern, 0))
    if pattern.flags & re.IGNORECASE:
        return frozenset()
    return _of_sequence(_parse(pattern.pattern, pattern.flags & ~re.UNICODE))


def _of_sequence(items: Iterable[tuple[Any, Any]]) -> _Needed:
    """The best of what the parts of a sequence need: long strings before short ones, few before many."""
    offered: list[_Needed] = []
    run: list[str] = []
    for kind, argument in items:
        if kind is _constants.LITERAL:
            run.append(chr(argument))
        elif kind not in _WIDTHLESS:
            offered += [frozenset({"".join(run)}), _of_part(kind, argument)]
            run = []
    offered.append(frozenset({"".join(run)}))
    usable = [each for each in offered if each and min(map(len, each)) >= _PIECE]
    return max(usable, key=lambda each: (min(map(len, each)), -len(each)), default=frozenset())


def _of_part(kind: Any, argument: Any) -> _Needed:
    if kind is _constants.SUBPATTERN:
        _, flags_on, flags_off, inner = argument
        return frozenset() if flags_on or flags_off else _of_sequence(inner)
    if kind is _constants.BRANCH:
        ways = [_of_sequence(way) for way in argument[1]]
        return frozenset().union(*ways) if all(ways) else frozenset()
    if kind in _REPEATS and argument[0] >= 1:
        return _of_sequence(argument[2])
    return frozenset()
