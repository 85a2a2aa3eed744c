"""Which episodes say nearly the same: outlines of fixed size, compared without reading a file again.

The outline is a MinHash signature (Broder 1997) over what varies between episodes: what was done, at about which
price, in which words. The share of equal places estimates the Jaccard index of two sets of such pieces, with a
standard error of at most .05.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

PLACES = 96
BAND = 4
"""Places that must agree for two outlines to be compared: at an index of .8 one in 10**5 pairs is missed."""
ALIKE = 0.8
POINTS = 10
"""Offers this near to each other, in points of the protocol, are the same piece."""
_PRIME = (1 << 61) - 1
_DRAWN = np.random.default_rng(20_261_121).integers(1, 1 << 31, size=(2, PLACES), dtype=np.uint64)


def pieces(records: Iterable[Mapping[str, Any]]) -> set[str]:
    """What of an episode may differ from another: the moves in order, and the words in threes at the price they went
    with. The same words over other prices are another deal.
    """
    found: set[str] = set()
    for number, record in enumerate(records):
        answer = json.loads(record["messages"][-1]["content"])
        worth = answer.get("offer")
        near = "" if worth is None else str(worth // POINTS)
        found.add(f"{number} {answer['act']} {near} {answer.get('card', '')}")
        words = record["move"]["text"].lower().split()
        found |= {f"{near} {' '.join(words[at : at + 3])}" for at in range(max(0, len(words) - 2))}
    return found


def signature(parts: Iterable[str]) -> bytes:
    """The outline of a set of pieces: ``PLACES`` 32-bit numbers."""
    hashes = np.array(
        [int.from_bytes(hashlib.blake2b(part.encode(), digest_size=4).digest()) for part in parts] or [0],
        dtype=np.uint64,
    )
    mixed = (hashes[:, None] * _DRAWN[0] + _DRAWN[1]) % np.uint64(_PRIME)
    least: np.ndarray[Any, np.dtype[np.uint64]] = mixed.min(axis=0) & np.uint64(0xFFFFFFFF)
    return least.astype("<u4").tobytes()


def alike(outlines: Sequence[bytes]) -> Iterator[tuple[int, int, float]]:
    """Pairs of outlines that are nearly the same: two places in the sequence and the likeness."""
    rows = [np.frombuffer(each, dtype="<u4") for each in outlines]
    buckets: dict[tuple[int, bytes], list[int]] = defaultdict(list)
    for number, row in enumerate(rows):
        for start in range(0, PLACES, BAND):
            buckets[start, row[start : start + BAND].tobytes()].append(number)
    seen = {
        (first, second)
        for together in buckets.values()
        for place, first in enumerate(together)
        for second in together[place + 1 :]
    }
    for first, second in sorted(seen):
        share = float(np.mean(rows[first] == rows[second]))
        if share >= ALIKE:
            yield first, second, share


def likenesses(outline: bytes, others: Sequence[bytes]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """How like one outline each of ``others`` is, in [0, 1]."""
    rows = np.frombuffer(b"".join(others), dtype="<u4").reshape(len(others), PLACES)
    shares: np.ndarray[Any, np.dtype[np.float64]] = np.mean(
        rows == np.frombuffer(outline, dtype="<u4"), axis=1
    )
    return shares


def families(count: int, pairs: Iterable[tuple[int, int, float]]) -> list[int]:
    """For each of ``count`` episodes the lowest number among those that it is, step by step, alike to."""
    root = list(range(count))

    def top(number: int) -> int:
        while root[number] != number:
            number = root[number]
        return number

    for first, second, _ in pairs:
        low, high = sorted((top(first), top(second)))
        root[high] = low
    return [top(number) for number in range(count)]
