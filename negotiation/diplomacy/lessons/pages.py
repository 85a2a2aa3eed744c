"""The page of a lesson: its sentences and its pictures."""

from __future__ import annotations

from typing import Any

from negotiation.diplomacy.models import AllianceLesson, BoardSeat
from negotiation.diplomacy.selectors import sitting_of
from negotiation.diplomacy.wording import phase_title
from negotiation.engine.diplomacy.geography import POWER_ID, POWER_NAMES, POWERS
from negotiation.engine.diplomacy.press.promises import PromiseVerdict

_WIDTH, _REACH = 360.0, 2.0
"""Of a picture, in its own units; centres to either side of nought."""


def lesson_page(seat: BoardSeat, lesson: AllianceLesson) -> dict[str, Any]:
    """Everything that the template shows."""
    return {
        "game": seat.game,
        "power": POWER_NAMES[POWER_ID[seat.power]],
        "slug": seat.power,
        "waiting": lesson.is_open,
        "failed": lesson.state in (lesson.State.FAILED, lesson.State.CANCELLED),
        "chapters": [_chapter(row) for row in lesson.chapters or []],
        "faith": _faith(seat),
    }


def _chapter(row: dict[str, Any]) -> dict[str, Any]:
    return {
        **row,
        "title": phase_title(row["phase"]),
        "words": _worth(row["words"]),
        "breach": _worth(row["breach"]),
    }


def _worth(row: dict[str, float] | None) -> dict[str, Any] | None:
    if row is None:
        return None
    clear = row["low"] > 0 or row["high"] < 0
    return {
        **{name: signed(value) for name, value in row.items()},
        "clear": clear,
        "gained": row["mean"] > 0,
        "size": abs(row["mean"]),
        "x": _x(row["mean"]),
        "x_low": _x(row["low"]),
        "x_width": _x(row["high"]) - _x(row["low"]),
        "middle": _x(0.0),
    }


def signed(value: float) -> str:
    """A difference in words: with its sign, two places."""
    return f"{value:+.2f}".replace("-", "−") if value else "0"


def _x(value: float) -> float:
    held = min(max(value, -_REACH), _REACH)
    return round(_WIDTH / 2 + held * (_WIDTH / 2 - 12) / _REACH, 1)


def _faith(seat: BoardSeat) -> list[dict[str, Any]]:
    """By power: what it promised the player, and what became of it."""
    ledger, me = sitting_of(seat.game).ledger, POWER_ID[seat.power]
    rows = []
    for power, name in enumerate(POWERS):
        if power == me:
            continue
        verdicts = [
            entry.verdict for entry in ledger.entries if entry.promise.by == power and entry.promise.to == me
        ]
        if verdicts:
            kept, broken = verdicts.count(PromiseVerdict.KEPT), verdicts.count(PromiseVerdict.BROKEN)
            rows.append(
                {
                    "slug": name,
                    "name": POWER_NAMES[power],
                    "made": len(verdicts),
                    "kept": kept,
                    "broken": broken,
                }
            )
    return rows
