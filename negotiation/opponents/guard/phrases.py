"""The phrases of ``rules.toml``, compiled once."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from negotiation.engine.language.sieve import Sieve

_RULES: Final = Path(__file__).with_name("rules.toml")
_HEARD: Final = "asked_after"
"""The one part that is about what the other side says."""
_REMEMBERED: Final = 2048
"""Sentences whose verdict is kept at hand: each is judged as it comes, and again in the whole line."""


@cache
def _parts() -> dict[str, tuple[re.Pattern[str], ...]]:
    data = tomllib.loads(_RULES.read_text(encoding="utf-8"))
    return {name: tuple(re.compile(pattern) for pattern in part["patterns"]) for name, part in data.items()}


@cache
def refused() -> dict[str, tuple[re.Pattern[str], ...]]:
    """What may not be said, by the name of its rule; matched against single sentences in lower case."""
    return {name: patterns for name, patterns in _parts().items() if name != _HEARD}


@cache
def _sifted() -> tuple[tuple[tuple[str, re.Pattern[str]], ...], Sieve]:
    """Every pattern with its rule's name, rule after rule as they are written."""
    every = tuple((name, pattern) for name, patterns in refused().items() for pattern in patterns)
    return every, Sieve([pattern for _, pattern in every])


@lru_cache(maxsize=_REMEMBERED)
def refused_in(sentence: str) -> Mapping[str, str]:
    """What a sentence in lower case says that may not be said: for each rule it breaks, the first words that do."""
    every, sieve = _sifted()
    found: dict[str, str] = {}
    for place in sieve.may_match(sentence):
        name, pattern = every[place]
        if name not in found and (hit := pattern.search(sentence)) is not None:
            found[name] = hit[0]
    return MappingProxyType(found)


def asks_after_the_limit(heard: str) -> bool:
    """Whether the other side's words fish for the limit, or for a yes or no about a guess at it."""
    plain = heard.lower().replace("’", "'")
    return any(pattern.search(plain) for pattern in _parts()[_HEARD])
