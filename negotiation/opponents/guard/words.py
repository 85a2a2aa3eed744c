"""Whether a line is plain English: its characters, its words, and no writing that hides another."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from negotiation.opponents.guard.objections import Objection

_DATA: Final = Path(__file__).resolve().parents[2] / "engine"
_WORD: Final = re.compile(r"[A-Za-z]+(?:'[A-Za-z]+)?")
_NUMERAL_LETTERS: Final = frozenset("IVXLCDM")
_SHORT_CAPITALS: Final = 4
_CONSONANTS: Final = re.compile(r"[bcdfghjklmnpqrstvwxz]{5,}")
_VOWELS: Final = re.compile(r"[aeiouy]{4,}|([a-z])\1\1")
_STRANGE_SHARE: Final = 0.5
_ENOUGH_WORDS: Final = 4


@cache
def listed(name: str) -> frozenset[str]:
    """The words of ``common.txt`` or ``foreign.txt``: plainest English, and what only other languages say."""
    return frozenset(Path(__file__).with_name(f"{name}.txt").read_text(encoding="utf-8").split())


@cache
def vocabulary() -> frozenset[str]:
    """Words that the product itself speaks with: voices, scenarios, and the plainest English."""
    spoken = set(listed("common"))
    for path in sorted([*_DATA.glob("personas/*/lines.toml"), *_DATA.glob("data/scenarios/*.toml")]):
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        spoken |= {word.lower() for word in _WORD.findall(str(data))}
    return frozenset(spoken)


@cache
def names() -> frozenset[str]:
    """Words that are written with capitals inside, or in capitals: companies, products, abbreviations."""
    found: set[str] = set()
    for path in sorted(_DATA.glob("data/scenarios/*.toml")):
        found |= {word for word in _WORD.findall(path.read_text(encoding="utf-8")) if not word.islower()}
    return frozenset(found)


def is_known(word: str) -> bool:
    """Whether a word is one that the product speaks with, in any of its usual endings."""
    lower = word.lower()
    known = vocabulary()
    if lower in known or lower.removesuffix("'s") in known:
        return True
    return any(
        lower.endswith(end) and lower[: -len(end)] in known for end in ("s", "ed", "d", "ing", "ly", "er")
    )


def word_objections(line: str) -> Iterator[Objection]:
    """What is wrong with the words of a tidy line."""
    words = _WORD.findall(line)
    if not words:
        yield Objection("language", "has no words")
        return
    lower = [word.lower() for word in words]
    foreign = [word for word in lower if word in listed("foreign")]
    strange = [word for word in words if not is_known(word)]
    if foreign:
        yield Objection("language", f"is not English: “{foreign[0]}”")
    elif len(words) >= _ENOUGH_WORDS and len(strange) > _STRANGE_SHARE * len(words):
        yield Objection("language", "is not plain English")
    for word in strange:
        if _hides(word):
            yield Objection("language", f"holds “{word}”, which is no English word")
            break
    if _spelled(line):
        yield Objection("leak", "spells something out letter by letter")
    if any(len(word) > 1 and set(word) <= _NUMERAL_LETTERS and word not in names() for word in words):
        yield Objection("figures", "holds a Roman numeral")
    if _stammers(lower):
        yield Objection("language", "says one word over and over")


def _hides(word: str) -> bool:
    """No English word looks like it: capitals inside, no vowel, runs of consonants or of one letter."""
    bare = word.replace("'", "")
    if word in names():
        return False
    inner = any(ch.isupper() for ch in bare[1:])
    if inner and not (bare.isupper() and len(bare) <= _SHORT_CAPITALS):
        return True
    if bare.isupper() and len(bare) > 1:
        return False
    lower = bare.lower()
    voiceless = len(lower) > 2 and not set(lower) & set("aeiouy")
    return voiceless or len(lower) > 18 or bool(_CONSONANTS.search(lower) or _VOWELS.search(lower))


def _spelled(line: str) -> bool:
    """Single letters side by side ("t h r e e", "T-H-R"), which is how people spell."""
    return re.search(r"(?<![A-Za-z'])(?:[A-Za-z](?:[\s.,\-/_:;*|]+|$)){3,}", line) is not None or (
        re.search(r"(?<![A-Za-z'.\d])(?![aI]\b)[B-HJ-Zb-hj-z](?![A-Za-z'.])", line) is not None
    )


def _stammers(words: list[str]) -> bool:
    return any(words[at] == words[at + 1] == words[at + 2] for at in range(len(words) - 2))
