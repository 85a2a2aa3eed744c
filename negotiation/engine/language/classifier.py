"""A second opinion on what is done with a figure: a small linear classifier beside the patterns of ``kinds``.

The patterns are precise where somebody thought of the phrase; the classifier has weighed every word of the
hand-written sentences. An offer binds without a question only where both agree. Its weights are
``classifier.json``, written by ``python -m tests.language.fit_classifier``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import exp
from pathlib import Path
from typing import Final

from negotiation.engine.language.types import Kind

KINDS: Final[tuple[Kind, ...]] = ("offer", "limit", "quote", "rejection", "hypothetical", "none")
WEIGHTS: Final = Path(__file__).with_name("classifier.json")
_CLASSES: Final = {
    **dict.fromkeys(("i", "we", "us", "me", "myself", "ourselves"), "ME"),
    **dict.fromkeys(("my", "our", "mine", "ours"), "MY"),
    **dict.fromkeys(("your", "yours"), "YOUR"),
    **dict.fromkeys(("can", "could", "will", "would", "may", "might", "shall", "should"), "CAN"),
    **dict.fromkeys(("am", "are", "is", "was", "were", "be", "been"), "BE"),
    **dict.fromkeys(("they", "he", "she", "them", "their", "his", "her"), "THEY"),
    **dict.fromkeys(("above", "over", "past", "beyond", "exceed", "higher", "more"), "OVER"),
    **dict.fromkeys(("below", "under", "beneath", "less", "lower", "short"), "UNDER"),
    **dict.fromkeys(("a", "an", "the", "this", "that", "just", "really", "very"), "A"),
}
_NEAR: Final = 4
_AROUND: Final = 6
_WORD: Final = re.compile(r"[a-z']+|<[mon]>|[?!,:]")


def features(clause: str, relation: str) -> set[str]:
    """What the classifier sees of a clause that holds ``<m>``; ``relation`` places the figure by the offers."""
    words = [_CLASSES.get(word, word) for word in _WORD.findall(clause)]
    at = words.index("<m>") if "<m>" in words else 0
    seen = {"bias", f"relation {relation}", f"first {words[0] if words else ''}"}
    seen.update(f"before {word}" for word in words[:at])
    seen.update(f"after {word}" for word in words[at + 1 :])
    for distance in range(1, _NEAR + 1):
        if at >= distance:
            seen.add(f"{distance} left {words[at - distance]}")
        if at + distance < len(words):
            seen.add(f"{distance} right {words[at + distance]}")
    seen.update(f"pair {one} {two}" for one, two in pairwise(words))
    if at == len(words) - 1:
        seen.add("last")
    return seen


_IN_SHORT: Final = 0.005
"""How far from an offer a rounder figure may be that names it, as a share: "241" for 241,500."""


def relation_of(value: float, standing: float | None, own: float | None) -> str:
    """Whether a figure repeats an offer on the table."""
    if standing is not None and _names(value, standing):
        return "standing"
    return "own" if own is not None and _names(value, own) else "new"


def _names(value: float, offer: float) -> bool:
    """Whether a figure is an offer's, or the offer's with its last digits left off."""
    apart = abs(value - offer)
    if apart < 0.005:
        return True
    rounder = 1000 if value % 1000 == 0 else 1
    return 0 <= offer - value < rounder and offer % rounder != 0 and apart < _IN_SHORT * offer


def strangers(clause: str) -> int:
    """How many words by the figure the classifier has never weighed: ground that it does not know."""
    words = _WORD.findall(clause)
    at = words.index("<m>") if "<m>" in words else 0
    near = words[max(at - _AROUND, 0) : at + _AROUND + 1]
    return sum(_CLASSES.get(word, word) not in weights_in_use().known for word in near)


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """What each feature speaks for, kind by kind, and the words that have been weighed. Only the same one is equal."""

    rows: Mapping[str, tuple[float, ...]]
    known: frozenset[str]


@lru_cache(maxsize=1)
def _shipped() -> Weights:
    return _weighed(json.loads(WEIGHTS.read_text(encoding="utf-8")))


def _weighed(rows: Mapping[str, Sequence[float]]) -> Weights:
    sides = (feature.partition(" ") for feature in rows)
    known = frozenset(word for side, _, word in sides if side in ("before", "after"))
    return Weights({name: tuple(row) for name, row in rows.items()}, known | {"<m>"})


_current: ContextVar[Weights | None] = ContextVar("classifier weights", default=None)


@contextmanager
def fitted(rows: Mapping[str, Sequence[float]]) -> Iterator[None]:
    """Read with other weights than the shipped ones, to measure sentences that those have seen."""
    token = _current.set(_weighed(rows))
    try:
        yield
    finally:
        _current.reset(token)


def weights_in_use() -> Weights:
    """The shipped weights, or those of :func:`fitted`."""
    return _current.get() or _shipped()


def opinion(clause: str, relation: str) -> dict[Kind, float]:
    """How probable each kind of use is."""
    weights = weights_in_use().rows
    totals = [0.0] * len(KINDS)
    for feature in features(clause, relation):
        for place, weight in enumerate(weights.get(feature, ())):
            totals[place] += weight
    highest = max(totals)
    shares = [exp(total - highest) for total in totals]
    return {kind: share / sum(shares) for kind, share in zip(KINDS, shares, strict=True)}
