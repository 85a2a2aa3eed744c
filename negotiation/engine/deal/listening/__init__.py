"""Stub."""

from __future__ import annotations

from dataclasses import dataclass

from negotiation.engine.deal.case.acts import Talk
from negotiation.engine.deal.case.declared import SeatCase


@dataclass(frozen=True, slots=True)
class Heard:
    talk: Talk
    confidence: float
    quote: str


@dataclass(frozen=True, slots=True)
class Listening:
    heard: tuple[Heard, ...] = ()
    unsure: tuple[Heard, ...] = ()
    insult: bool = False

    @property
    def talk(self) -> tuple[Talk, ...]:
        return tuple(each.talk for each in self.heard)


def listen(
    text: str,
    *,
    speaker: SeatCase,
    listener: SeatCase,
    told: tuple[str, ...] = (),
    raised: tuple[str, ...] = (),
    last_line: str = "",
) -> Listening:
    return Listening()
