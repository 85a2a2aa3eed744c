"""Whether somebody changes: a word is said only where chance would hardly make it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import erfc, sqrt
from typing import Final, Literal

Change = Literal["rising", "falling", "steady"]

RECENT: Final = 20
"""Games that are looked at, the last ones: what was long before is another person's change."""
LEAST: Final = 6
"""With fewer games no order is rare enough to speak of."""
SURE: Final = 0.01
"""How often a line without a change may get a word. Eight lines stand on a page: one in thirteen of them all."""


def change(scores: Sequence[float]) -> Change:
    """Where the scores of successive games go: Mann and Kendall's test of a trend (Mann 1945; Kendall 1975).

    Args:
        scores: oldest first.
    """
    recent = list(scores)[-RECENT:]
    if len(recent) < LEAST:
        return "steady"
    rises, chance = trend(recent)
    if chance >= SURE:
        return "steady"
    return "rising" if rises > 0 else "falling"


def trend(scores: Sequence[float]) -> tuple[int, float]:
    """Pairs that rise less pairs that fall, and how often chance alone would differ from none by as much.

    The second is two-sided, by the normal approximation with ties and continuity corrected.
    """
    count = len(scores)
    rises = sum(
        (later > earlier) - (later < earlier)
        for place, earlier in enumerate(scores)
        for later in scores[place + 1 :]
    )
    ties = sum(n * (n - 1) * (2 * n + 5) for n in Counter(scores).values())
    variance = (count * (count - 1) * (2 * count + 5) - ties) / 18
    if variance <= 0 or rises == 0:
        return rises, 1.0
    return rises, erfc((abs(rises) - 1) / sqrt(2 * variance))
