"""The second question of a debrief: where was it decided? The turn with its words, and what each move cost, as columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypedDict

from django.utils.translation import gettext, gettext_noop

from coaching.analysis.costs import cost_of
from coaching.analysis.review.labels import FAULTS

SIGNS: Final = {"best": "★", "good": "✓", "inaccuracy": "?!", "mistake": "?", "blunder": "??"}
"""The sign of a verdict beside its word; ``static/js/review-words.js`` has the same."""

WORDS: Final = {
    "best": gettext_noop("Best"),
    "good": gettext_noop("Good"),
    "inaccuracy": gettext_noop("Inaccuracy"),
    "mistake": gettext_noop("Mistake"),
    "blunder": gettext_noop("Blunder"),
}
NO_VERDICT: Final = gettext_noop("No verdict")

LEAST_SEEN: Final = 12.0
"""How tall a fault stands at least, in per cent, that it is seen."""


class Column(TypedDict):
    """A move in the strip: its verdict, what it cost by itself, in money, and its height, in per cent of the tallest."""

    turn: int
    label: str
    sign: str
    word: str
    cost: float | None
    height: float


class BetterMove(TypedDict):
    """The move that gained most over the next best one, for a deal without a fault."""

    turn: int
    gain: float


class TurnWords(TypedDict):
    """What both sides did on a turn, as in the transcript; words that were deleted are gone."""

    own: Mapping[str, Any] | None
    reply: Mapping[str, Any] | None


def columns(review: Mapping[str, Any] | None) -> list[Column]:
    """Every reviewed move with what it cost; empty without a review."""
    moves = (review or {}).get("moves", ())
    most = max((cost_of(move) for move in moves), default=0.0)
    return [_column(move, most) for move in moves]


def _column(move: Mapping[str, Any], most: float) -> Column:
    fault = move["label"] in FAULTS
    return {
        "turn": move["turn"],
        "label": move["label"] or "none",
        "sign": SIGNS.get(move["label"], "·"),
        "word": gettext(WORDS.get(move["label"], NO_VERDICT)),
        "cost": cost_of(move) or None,
        "height": round(max(LEAST_SEEN, 100 * cost_of(move) / most if most else 0.0), 1) if fault else 0.0,
    }


def led(review: Mapping[str, Any] | None) -> list[int]:
    """The turns that are not judged because of the guide of a first deal."""
    moves = (review or {}).get("moves", ())
    return [move["turn"] for move in moves if (move.get("unjudged") or {}).get("why") == "guide"]


def exchange(transcript: Iterable[Mapping[str, Any]], turn: int) -> TurnWords:
    """Both sides' moves on a turn."""
    on_turn = [move for move in transcript if move["turn"] == turn]
    return {
        "own": next((move for move in on_turn if move["side"] == "player"), None),
        "reply": next((move for move in on_turn if move["side"] == "opponent"), None),
    }


def better(review: Mapping[str, Any] | None, turn: int) -> str:
    """The better move of the turn that the debrief tells of, as the review words it."""
    for move in (review or {}).get("moves", ()):
        if move["turn"] == turn and move["better"] is not None:
            return str(move["better"]["text"])
    return ""


def best_move(review: Mapping[str, Any] | None, step: float) -> BetterMove | None:
    """The best move that was furthest ahead of what else was on offer; ``None`` where none was ahead by a price step."""
    moves: Sequence[Mapping[str, Any]] = (review or {}).get("moves", ())
    room = next((m["regret_money"] / m["regret"] for m in moves if m["regret"] > 0), None)
    if room is None:
        return None
    leads = [(_lead(move) * room, move["turn"]) for move in moves if move["label"] == "best"]
    gain, turn = max(leads, default=(0.0, 0))
    return {"turn": turn, "gain": round(gain / step) * step} if gain >= step else None


def _lead(move: Mapping[str, Any]) -> float:
    played = next((choice["value"] for choice in move["choices"] if choice["played"]), move["value"])
    others = [choice["value"] for choice in move["choices"] if not choice["played"]]
    return float(played - max(others)) if others else 0.0
