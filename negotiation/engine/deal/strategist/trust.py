"""Trust: what the other side's conduct earns or costs. It moves the warm and leaves the cold alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from negotiation.engine.cards import CARDS

START = 0.35

EARNS: dict[str, float] = {
    "question": 0.08,
    "empathy": 0.11,
    "thanks": 0.03,
    "package": 0.05,
    "threat": -0.16,
    "insult": -0.25,
    "deadline": -0.06,
    "injection": -0.08,
    "false_call": -0.18,
    "caught_bluffing": -0.30,
    "stonewalling": -0.07,
    "backwards_offer": -0.15,
    "absurd_offer": -0.12,
    "implausible_offer": -0.06,
    **{card.id: card.trust for card in CARDS.values() if card.trust},
}
RECIPROCITY = 0.9
"""Trust earned by a concession of the whole nominal zone."""
LARGEST_STEP = 0.16
WEARS_OFF = 0.7
"""Each repetition of the same kindness earns this share of the last: words are not an engine of money."""
LONGEST = 64
"""More turns than any game has: how far what wears off is worked out in advance."""
_LOW, _HIGH = 0.3, 0.65
"""The words for trust: low below, high from."""


@dataclass(slots=True)
class Trust:
    """Trust in [0, 1]."""

    value: float = START
    heard: dict[str, int] = field(default_factory=dict)

    def observe(self, acts: Iterable[str], concession_share: float, words: float = 0.0) -> None:
        """Take in a turn; ``words`` is what was earned or lost in talk, at a table with a case."""
        change = RECIPROCITY * max(0.0, concession_share) + words
        for act in sorted(acts):
            gain = EARNS.get(act, 0.0)
            if gain > 0:
                times = self.heard.get(act, 0)
                self.heard[act] = times + 1
                gain *= WEARS_OFF**times
            change += gain
        self.value = min(1.0, max(0.0, self.value + min(LARGEST_STEP, change)))

    @property
    def level(self) -> Literal["low", "mid", "high"]:
        return "low" if self.value < _LOW else "mid" if self.value < _HIGH else "high"
