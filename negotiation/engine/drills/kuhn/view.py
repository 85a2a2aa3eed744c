"""What a player of Kuhn poker knows."""

from __future__ import annotations

from dataclasses import dataclass

from negotiation.engine.drills.kuhn.rules import History
from negotiation.engine.drills.types import View


@dataclass(frozen=True, slots=True)
class PastHand:
    """A finished hand as one player saw it."""

    position: int
    card: int
    history: History
    shown: tuple[int | None, ...]
    """The cards laid open, by position."""


@dataclass(frozen=True, slots=True)
class KuhnView(View):
    """The hand being played, and those before."""

    seats: int
    position: int
    card: int
    history: History
    past: tuple[PastHand, ...]
