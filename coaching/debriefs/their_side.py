"""What the other side was hiding, turn by turn: for the review of a deal that is over, on demand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypedDict


class TheirSide(TypedDict):
    """As it stood while a turn was played. ``limit`` is on the ruler's scale; ``urgency`` goes from 0 to 1.

    ``stated`` is the limit that they named with their answer, if they did, and ``stands`` whether it was true, shaded or false.
    """

    turn: int
    limit: float
    urgency: float
    alternative: bool
    stated: float | None
    stands: str | None


def their_side(frames: Iterable[Mapping[str, Any]], debrief: Mapping[str, Any]) -> list[TheirSide]:
    """Their side on every turn of a finished deal.

    Args:
        frames: the log as a coach sees it.
        debrief: of the same deal.
    """
    truths = {
        frame["data"]["turn"]: frame["data"]["truth"]["opponent"]
        for frame in frames
        if frame.get("type") == "turn_graded"
    }
    claims = {claim["turn"]: claim for claim in debrief["bluffs"]["theirs"]}
    return [
        {
            "turn": row["turn"],
            "limit": row["their_limit"],
            "urgency": truth["urgency"],
            "alternative": truth["has_alternative"],
            "stated": claims.get(row["turn"], {}).get("claim"),
            "stands": claims.get(row["turn"], {}).get("stands"),
        }
        for row in debrief["offers"]
        if row["turn"] > 0
        for truth in [truths[max(turn for turn in truths if turn < row["turn"])]]
    ]
