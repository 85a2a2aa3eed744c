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
            (label, float(weight), pattern)
            for label, weights in cast(dict[str, dict[str, list[str]]], raw).items()
            for weight, patterns in weights.items()
            for pattern in patterns
        )
        # The ways of a pattern are sifted one by one: each needs letters of its own, all of them together hardly any.
        ways = [(place, way) for place, (*_, pattern) in enumerate(self._cues) for way in ways_of(pattern)]
        self._ways = tuple(ways)
        self._compiled: dict[int, re.Pattern[str]] = {}
        """Those that have been tried: most ways are never tried in one game."""
        self._sieve = Sieve([way for _, way in ways])
        self.labels = tuple(raw)
        self.weigh = lru_cache(maxsize=_REMEMBERED)(self._weigh)

    def _weigh(self, sentence: str) -> Mapping[str, float]:
        """The summed weight of every label that has a pattern in ``sentence``."""
        hit: set[int] = set()
        for at in self._sieve.may_match(sentence):
            place, way = self._ways[at]
            if place not in hit and self._pattern(at, way).search(sentence):
                hit.add(place)
        found: dict[str, float] = {}
        for place in sorted(hit):
            label, weight, _ = self._cues[place]
            found[label] = found.get(label, 0.0) + weight
        return found

    def _pattern(self, at: int, way: str) -> re.Pattern[str]:
        found = self._compiled.get(at)
        if found is None:
            found = self._compiled[at] = re.compile(way)
        return found

    def hears(self, label: str, sentence: str) -> bool:
        """Whether the weights of a label's patterns reach 1."""
        return self.weigh(sentence).get(label, 0.0) >= 1


def ways_of(pattern: str) -> list[str]:
    """The alternatives that a pattern has at its top: it is found where one of them is."""
    ways, start, depth, at, listed = [], 0, 0, 0, False
    while at < len(pattern):
        sign = pattern[at]
        if sign == "\\":
            at += 1
        elif listed:
            listed = sign != "]"
        elif sign == "[":
            listed = True
        elif sign == "|" and depth == 0:
            ways.append(pattern[start:at])
            start = at + 1
        else:
            depth += (sign == "(") - (sign == ")")
        at += 1
    return [*ways, pattern[start:]]


@cache
def acts() -> Cues:
    """What a sentence does."""
    return Cues("acts.toml")


@cache
def topics() -> Cues:
    """What a sentence is about, where that is named plainly."""
    return Cues("topics.toml")
