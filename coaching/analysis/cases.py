"""A finished deal as a case: few facts, and its lines, so that two can be laid side by side.

Comparing two cases for what they have in common is what teaches to negotiate, where reading either alone, or being
told the principle, does not (Loewenstein, Thompson & Gentner 1999; Nadler, Thompson & Van Boven 2003).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from coaching.analysis.wording import gettext, gettext_noop
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.types import Seat
from negotiation.engine.language import understand

ENDINGS = {
    "player_accepted": gettext_noop("Took their offer"),
    "opponent_accepted": gettext_noop("They took the offer"),
    "player_walked": gettext_noop("Walked away"),
    "opponent_walked": gettext_noop("They walked away"),
    "zone_collapsed": gettext_noop("Heat used up the room"),
    "horizon": gettext_noop("Time ran out"),
}
"""How a deal ended, said of whoever sat there."""


def case_of(
    debrief: Mapping[str, Any], transcript: Sequence[Mapping[str, Any]], scenario: Scenario
) -> dict[str, Any]:
    """The facts and lines of one deal, as plain values.

    Args:
        debrief: of the finished deal.
        transcript: both sides' moves in order, each with ``side``, ``turn``, ``text``, ``offer``, ``accept``
            and ``walk_away``.
    """
    conduct, head = debrief["conduct"], debrief["headline"]
    opening = conduct["concessions"]["opening"]
    asked = [move["turn"] for move in transcript if _asks(move, scenario, debrief["seat"])]
    return {
        "deal": head["deal"],
        "price": head["price"],
        "efficiency": head["efficiency"],
        "sums": head["sums"],
        "turns": head["turns"],
        "ending": gettext(ENDINGS[head["reason"]]),
        "currency": debrief["currency"],
        "opening": opening,
        "questions": len(asked),
        "questions_first": sum(opening is None or turn < opening["turn"] for turn in asked),
        "unasked": conduct["concessions"]["unasked"],
        "unasked_money": conduct["concessions"]["unasked_money"],
        "curve": conduct["concessions"]["curve"],
        "caught": conduct["calls"]["caught"],
        "bluffs": conduct["calls"]["bluffs"],
        "heat": max(row["value"] for row in debrief["tension"]),
        "lines": lines(transcript),
    }


def lines(transcript: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """By turn, what the player and the other side said, offered, and did."""
    turns: dict[int, dict[str, Any]] = {}
    for move in transcript:
        row = turns.setdefault(move["turn"], {"turn": move["turn"], "player": None, "opponent": None})
        row[move["side"]] = {part: move[part] for part in ("text", "offer", "accept", "walk_away")}
    return [turns[turn] for turn in sorted(turns)]


def beside(own: Sequence[Mapping[str, Any]], other: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The lines of two cases, turn against turn; ``None`` where one was over."""
    left, right = ({row["turn"]: row for row in rows} for rows in (own, other))
    return [
        {"turn": turn, "own": left.get(turn), "other": right.get(turn)} for turn in sorted({*left, *right})
    ]


def _asks(move: Mapping[str, Any], scenario: Scenario, seat: Seat) -> bool:
    if move["side"] != "player" or not move["text"].strip():
        return False
    reading = understand(move["text"], money=scenario.money, seat=seat)
    return "question" in {*reading.acts, *reading.tactics}
