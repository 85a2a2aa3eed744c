"""What a fault cost by itself, and what playing on as advised would have brought: two figures that must not be added up.

The first is the loss of one move where everything else goes on as it did; the faults of a deal can't have cost more
together than was left on the table, so they are cut to that in one measure.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coaching.analysis.finished_log import FinishedLog
from coaching.analysis.review.labels import FAULTS


def left_of(log: FinishedLog) -> float | None:
    """What the player left on the table in the end, in money; ``None`` for a deal beyond its own walk-away, which cost
    more than there was."""
    if log.outcome["floor_breached"]:
        return None
    share = log.outcome["efficiency"] if log.outcome["deal"] else 0.0
    return max(0.0, log.width) * (1 - min(1.0, share))


def with_costs(review: Mapping[str, Any], left: float | None) -> dict[str, Any]:
    """The review with the ``cost_money`` of each fault: what it cost by itself, all together never more than was left."""
    alone = sum(_alone(move) for move in review["moves"])
    measure = 1.0 if left is None or alone <= left else left / alone
    moves = [{**move, "cost_money": round(measure * _alone(move), 2)} for move in review["moves"]]
    return {**review, "moves": moves}


def cost_of(move: Mapping[str, Any]) -> float:
    """What a move of a kept review cost by itself, in money."""
    return float(move.get("cost_money", 0.0))


def _alone(move: Mapping[str, Any]) -> float:
    return float(move["alone_money"]) if move["label"] in FAULTS else 0.0
