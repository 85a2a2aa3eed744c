"""A finished deal as a table for a spreadsheet: one line a turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from coaching.room.exports import Row

COLUMNS = (
    "turn", "you said", "your offer", "your terms", "your card", "they said", "their offer", "their terms",
    "limit they stated", "your offer is worth", "their offer is worth", "your limit", "their limit", "tension", "points",
    "expected share", "best share", "verdict", "cost by itself in money", "regret in money",
)  # fmt: skip
"""What is known of a turn. Better moves are not among it: they are to be found first."""


def turns(
    debrief: Mapping[str, Any], transcript: Sequence[Mapping[str, Any]], review: Mapping[str, Any] | None
) -> Iterator[Row]:
    """The header and one row a turn; empty where something was not said, or is not reviewed.

    Args:
        transcript: both sides' moves in order.
        review: the move review, once there is one.
    """
    yield list(COLUMNS)
    said = {(move["side"], move["turn"]): move for move in transcript}
    offers = {row["turn"]: row for row in debrief["offers"]}
    heat = {row["turn"]: row["value"] for row in debrief["tension"]}
    points = {row["turn"]: row["total"] for row in debrief["terms"]["by_turn"]}
    judged = {move["turn"]: move for move in (review or {}).get("moves", ())}
    for turn in sorted({*offers, *heat}):
        mine, theirs = said.get(("player", turn), {}), said.get(("opponent", turn), {})
        offer, verdict = offers.get(turn, {}), judged.get(turn, {})
        yield [
            turn, _words(mine), mine.get("offer"), _terms(mine), mine.get("card"),
            _words(theirs), theirs.get("offer"), _terms(theirs), theirs.get("claim"),
            offer.get("own_worth"), offer.get("their_worth"), offer.get("own_limit"), offer.get("their_limit"),
            heat.get(turn), points.get(turn), verdict.get("value"), verdict.get("best_value"), verdict.get("label"),
            verdict.get("cost_money"), verdict.get("regret_money"),
        ]  # fmt: skip


def _words(move: Mapping[str, Any]) -> str:
    """What was said; what was done instead, where that is all."""
    done = "(accepts)" if move.get("accept") else "(walks away)" if move.get("walk_away") else ""
    return move.get("text") or done


def _terms(move: Mapping[str, Any]) -> str:
    return "; ".join(f"{issue}: {option}" for issue, option in (move.get("terms") or {}).items())
