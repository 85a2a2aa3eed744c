"""From a person's words to a reading."""

from __future__ import annotations

import re

from negotiation.engine.language.types import MoneyContext, Reading, Seat

_FIGURE = re.compile(r"\$?\s?(\d[\d,]*(?:\.\d+)?)\s?([kKmM])?\b")
_UNITS = {"k": 1e3, "m": 1e6}


def understand(
    text: str,
    *,
    money: MoneyContext,
    seat: Seat,
    standing_offer: float | None = None,
    own_offer: float | None = None,
) -> Reading:
    """Read one text of the person in ``seat``; the offers are the other side's and the speaker's last."""
    for match in _FIGURE.finditer(text[:4000]):
        value = float(match[1].replace(",", "")) * _UNITS.get((match[2] or "").lower(), 1.0)
        for scale in (1.0, 1e3, 1e6):
            if money.low <= value * scale <= money.high:
                figure = value * scale
                return Reading("offer", figure, figure, ("offer",), (), 0.9, match.span())
    return Reading("none", None, None, ("inform",), (), 0.9)
