"""The sealed bids: a scale from nothing to four with the value and both bids on it."""

from __future__ import annotations

from typing import Any

from negotiation.engine.drills import RoundView, SimultaneousMatch, View
from negotiation.engine.drills.auction import BIDS
from negotiation.smallgames.boards.types import Choice, Line
from negotiation.smallgames.sitting import OTHER, Sitting

NAMES = {1: "Low", 2: "Medium", 3: "High"}
_LEFT, _UNIT = 24, 88
"""Where nothing lies on the drawn scale, and how wide one is."""


def _at(amount: float) -> float:
    return _LEFT + _UNIT * amount


class AuctionBoard:
    """Own values up to now; of the other side only bids."""

    def __init__(self, sitting: Sitting) -> None:
        view, match = sitting.view, sitting.match
        if not isinstance(view, RoundView) or not isinstance(match, SimultaneousMatch):
            raise TypeError("the auction is seen round by round")
        self._view, self._match = view, match

    @property
    def ask(self) -> str:
        """What it is worth now."""
        return f"It is worth {self._view.private[-1]} to you. What do you bid?"

    def picture(self) -> dict[str, Any]:
        """The last round on the scale, and the value of this one."""
        view = self._view
        ticks = [{"x": _at(amount), "label": amount} for amount in range(5)]
        now = None if self._match.done else view.private[-1]
        drawn: dict[str, Any] = {"ticks": ticks, "now": now, "now_x": _at(now or 0), "last": None}
        if view.round:
            value, own, other = view.private[view.round - 1], view.own[-1], view.other[-1]
            left, right = sorted((_at(own), _at(value)))
            drawn["last"] = {
                "number": view.round,
                "value": value,
                "value_x": _at(value),
                "own": own,
                "own_x": _at(own),
                "other": other,
                "other_x": _at(other),
                "won": own > other,
                "tie": own == other,
                "loss": own > value,
                "left": left,
                "width": right - left,
                "paid": view.payoffs[-1],
            }
        return drawn

    def choices(self) -> list[Choice]:
        """Three bids, and what winning with each would leave."""
        value = self._view.private[-1]
        return [Choice(bid, f"{NAMES[bid]}, {bid}", self._leaves(value - bid)) for bid in BIDS]

    @staticmethod
    def _leaves(kept: int) -> str:
        return "winning costs you 1" if kept < 0 else f"winning leaves you {kept or 'nothing'}"

    def lines(self, *, reveal: bool) -> list[Line]:
        """Bids, own values, and at the end theirs."""
        view, theirs = self._view, self._match.private[OTHER] if reveal else None
        return [
            Line(
                n + 1,
                f"{view.own[n]} on a {view.private[n]}",
                f"{view.other[n]}" + (f" on a {theirs[n]}" if theirs else ""),
                view.payoffs[n],
            )
            for n in range(view.round)
        ]

    def words(self, action: int, view: View) -> str:
        """The bid's name and figure."""
        return f"{NAMES[action]}, {action}"

    def theory(self, advice: dict[int, float], view: View) -> str:
        """Half of the value."""
        if not isinstance(view, RoundView):
            return ""
        (bid,) = advice
        return f"In equilibrium you bid {bid} on a {view.private[-1]}: half of what it is worth."
