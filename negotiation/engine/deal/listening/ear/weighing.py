"""Whether the likest particular answers a question at all: a logistic regression on how like it is, and on which words of
the question it knows.

Likeness ranks particulars well and does not tell where none of them answers: of what is near to a question one is always
the nearest. What tells is how far it is ahead of the others, and how much of what the question says is in its words. The
weights (``weighing.json``) are written by ``python -m tests.language.fit_weighing``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, log
from pathlib import Path
from typing import Final

from negotiation.engine.deal.case.declared import Particular, SeatCase

WEIGHTS: Final = Path(__file__).with_name("weighing.json")
_WORD: Final = re.compile(r"[a-z0-9']+")
_STEM: Final = 6
"""Letters by which words are told apart."""
Words = frozenset[str]


@dataclass(frozen=True, slots=True)
class Likeness:
    """How like a particular is to a question.

    Attributes:
        score: what particulars are ranked by; ``ahead`` is what it scores above the best of the others, ``around`` the
            mean of the likest five.
        ask, asks, says: likeness to the likest way to ask, to the mean of all, to the answer.
        fresh: whether it goes on about something of the last line.
    """

    score: float
    ahead: float
    around: float
    ask: float
    asks: float
    says: float
    fresh: bool


class Vocabulary:
    """The words of a seat's particulars: those of each, and how rare each word is among them."""

    def __init__(self, seat: SeatCase) -> None:
        self._of = {each.id: _Known(each) for each in seat.particulars}
        seen: dict[str, int] = {}
        for known in self._of.values():
            for word in known.asks | known.says:
                seen[word] = seen.get(word, 0) + 1
        most = len(self._of) + 1
        self._rare = {word: log(most / (count + 1)) for word, count in seen.items()}
        self._never = log(most)

    def traits(
        self, words: Words, particular: Particular, like: Likeness, *, asks: bool = True
    ) -> list[float]:
        """What is weighed.

        Args:
            words: of the question; ``asks`` says whether it has its mark.
        """
        known = self._of[particular.id]
        every = sum(map(self._rarity, words))
        whole = every or 1.0
        return [
            *(like.score, like.ahead, like.around, like.ask, like.asks, like.says, float(like.fresh)),
            sum(map(self._rarity, words & known.asks)) / whole,
            sum(map(self._rarity, words & (known.asks | known.says))) / whole,
            log(len(words) + 1),
            every / self._never,
            float(asks),
        ]

    def _rarity(self, word: str) -> float:
        return self._rare.get(word, self._never)


class _Known:
    """A particular's words."""

    def __init__(self, particular: Particular) -> None:
        self.asks = frozenset(word for ask in particular.asks for word in words_of(ask))
        self.says = frozenset(word for clause in particular.says for word in words_of(clause))


@dataclass(frozen=True, slots=True)
class Weights:
    """Of the regression, for traits that are brought to a mean of 0 and a deviation of 1 first."""

    means: Sequence[float]
    deviations: Sequence[float]
    weights: Sequence[float]
    constant: float

    def chance(self, traits: Sequence[float]) -> float:
        """That the particular answers the question."""
        parts = zip(traits, self.means, self.deviations, self.weights, strict=True)
        odds = self.constant + sum(weight * (trait - mean) / spread for trait, mean, spread, weight in parts)
        return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, odds))))


def words_of(text: str) -> Words:
    """A text's words, by their first letters."""
    return frozenset(word[:_STEM] for word in _WORD.findall(text.lower()))


@cache
def kept_weights() -> Weights:
    """The regression as it was fitted."""
    return Weights(**json.loads(WEIGHTS.read_text(encoding="utf-8")))
