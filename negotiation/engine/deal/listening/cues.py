"""Weighed patterns read from a TOML file: how strongly a sentence speaks for each label of the file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, cast

from negotiation.engine.language.sieve import Sieve

_REMEMBERED: Final = 2048


class Cues:
    """The patterns of one file, each with its label and its weight.

    Args:
        name: of a file beside this module: ``[label]`` tables of weight to patterns.
    """

    def __init__(self, name: str) -> None:
        raw = tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))
        self._cues = tuple(
            (label, float(weight), re.compile(pattern))
            for label, weights in cast(dict[str, dict[str, list[str]]], raw).items()
            for weight, patterns in weights.items()
            for pattern in patterns
        )
        self._sieve = Sieve([pattern for *_, pattern in self._cues])
        self.labels = tuple(raw)
        self.weigh = lru_cache(maxsize=_REMEMBERED)(self._weigh)

    def _weigh(self, sentence: str) -> Mapping[str, float]:
        """The summed weight of every label that has a pattern in ``sentence``."""
        found: dict[str, float] = {}
        for place in self._sieve.may_match(sentence):
            label, weight, pattern = self._cues[place]
            if pattern.search(sentence):
                found[label] = found.get(label, 0.0) + weight
        return found

    def hears(self, label: str, sentence: str) -> bool:
        """Whether the weights of a label's patterns reach 1."""
        return self.weigh(sentence).get(label, 0.0) >= 1


@cache
def acts() -> Cues:
    """What a sentence does."""
    return Cues("acts.toml")


@cache
def topics() -> Cues:
    """What a sentence is about, where that is named plainly."""
    return Cues("topics.toml")
