"""Which clause a question asks for: a share for each label, by the question's meaning and by that of the seat's own clauses.

The adapter and the head (``adapter.npz``) and the points of the shipped cases' clauses (``clauses.npz``) are written by
``python -m tests.language.fit_ear``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from negotiation.engine.deal.case.acts import TOPICS
from negotiation.engine.deal.case.declared import SeatCase
from negotiation.engine.deal.case.trade import COVERS
from negotiation.engine.deal.listening.ear.encoder import Encoder, Floats, published
from negotiation.engine.deal.listening.ear.points import BySeat, Points, kept_points

ADAPTER: Final = Path(__file__).with_name("adapter.npz")
CLAUSES: Final = Path(__file__).with_name("clauses.npz")
NO_CLAUSE: Final = ("figure", "term", "talk", "none")
"""Questions that no clause of a case answers: on the figure, on a term of the package, on the talk, on anything else."""
LABELS: Final[tuple[str, ...]] = (*TOPICS, *COVERS, *NO_CLAUSE)
SHARPNESS: Final = 20.0
"""What the head's scores are multiplied by: it sees unit vectors."""
BY_CLAUSE: Final = 9.0
"""What the likeness of a question and the likest clause of a label counts for, as a logarithm; chosen with
``bench/intents`` in view."""
_GREETING: Final = "greeting"
"""What is said to a greeting is like what is asked of the weather, the house or the week, and not like a greeting."""
NO_SUCH_CLAUSE: Final = 0.25
"""The likeness that counts for a label of which the seat has no clause: that of two sentences with little in common."""


@dataclass(frozen=True, slots=True)
class Intent:
    """What a question may ask for: the share of each label, in the order of ``LABELS``."""

    shares: tuple[float, ...]

    @property
    def best(self) -> str:
        """The likeliest label."""
        return LABELS[max(range(len(LABELS)), key=self.shares.__getitem__)]

    def share(self, *labels: str) -> float:
        """How likely it is that one of these is meant."""
        return sum(self.shares[LABELS.index(each)] for each in set(labels))


class Ear:
    """The encoder with its head.

    Args:
        points: by the encoder with the adapter that the head was fitted with.
        head, bias: of shapes (labels, 384) and (labels,).
    """

    def __init__(self, points: Points, head: Floats, bias: Floats) -> None:
        self._points = points
        self._head = SHARPNESS * head
        self._bias = SHARPNESS * bias
        self._sheets = BySeat(self._put_through)

    def intents(self, questions: Sequence[str], seat: SeatCase) -> list[Intent]:
        """What each question may ask for of somebody in this seat."""
        if not questions:
            return []
        asked = self._points.of_questions(questions)
        scores = asked @ self._head.T + self._bias + BY_CLAUSE * self._likeness(asked, seat)
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        return [Intent(tuple(each)) for each in shares.tolist()]

    def _likeness(self, asked: Floats, seat: SeatCase) -> Floats:
        """How like each question is to the likest clause of each label, of shape (questions, labels)."""
        sheet = self._sheets.of(seat)
        like = asked @ sheet.points.T
        most = np.full((len(asked), len(LABELS)), NO_SUCH_CLAUSE, dtype=np.float32)
        for place, rows in sheet.rows.items():
            most[:, place] = like[:, rows].max(axis=1)
        return most

    def _put_through(self, seat: SeatCase) -> _Sheet:
        clauses = list(clauses_of(seat))
        rows: dict[int, list[int]] = {}
        for row, (label, _) in enumerate(clauses):
            rows.setdefault(LABELS.index(label), []).append(row)
        return _Sheet(seat, self._points.of_written([text for _, text in clauses]), rows)


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A seat's clauses: their points, and which of them each label has. It holds the seat, by whose identity it is kept."""

    seat: SeatCase
    points: Floats
    rows: Mapping[int, list[int]]


def clauses_of(seat: SeatCase) -> Iterator[tuple[str, str]]:
    """Everything that somebody may be asked for, each with its label: all variants of a fact, whatever a game drew."""
    for fact in seat.facts:
        yield from ((fact.topic, text) for text in (*fact.says, *fact.more))
    for objection in seat.objections:
        yield from ((objection.topic, text) for text in (objection.says, objection.more) if text)
    yield from seat.answers.items()
    yield from ((label, text) for label, texts in seat.asked.items() if label != _GREETING for text in texts)


def kept(path: Path) -> dict[str, Floats]:
    """The numbers of a file as 32-bit floats.

    Raises:
        ValueError: for a head that was fitted to other labels.
    """
    with np.load(path, allow_pickle=False) as held:
        if tuple(held["labels"].tolist()) != LABELS:
            message = f"{path.name} was fitted to other labels; run python -m tests.language.fit_ear"
            raise ValueError(message)
        return {name: held[name].astype(np.float32) for name in held.files if name != "labels"}


@cache
def second_ear() -> Ear | None:
    """The ear of this process; ``None`` where the published weights are not installed."""
    folder = published()
    if folder is None:
        return None
    fitted = kept(ADAPTER)
    return Ear(Points(Encoder(folder, fitted), kept_points(CLAUSES)), fitted["head"], fitted["bias"])
