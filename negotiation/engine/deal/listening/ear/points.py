"""Points of texts: questions, kept for a moment, and what a case's author wrote, kept for good."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Generic, TypeVar

import numpy as np

from negotiation.engine.deal.case.declared import SeatCase
from negotiation.engine.deal.listening.ear.encoder import Encoder, Floats

_MOST_RECENT, _MOST_SEATS = 1024, 256
_Made = TypeVar("_Made")


class Points:
    """What an encoder makes of texts.

    Args:
        known: points of texts that were put through it before, by their digests.
    """

    def __init__(self, encoder: Encoder, known: Mapping[int, Floats]) -> None:
        self._encoder = encoder
        self._known = dict(known)
        self._recent: dict[str, Floats] = {}

    def of_questions(self, questions: Sequence[str]) -> Floats:
        """Of shape (questions, width); of those that were put a moment ago, as while they were typed, the ones of then."""
        found = {each: point for each in questions if (point := self._recent.get(each)) is not None}
        new = [each for each in dict.fromkeys(questions) if each not in found]
        if new:
            found.update(zip(new, self._encoder.encode(new), strict=True))
            if len(self._recent) > _MOST_RECENT:
                self._recent.clear()
            self._recent.update(found)
        return np.stack([found[each] for each in questions])

    def of_written(self, texts: Sequence[str]) -> Floats:
        """Of shape (texts, width); those that nobody has asked for before go through the encoder."""
        new = list(dict.fromkeys(each for each in texts if digest(each) not in self._known))
        if new:
            self._known.update(zip(map(digest, new), self._encoder.encode(new), strict=True))
        return np.stack([self._known[digest(each)] for each in texts])


class BySeat(Generic[_Made]):
    """What was made of the seats of cases, by their identity: what is made has to hold its seat."""

    def __init__(self, make: Callable[[SeatCase], _Made]) -> None:
        self._make = make
        self._known: dict[int, _Made] = {}

    def of(self, seat: SeatCase) -> _Made:
        """Made when it is first asked for."""
        known = self._known.get(id(seat))
        if known is None:
            if len(self._known) >= _MOST_SEATS:
                self._known.clear()
            known = self._known[id(seat)] = self._make(seat)
        return known


def digest(text: str) -> int:
    """A text's name in a file of points."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")


def keep_points(
    path: Path, encoder: Encoder, texts: Iterable[str], *, levels: int = 127, at_once: int = 32
) -> None:
    """Put texts through an encoder and write their points, a byte a number.

    Args:
        levels: to either side of nothing; few make a small file.
    """
    every = sorted(set(texts))
    points = np.concatenate(
        [encoder.encode(every[at : at + at_once]) for at in range(0, len(every), at_once)]
    )
    np.savez_compressed(
        path,
        texts=np.array([digest(each) for each in every], dtype=np.uint64),
        points=np.rint(points * levels / np.abs(points).max()).astype(np.int8),
    )


def kept_points(path: Path) -> dict[int, Floats]:
    """The points of a file, by the digests of their texts."""
    with np.load(path, allow_pickle=False) as held:
        points = held["points"].astype(np.float32)
        points /= np.linalg.norm(points, axis=1, keepdims=True)
        return dict(zip(held["texts"].tolist(), points, strict=True))
