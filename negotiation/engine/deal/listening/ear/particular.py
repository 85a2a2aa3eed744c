"""Which particular a question asks for: the one whose ways to ask, and whose answer, are likest to it.

The adapter (``particular.npz``) and the points of the shipped cases (``particulars.npz``) are written by
``python -m tests.language.fit_particulars``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from negotiation.engine.deal.case.declared import Particular, SeatCase
from negotiation.engine.deal.listening.ear.encoder import Encoder, Floats, published
from negotiation.engine.deal.listening.ear.points import BySeat, Points, kept_points

ADAPTER: Final = Path(__file__).with_name("particular.npz")
POINTS: Final = Path(__file__).with_name("particulars.npz")
BY_ANSWER: Final = 0.3
"""What the likeness to the answer counts for, beside that to the likest way to ask."""
CLEAR: Final = 0.9
"""What a particular must score, with what it scores above the next, to be the answer; chosen on 850 questions of strangers,
the likest particular of each read beside it."""
FEWEST: Final = 3
"""Words of a question that asks for anything in particular."""
JUST_SAID: Final = 0.08
"""What it counts for that a particular goes on about something of the last line."""
SHORT: Final = 6
"""Words of a way to ask that says nothing by itself: "and who paid?" is heard where it goes on about what was just said."""


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A seat's particulars: points of the ways to ask and of the answers, whose each of them is. It holds the seat, by whose
    identity it is kept."""

    seat: SeatCase
    asks: Floats
    asks_for: NDArray[np.intp]
    short: NDArray[np.bool_]
    says: Floats
    says_for: NDArray[np.intp]


class ParticularEar:
    """Hears what is asked for in particular.

    Args:
        points: by the encoder with this ear's own adapter.
    """

    def __init__(self, points: Points) -> None:
        self._points = points
        self._sheets = BySeat(self._put_through)

    def heard(
        self, questions: Sequence[str], seat: SeatCase, open_: frozenset[str], just_said: frozenset[str]
    ) -> list[Particular | None]:
        """What each question asks for of somebody in this seat.

        Args:
            open_: ids of the facts and objections of the seat that were told or raised.
            just_said: those of them of which its last line spoke.
        """
        if not questions or not seat.particulars:
            return [None] * len(questions)
        sheet = self._sheets.of(seat)
        asked = self._points.of_questions(questions)
        found = (self._best(scores, seat) for scores in self._scores(asked, sheet, open_, just_said))
        return [each if len(q.split()) >= FEWEST else None for q, each in zip(questions, found, strict=True)]

    def _scores(
        self, asked: Floats, sheet: _Sheet, open_: frozenset[str], just_said: frozenset[str]
    ) -> Floats:
        """Of shape (questions, particulars); what may not be said has less than nothing."""
        listed = sheet.seat.particulars
        fresh = np.array([each.thing in just_said for each in listed])
        sayable = np.array([not each.about or each.thing in open_ for each in listed])
        like = asked @ sheet.asks.T
        like[:, sheet.short & ~fresh[sheet.asks_for]] = -1.0
        by_ask, by_answer = (np.full((len(asked), len(listed)), -1.0, dtype=np.float32) for _ in range(2))
        for row in range(len(asked)):
            np.maximum.at(by_ask[row], sheet.asks_for, like[row])
            np.maximum.at(by_answer[row], sheet.says_for, asked[row] @ sheet.says.T)
        scores = by_ask + BY_ANSWER * by_answer + JUST_SAID * fresh
        return np.where(sayable, scores, -np.inf).astype(np.float32)

    def _best(self, scores: Floats, seat: SeatCase) -> Particular | None:
        first, *rest = np.argsort(-scores)[:2]
        apart = scores[first] - scores[rest[0]] if rest else 0.0
        return seat.particulars[first] if scores[first] + apart >= CLEAR else None

    def _put_through(self, seat: SeatCase) -> _Sheet:
        asks = [(at, each, ask) for at, each in enumerate(seat.particulars) for ask in each.asks]
        says = [(at, clause) for at, each in enumerate(seat.particulars) for clause in each.says]
        return _Sheet(
            seat,
            self._points.of_written([ask for *_, ask in asks]),
            np.array([at for at, *_ in asks]),
            np.array([is_short(ask, each) for _, each, ask in asks]),
            self._points.of_written([clause for _, clause in says]),
            np.array([at for at, _ in says]),
        )


def is_short(ask: str, particular: Particular) -> bool:
    """Whether a way to ask says what it is about only beside what was just said."""
    return bool(particular.about) and (len(ask.split()) <= SHORT or ask.startswith("And "))


@cache
def particular_ear() -> ParticularEar | None:
    """The ear of this process; ``None`` where the published weights are not installed."""
    folder = published()
    if folder is None:
        return None
    return ParticularEar(Points(Encoder(folder, kept_adapter()), kept_points(POINTS)))


def kept_adapter() -> dict[str, Floats]:
    """The adapter's factors as 32-bit floats."""
    with np.load(ADAPTER, allow_pickle=False) as held:
        return {name: held[name].astype(np.float32) for name in held.files}
