"""Who is stuck: the rules, each with its reason in words. Pure, so that each can be tested by itself."""

from __future__ import annotations

from collections.abc import Sequence

IDLE_SECONDS = 120
AWAY_SECONDS = 3600
SAME_OFFER_TURNS = 3
STEPS = (120, 300, 600, 1200, 2400)
"""Seconds at which a reason says a longer time without a move."""


def reasons(
    *, idle_seconds: float, awaits_rep: bool, own_offers: Sequence[float | None], band: str, currency: str
) -> list[str]:
    """Why somebody should look at this deal; empty when it goes along by itself.

    Args:
        idle_seconds: since the log last grew.
        awaits_rep: it is the rep's move; a slow opponent is nobody's being stuck.
        own_offers: the rep's binding offer in each turn so far, oldest first, None where a turn bound none.
        band: the tension band as the table shows it.
    """
    found = []
    if awaits_rep and idle_seconds >= IDLE_SECONDS:
        found.append(f"No move for {spell(_rounded(idle_seconds))}")
    last = list(own_offers)[-SAME_OFFER_TURNS:]
    if len(last) == SAME_OFFER_TURNS and last[0] is not None and len(set(last)) == 1:
        found.append(f"The same offer three turns in a row, {currency}{last[0]:,.0f}")
    if band == "critical":
        found.append("The tension is critical")
    return found


def _rounded(seconds: float) -> float:
    """Down to a step: the row counts the time itself, and need not come again each minute for this."""
    return (
        max((each for each in STEPS if each <= seconds), default=seconds)
        if seconds < AWAY_SECONDS
        else seconds
    )


def spell(seconds: float) -> str:
    """A stretch of time as a person says it: 40 seconds, 3 minutes, 2 hours, 4 days."""
    for size, name in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size:
            count = int(seconds // size)
            return f"{count} {name}{'s' if count > 1 else ''}"
    return f"{int(seconds)} seconds"
