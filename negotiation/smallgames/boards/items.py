"""Books, hats and balls: every piece on the table, with whose it would be."""

from __future__ import annotations

from typing import Any, Literal

from negotiation.engine.drills import RoundView, SimultaneousMatch, View
from negotiation.engine.drills.books_hats_balls import ITEMS, Bundle, decode
from negotiation.engine.drills.theory.division import Items
from negotiation.smallgames.boards.types import Choice, Line
from negotiation.smallgames.sitting import OTHER, Sitting

Whose = Literal["own", "other", "both", "none"]


def bundle_words(bundle: Bundle) -> str:
    """A bundle as people say it."""
    parts = [
        f"{count} {kind if count > 1 else kind[:-1]}"
        for kind, count in zip(ITEMS, bundle, strict=True)
        if count
    ]
    return ", ".join(parts) or "nothing"


def _pieces(pool: int, own: int, other: int) -> list[Whose]:
    """Whose each piece would be: mine from the left, theirs from the right."""
    return [
        "both"
        if piece < own and piece >= pool - other
        else "own"
        if piece < own
        else "other"
        if piece >= pool - other
        else "none"
        for piece in range(pool)
    ]


class ItemsBoard:
    """The piles and one's own values; theirs only at the end."""

    def __init__(self, sitting: Sitting) -> None:
        view, match = sitting.view, sitting.match
        if not isinstance(view, RoundView) or not isinstance(match, SimultaneousMatch):
            raise TypeError("the items are seen round by round")
        self._view, self._match = view, match
        self._pool, self._values = view.private[:3], view.private[3:]

    @property
    def ask(self) -> str:
        """The same every round."""
        return "What do you ask for?"

    def _worth(self, bundle: Bundle) -> int:
        return sum(count * value for count, value in zip(bundle, self._values, strict=True))

    def picture(self) -> dict[str, Any]:
        """Each kind: how many, worth how much, whose each piece would have been, and what may be asked now."""
        last = (decode(self._view.own[-1]), decode(self._view.other[-1])) if self._view.round else None
        kinds = [
            {
                "kind": kind,
                "value": self._values[i],
                "pieces": _pieces(self._pool[i], last[0][i], last[1][i])
                if last
                else ["none"] * self._pool[i],
                "counts": range(self._pool[i] + 1),
                "asked": last[0][i] if last else None,
                "clash": bool(last) and last[0][i] + last[1][i] > self._pool[i] if last else False,
            }
            for i, kind in enumerate(ITEMS)
        ]
        whole: Bundle = (self._pool[0], self._pool[1], self._pool[2])
        drawn: dict[str, Any] = {"kinds": kinds, "whole": self._worth(whole), "last": None}
        if last:
            clashes = [row["kind"] for row in kinds if row["clash"]]
            drawn["last"] = {
                "number": self._view.round,
                "own": bundle_words(last[0]),
                "other": bundle_words(last[1]),
                "clashes": " and ".join(map(str, clashes)),
                "paid": self._view.payoffs[-1],
            }
        return drawn

    def choices(self) -> list[Choice]:
        """The form asks for each kind by itself."""
        return []

    def lines(self, *, reveal: bool) -> list[Line]:
        """Demands, in words."""
        view = self._view
        return [
            Line(
                n + 1,
                bundle_words(decode(view.own[n])).capitalize(),
                bundle_words(decode(view.other[n])).capitalize(),
                view.payoffs[n],
            )
            for n in range(view.round)
        ]

    def words(self, action: int, view: View) -> str:
        """The bundle, and what it is worth."""
        bundle = decode(action)
        return f"{bundle_words(bundle).capitalize()} ({self._worth(bundle)})"

    def theory(self, advice: dict[int, float], view: View) -> str:
        """No equilibrium is known: neither knows what the other values."""
        return ""

    def nash(self) -> dict[str, Any]:
        """Once it is over: what they valued, and Nash's division."""
        theirs = self._match.private[OTHER][3:]
        pool: Bundle = (self._pool[0], self._pool[1], self._pool[2])
        items = Items(
            pool, ((self._values[0], self._values[1], self._values[2]), (theirs[0], theirs[1], theirs[2]))
        )
        mine = items.nash()
        return {
            "kinds": [
                {"kind": kind, "pool": pool[i], "own": self._values[i], "other": theirs[i], "mine": mine[i],
                 "theirs": pool[i] - mine[i]}
                for i, kind in enumerate(ITEMS)
            ],
            "own": items.worth(0, mine),
            "other": items.worth(1, items.left(mine)),
        }  # fmt: skip
