"""The pie: both demands as slices, and what is left or fought over."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

from negotiation.engine.drills import RoundView, View
from negotiation.engine.drills.pie import DEMANDS, PIE
from negotiation.smallgames.boards.types import Choice, Line
from negotiation.smallgames.sitting import Sitting

_CENTRE, _RADIUS = 110.0, 96.0


def slice_path(start: float, end: float) -> str:
    """A slice of the drawn pie between two points of its rim, counted in tenths clockwise from the top."""

    def rim(tenths: float) -> str:
        angle = 2 * pi * tenths / PIE - pi / 2
        return f"{_CENTRE + _RADIUS * cos(angle):.1f} {_CENTRE + _RADIUS * sin(angle):.1f}"

    wide = int(end - start > PIE / 2)
    return (
        f"M{_CENTRE} {_CENTRE}L{rim(start)}A{_RADIUS} {_RADIUS} 0 {wide} 1 {rim(end)}Z" if end > start else ""
    )


class PieBoard:
    """Both know the same."""

    def __init__(self, sitting: Sitting) -> None:
        view = sitting.view
        if not isinstance(view, RoundView):
            raise TypeError("the pie is seen round by round")
        self._view = view

    @property
    def ask(self) -> str:
        """The same every round."""
        return "How much do you ask for?"

    def picture(self) -> dict[str, Any]:
        """The last two demands: mine clockwise from the top, theirs the other way round."""
        if not self._view.round:
            return {"last": None}
        own, other = self._view.own[-1], self._view.other[-1]
        return {
            "last": {
                "number": self._view.round,
                "own": own,
                "other": other,
                "fits": own + other <= PIE,
                "over": own + other - PIE,
                "left": PIE - own - other,
                "own_path": slice_path(0, own),
                "other_path": slice_path(PIE - other, PIE),
                "clash_path": slice_path(PIE - other, own),
            }
        }

    def choices(self) -> list[Choice]:
        """One to nine."""
        return [Choice(demand, str(demand)) for demand in DEMANDS]

    def lines(self, *, reveal: bool) -> list[Line]:
        """Nothing was hidden."""
        view = self._view
        return [Line(n + 1, str(view.own[n]), str(view.other[n]), view.payoffs[n]) for n in range(view.round)]

    def words(self, action: int, view: View) -> str:
        """The figure."""
        return f"Ask for {action}"

    def theory(self, advice: dict[int, float], view: View) -> str:
        """There are many; the even one is shown."""
        return "Any two demands that add up to ten are an equilibrium; 5 and 5 is the one that most people expect."
