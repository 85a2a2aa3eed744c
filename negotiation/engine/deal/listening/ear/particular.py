"""Which particular a question asks for: of those whose ways to ask, and whose answers, are likest to it, the one that most
likely answers it.

The adapter (``particular.npz``) and the points of the shipped cases (``particulars.npz``) are written by
``python -m tests.language.fit_particulars``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from negotiation.engine.deal.case.declared import Particular, SeatCase
from negotiation.engine.deal.listening.ear.encoder import Encoder, Floats, published
from negotiation.engine.deal.listening.ear.points import BySeat, Points, kept_points
from negotiation.engine.deal.listening.ear.weighing import Likeness, Vocabulary, kept_weights, words_of

ADAPTER: Final = Path(__file__).with_name("particular.npz")
POINTS: Final = Path(__file__).with_name("particulars.npz")
BY_ANSWER: Final = 0.3
"""What the likeness to the answer counts for, beside that to the likest way to ask and to the mean of all ways."""
CLEAR: Final = 0.45
"""The chance of answering from which a particular is the answer. Below it the subject's own clause does better."""
WEIGHED: Final = 5
"""So many of the likest are weighed."""
FEWEST: Final = 3
"""Words of a question that asks for anything in particular."""
JUST_SAID: Final = 0.08
"""What it counts for that a particular goes on about something of the last line."""
SHORT: Final = 6
"""Words of a way to ask that says nothing by itself: "and who paid?" is heard where it goes on about what was just said."""


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A seat's particulars: points of the ways to ask, of their means and of the answers, where those of each begin and
    whose each is, what they go on about, and their words. It holds the seat, by whose identity it is kept."""

    seat: SeatCase
    things: tuple[str, ...]
    asks: Floats
    asks_from: NDArray[np.intp]
    asks_for: NDArray[np.intp]
    short: NDArray[np.bool_]
    means: Floats
    says: Floats
    says_from: NDArray[np.intp]
    words: Vocabulary


@dataclass(frozen=True, slots=True)
class _Like:
    """Likenesses of a question to each particular of a seat; what may not be said has a score below all."""

    scores: Floats
    asks: Floats
    means: Floats
    says: Floats
    fresh: NDArray[np.bool_]


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
        weights = kept_weights()
        found: list[Particular | None] = []
        for weighed in self.weighed(questions, seat, open_, just_said):
            chances = [(weights.chance(traits), each) for each, traits in weighed]
            chance, best = max(chances, key=itemgetter(0), default=(0.0, None))
            found.append(best if chance >= CLEAR else None)
        return found

    def weighed(
        self, questions: Sequence[str], seat: SeatCase, open_: frozenset[str], just_said: frozenset[str]
    ) -> list[list[tuple[Particular, list[float]]]]:
        """For each question the likest that may be said, with what is weighed of each. Arguments as ``heard``."""
        if not questions or not seat.particulars:
            return [[] for _ in questions]
        sheet = self._sheets.of(seat)
        asked = self._points.of_questions(questions)
        return [
            list(_traits(question, sheet, _likeness(point, sheet, open_, just_said)))
            if len(question.split()) >= FEWEST
            else []
            for question, point in zip(questions, asked, strict=True)
        ]

    def _put_through(self, seat: SeatCase) -> _Sheet:
        asks = [(at, each, ask) for at, each in enumerate(seat.particulars) for ask in each.asks]
        says = [(at, clause) for at, each in enumerate(seat.particulars) for clause in each.says]
        points, asks_for = (
            self._points.of_written([ask for *_, ask in asks]),
            np.array([at for at, *_ in asks]),
        )
        means = np.zeros((len(seat.particulars), points.shape[1]), dtype=np.float32)
        np.add.at(means, asks_for, points)
        return _Sheet(
            seat,
            tuple(each.thing if each.about else "" for each in seat.particulars),
            points,
            np.searchsorted(asks_for, np.arange(len(seat.particulars))),
            asks_for,
            np.array([is_short(ask, each) for _, each, ask in asks]),
            means / np.linalg.norm(means, axis=1, keepdims=True),
            self._points.of_written([clause for _, clause in says]),
            np.searchsorted(np.array([at for at, _ in says]), np.arange(len(seat.particulars))),
            Vocabulary(seat),
        )


def _likeness(point: Floats, sheet: _Sheet, open_: frozenset[str], just_said: frozenset[str]) -> _Like:
    fresh = np.array([each in just_said for each in sheet.things])
    sayable = np.array([not each or each in open_ for each in sheet.things])
    to_asks = np.where(sheet.short & ~fresh[sheet.asks_for], np.float32(-1), sheet.asks @ point)
    by_ask = np.maximum.reduceat(to_asks, sheet.asks_from)
    by_answer = np.maximum.reduceat(sheet.says @ point, sheet.says_from)
    by_mean = sheet.means @ point
    scores = by_ask + by_mean + BY_ANSWER * by_answer + JUST_SAID * fresh
    return _Like(np.where(sayable, scores, -np.inf).astype(np.float32), by_ask, by_mean, by_answer, fresh)


def _traits(question: str, sheet: _Sheet, like: _Like) -> Iterator[tuple[Particular, list[float]]]:
    """Of the likest particulars, the likest first."""
    order = [int(at) for at in np.argsort(-like.scores)[:WEIGHED] if np.isfinite(like.scores[at])]
    words = words_of(question)
    around = float(np.mean(like.scores[order])) if order else 0.0
    for at in order:
        others = [float(like.scores[each]) for each in order if each != at]
        found = Likeness(
            score=float(like.scores[at]),
            ahead=float(like.scores[at]) - max(others, default=0.0),
            around=around,
            ask=float(like.asks[at]),
            asks=float(like.means[at]),
            says=float(like.says[at]),
            fresh=bool(like.fresh[at]),
        )
        particular = sheet.seat.particulars[at]
        yield particular, sheet.words.traits(words, particular, found, asks="?" in question)


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
