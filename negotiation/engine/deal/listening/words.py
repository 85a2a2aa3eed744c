"""Words as they are compared between what a person types and what an author wrote."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, cast

from negotiation.engine.language.numerals import numeral_at
from negotiation.engine.language.tokens import Token, tokenise

NEGATORS: Final = frozenset(
    ("not", "no", "never", "nobody", "nothing", "none", "neither", "nor", "without", "hardly")
)
_BREAKS: Final = frozenset((",", ";", ":", "(", ")", "-", "."))
_BREAKING: Final = frozenset(("and", "but", "which", "who", "because", "so", "although"))
_ENDINGS: Final = re.compile(r"(?:'s|ingly|edly|ings?|ies|ied|ed|es|ers?|or|ly|s|e|y)$")
_SHORTEST: Final = 3
"""Letters that have to be left when an ending is cut off."""
RARE, NUMBER, COMMON = 1.0, 0.6, 0.3
"""What a word of the case counts for, a number, and a word of any business talk, as a number of one digit is."""
_DIGIT: Final = 2


_FIGURES_COME: Final = frozenset(("come", "came", "coming", "bring", "knock", "step", "move", "get"))
"""Verbs with which "down" is said of a figure, and tells nothing of a case in which something was down."""


@dataclass(frozen=True, slots=True)
class _Words:
    empty: frozenset[str]
    common: frozenset[str]
    forms: dict[str, str]


@cache
def _words() -> _Words:
    raw = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
    forms = {
        form: base
        for table in ("forms", "alike")
        for base, listed in raw[table].items()
        for form in listed.split()
    }
    both = {form: forms.get(base, base) for form, base in forms.items()}
    common = cast(str, raw["common"]).split()
    empty = frozenset(cast(str, raw["empty"]).split())
    return _Words(empty, frozenset(_cut(both.get(word, word)) for word in common), both)


def _cut(word: str) -> str:
    """A word without its ending; a letter doubled before it is single again."""
    if len(word) <= _SHORTEST:
        return word
    stem = _ENDINGS.sub("", word)
    if len(stem) < _SHORTEST:
        return word
    return stem[:-1] if len(stem) > _SHORTEST and stem[-1] == stem[-2] else stem


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """The form by which a word is compared; empty for a word that tells nothing."""
    return "" if word in _words().empty else plain_stem(word)


@lru_cache(maxsize=8192)
def plain_stem(word: str) -> str:
    """As ``stem``, of any word: words that tell no thing of a case apart may still name a topic."""
    known = _words()
    based = known.forms.get(word, word)
    if based == word and word.endswith("s"):
        based = known.forms.get(word[:-1], word)
    if based == word:
        based = known.forms.get(_cut(word), word)
    return _cut(based)


def weight(stemmed: str) -> float:
    """What a word counts for, before it is known how many things of a case hold it."""
    if stemmed.startswith("#"):
        return NUMBER if len(stemmed) > _DIGIT else COMMON
    return COMMON if stemmed in _words().common else RARE


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a sentence between commas, joining words and words of denial, which deny what follows them."""

    stems: frozenset[str]
    denies: bool


def parts_of(tokens: Sequence[Token]) -> tuple[Part, ...]:
    """The parts of a sentence, with the words that tell something."""
    found: list[Part] = []
    stems: set[str] = set()
    denies = False
    at = 0
    while at < len(tokens):
        token = tokens[at]
        numeral = numeral_at(list(tokens[at : at + 8]), 0) if token.kind in ("word", "number") else None
        if numeral is not None and not numeral.slang:
            stems.add(f"#{numeral.value:g}")
            at += max(1, numeral.stop)
            continue
        at += 1
        ends = token.norm in _BREAKING if token.kind == "word" else token.norm in _BREAKS and not token.tight
        if ends or (token.kind == "mark" and token.norm in (",", ";", ":")):
            found.append(Part(frozenset(stems), denies))
            stems, denies = set(), False
        elif token.kind == "word":
            before = tokens[at - 2].norm if at > 1 else ""
            for word in token.norm.split():
                if word == "down" and before in _FIGURES_COME:
                    continue
                if word in NEGATORS:
                    found.append(Part(frozenset(stems), denies))
                    stems, denies = set(), True
                if (stemmed := stem(word)) != "":
                    stems.add(stemmed)
    found.append(Part(frozenset(stems), denies))
    return tuple(each for each in found if each.stems or each.denies)


@lru_cache(maxsize=4096)
def parts(text: str) -> tuple[Part, ...]:
    """The parts of a clause that an author wrote."""
    return parts_of(tokenise(text))


_NAME: Final = re.compile(r"(?<=[a-z,'] )[A-Z][a-z]+")


def names_in(text: str) -> frozenset[str]:
    """Proper names of a text: words with a capital letter that begin no sentence; in a cue, any such word."""
    found = _NAME.findall(text) + ([text.split()[0]] if text[:1].isupper() else [])
    return frozenset(stemmed for word in found if (stemmed := stem(word.lower())))


def spoken(text: str) -> str:
    """The words of a text in their order, nouns in the singular, between spaces: what a phrase is looked for in."""
    return spoken_of(tokenise(text))


def spoken_of(tokens: Iterable[Token]) -> str:
    """As ``spoken``, of tokens."""
    words = (word for token in tokens if token.kind in ("word", "number") for word in token.norm.split())
    return f" {' '.join(word.removesuffix('s') if len(word) > _SHORTEST else word for word in words)} "


def stems_of(these: Iterable[Part]) -> frozenset[str]:
    """All words of some parts."""
    return frozenset().union(*(each.stems for each in these))
