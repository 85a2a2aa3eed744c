"""Acts, tactics and topics: a linear classifier over readable cues. Its weights are ``cues.toml``."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal, cast

from negotiation.engine.language.sieve import Sieve
from negotiation.engine.language.types import ACTS, TACTICS, TOPICS

Group = Literal["acts", "tactics", "topics"]
_ORDER: Final[dict[Group, tuple[str, ...]]] = {"acts": ACTS, "tactics": TACTICS, "topics": TOPICS}
_REMEMBERED: Final = 2048
"""Sentences whose labels are kept at hand: a move is read when it is made, answered and graded."""


@dataclass(frozen=True, slots=True)
class _Cues:
    """All cues of one group: the label each speaks for, its weight and its pattern."""

    cues: tuple[tuple[str, float, re.Pattern[str]], ...]
    sieve: Sieve


@lru_cache(maxsize=1)
def _cues() -> dict[Group, _Cues]:
    data = tomllib.loads(Path(__file__).with_name("cues.toml").read_text(encoding="utf-8"))
    found: dict[Group, _Cues] = {}
    for group in _ORDER:
        labels = cast(dict[str, dict[str, list[str]]], data[group])
        cues = tuple(
            (label, float(weight), re.compile(pattern))
            for label, weights in labels.items()
            for weight, patterns in weights.items()
            for pattern in patterns
        )
        found[group] = _Cues(cues, Sieve([pattern for *_, pattern in cues]))
    return found


@lru_cache(maxsize=_REMEMBERED)
def _labels_of(group: Group, sentence: str) -> frozenset[str]:
    """The labels of ``group`` whose cues in ``sentence`` weigh at least 1 together."""
    weighed: dict[str, float] = {}
    known = _cues()[group]
    for place in known.sieve.may_match(sentence):
        label, weight, pattern = known.cues[place]
        if pattern.search(sentence):
            weighed[label] = weighed.get(label, 0.0) + weight
    return frozenset(label for label, weight in weighed.items() if weight >= 1)


def labels(group: Group, sentences: list[str]) -> set[str]:
    """The labels of ``group`` that any one of ``sentences`` earns."""
    return {label for text in sentences for label in _labels_of(group, text)}


def ordered(group: Group, found: set[str]) -> tuple[str, ...]:
    """``found`` in the order in which the labels are listed."""
    return tuple(label for label in _ORDER[group] if label in found)
