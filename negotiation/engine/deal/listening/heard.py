"""What is heard in a person's words at a table with a case behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from negotiation.engine.deal.case.acts import Asked, Talk

SURE_FROM: Final = 0.6
"""Below this confidence the table asks before anything counts."""


@dataclass(frozen=True, slots=True)
class Heard:
    """One thing done with words.

    ``quote`` holds the words that did it, verbatim. ``high`` says, of a disclosed fact with two clauses, which of them was
    spoken: whether it is true at this table is for the table to know.
    """

    talk: Talk
    confidence: float
    quote: str
    high: bool | None = None


@dataclass(frozen=True, slots=True)
class Listening:
    """All that a message does with words beside its figure.

    Attributes:
        heard: sure enough to count, at most ``case.checks.MOST_TALK``.
        unsure: heard with less than ``SURE_FROM``: to be asked about.
        asked: what its questions ask for, where a second ear listened.
        insult, wants_out, withdraws: whether it insults, leaves the talks, or takes back an offer.
    """

    heard: tuple[Heard, ...] = ()
    unsure: tuple[Heard, ...] = ()
    asked: Asked | None = None
    insult: bool = False
    wants_out: bool = False
    withdraws: bool = False

    @property
    def talk(self) -> tuple[Talk, ...]:
        """What counts, as a move carries it."""
        return tuple(each.talk for each in self.heard)
