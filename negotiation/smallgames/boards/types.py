"""What every board has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from negotiation.engine.drills import View


@dataclass(frozen=True, slots=True)
class Choice:
    """A button: the action, what it says, and a hint of what it may lead to."""

    action: int
    label: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One finished round in words. ``paid`` is the player's."""

    number: int
    own: str
    other: str
    paid: float


class Board(Protocol):
    """One game on the table."""

    @property
    def ask(self) -> str:
        """What the player is asked now."""

    def picture(self) -> dict[str, Any]:
        """What the game's template draws."""

    def choices(self) -> list[Choice]:
        """What may be chosen now; empty where the template has a form of its own."""

    def lines(self, *, reveal: bool) -> list[Line]:
        """The finished rounds; with ``reveal`` what the other side held too."""

    def words(self, action: int, view: View) -> str:
        """An action in words, at the moment of ``view``."""

    def theory(self, advice: dict[int, float], view: View) -> str:
        """What equilibrium play does at that moment, as a sentence; empty where none is known."""
