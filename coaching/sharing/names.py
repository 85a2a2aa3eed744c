"""A shared deal without the name: what somebody is called stands in its words neither.

Names are looked for as people write them: joined, in another case, with another apostrophe, as a handle with a number.
A part that is an English word too (Will, May, Price) is taken for the name only where it is written as one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from accounts.models import User


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


LEFT_OUT: Final = "[name]"
SHORTEST: Final = 2
"""Letters; an initial is no name to be found in words."""
WORDS_TOO: Final = _words(
    """
    art ash bank banks bell best bill bishop bond book brown cash chance chase church clay cook cross dale day
    dean deal drew faith fair field ford forest frank gene gold good grace grant gray green guest hall hand hart
    heath hill holly hope hunt hunter iris ivy jack jade jay joy king lane law lee long love major mark marks
    marsh may mason miles mill miller noble norm page park parks pat patience peace penny pierce pool pope price
    ray reed rich rob rose ruby rush rusty sales sharp short sky small stone strong sue summer trade violet wade
    ward wells west white will winter wise wood woods young
    """
)
"""First and last names that are words of a deal as well."""
ROLES: Final = _words(
    """
    admin buyer contact demo hello info mail manager me office owner player post rep sales seller support team
    test
    """
)
"""What stands before the @ of an address that is nobody's name."""
_TITLES: Final = _words(
    """
    dr dr. jr jr. mr mr. mrs mrs. ms ms. prof prof. sr sr.
    """
)
_BETWEEN: Final = r"[\s._'-]*"
_NO_LETTER_BEFORE, _NO_LETTER_AFTER = r"(?<![^\W\d_])", r"(?![^\W\d_])"
_APOSTROPHES: Final = str.maketrans("\u2019\u2018\u02bc\u00b4`", "'''''")


def names_of(player: User, *more: str) -> list[str]:
    """What somebody is called, or was: whole names, their parts, and what stands before the @ of the address.

    Args:
        more: names by which the log knows them.
    """
    found: set[str] = set()
    for name in filter(None, (player.get_full_name(), *more)):
        told = re.sub(r"\([^)]*\)", " ", _plain(name))
        parts = [part for part in told.split() if part.lower() not in _TITLES]
        parts = [part.strip(".,()[]\"'") for part in parts]
        found |= {" ".join(parts), *parts, *(piece for part in parts for piece in part.split("-"))}
    address = _plain(player.email)
    local = address.partition("@")[0]
    if local.lower() not in ROLES:
        found |= {address, local, *re.split(r"[._+-]", local)} - ROLES
    return sorted({each for each in found if _is_name(each)}, key=lambda each: (-len(each), each))


def without(names: Iterable[str], moves: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The moves with every such name left out of their words, however it is written."""
    names = tuple(names)
    return [
        {**move, "text": cleared_of(names, move.get("text") or "")} if names else dict(move) for move in moves
    ]


def cleared_of(names: Iterable[str], text: str) -> str:
    """Words with every such name left out, however it is written."""
    text = _plain(text)
    for pattern in _patterns(tuple(names)):
        text = pattern.sub(LEFT_OUT, text)
    return text


@lru_cache(maxsize=256)
def _patterns(names: tuple[str, ...]) -> list[re.Pattern[str]]:
    certain = [_pattern(each) for each in names if each.lower() not in WORDS_TOO]
    wordlike = [_written_as_a_name(each) for each in names if each.lower() in WORDS_TOO]
    return [
        re.compile("|".join(some), flags) for some, flags in ((certain, re.IGNORECASE), (wordlike, 0)) if some
    ]


def _plain(text: str) -> str:
    """One way to write each letter and the apostrophe."""
    return unicodedata.normalize("NFC", text).translate(_APOSTROPHES)


def _is_name(text: str) -> bool:
    return sum(letter.isalpha() for letter in text) >= SHORTEST


def _pattern(name: str) -> str:
    """The name with whatever is written between its parts; scripts that write no spaces need none around it."""
    joined = _BETWEEN.join(re.escape(part) for part in re.split(r"[\s._'-]+", name) if part)
    if any(ord(letter) > 0x2E80 for letter in name):
        return joined
    return rf"{_NO_LETTER_BEFORE}{joined}{_NO_LETTER_AFTER}"


def _written_as_a_name(name: str) -> str:
    """With a capital, and not where a sentence begins with one anyway."""
    capital, loud = re.escape(name.capitalize()), re.escape(name.upper())
    return rf"(?:(?<=[^.!?\s] ){capital}|{_NO_LETTER_BEFORE}{loud}){_NO_LETTER_AFTER}"
