"""Stub."""

from __future__ import annotations

from dataclasses import dataclass

from negotiation.engine.deal.case.acts import Talk
from negotiation.engine.deal.case.declared import SeatCase


@dataclass(frozen=True, slots=True)
class Listening:
    talk: tuple[Talk, ...] = ()


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
