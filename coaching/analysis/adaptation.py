"""What news changed at the table, and whether the player's course changed with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from coaching.analysis.curves import OwnStep
from negotiation.engine.deal.reward import ADAPT_WITHIN_TURNS
from negotiation.engine.deal.types import SIGN, Seat


def adaptation(
    news: Sequence[Mapping[str, Any]],
    moves: Mapping[int, Mapping[str, Any]],
    steps: Sequence[OwnStep],
    truth_before: Callable[[int], Mapping[str, Any]],
    seat: Seat,
) -> list[dict[str, Any]]:
    """For each headline: what it did to both limits, what the player estimated, and both paces around it.

    Args:
        news: headlines with the turn that they came with.
        moves: the player's moves by turn.
        truth_before: both truths as they stood while a turn was played.

    Returns:
        Money in whole currency units. A shift above 0 is to the player's good: room that was won, at either end.
        A pace is the mean step of the player's offers, over the turns before the news and the few after it.
    """
    sign = SIGN[seat]
    rows = []
    for headline in news:
        turn = headline["turn"]
        before, after = truth_before(turn - 1), truth_before(turn)
        # News moves a seat's budget along with its limit; heat moves the limit alone.
        theirs = after["opponent"]["budget"] - before["opponent"]["budget"]
        own = after["player"]["budget"] - before["player"]["budget"]
        soon = range(turn, turn + ADAPT_WITHIN_TURNS)
        stated = next(
            (
                moves[t]["event_estimate"]
                for t in soon
                if t in moves and moves[t]["event_estimate"] is not None
            ),
            None,
        )
        rows.append(
            {
                "turn": turn,
                "text": headline["text"],
                "kind": headline["kind"],
                "their_shift": sign * theirs,
                "own_shift": -sign * own,
                "estimate": stated,
                "actual": theirs / (after["opponent"]["walk_away"] - theirs),
                "pace_before": _pace([step for step in steps if step.turn < turn]),
                "pace_after": _pace([step for step in steps if step.turn in soon]),
            }
        )
    return rows


def _pace(steps: Sequence[OwnStep]) -> float | None:
    return sum(step.gave for step in steps) / len(steps) if steps else None
