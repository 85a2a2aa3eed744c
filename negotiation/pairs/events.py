"""The log of a deal between two people: what can be written in it, and who may see what of it.

This is the one place where redaction is decided. What is one seat's own lies in a row under ``own``, by seat; a role is
given its seat's part and nothing of the other. Each seat is shown the log from where it sits, in the frames of the deal
for two (``negotiation.events``), so the same fold and the same page serve both.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypedDict, get_args

from negotiation.engine.deal.types import OTHER_SEAT, SIGN, Seat

EventType = Literal["seated", "started", "moved", "news", "closed", "ended", "opened", "revealed"]
EVENT_TYPES: tuple[EventType, ...] = get_args(EventType)

WATCHES = "watch-"
"""Before a seat's name: the role of whoever looks on from that side and sees what is said and offered, no sheet."""


class Seated(TypedDict):
    """Who sits where, by name."""

    seat: Seat
    name: str


class Started(TypedDict):
    """The set-up. ``own`` holds each seat's own truth and, where there is a case, its own sheet of facts."""

    scenario: str
    opens: Seat
    horizon: int
    law: int
    case: NotRequired[str]
    own: dict[Seat, dict[str, Any]]


class Moved(TypedDict):
    """One move, exactly as it was bound. ``own`` is what its maker alone knows of it: what they believe of the other
    side, and what their words were heard to do."""

    turn: int
    seat: Seat
    text: str
    offer: float | None
    terms: dict[str, str] | None
    accept: bool
    walk_away: bool
    action_id: str
    own: dict[Seat, dict[str, Any]]


class News(TypedDict):
    """A headline: public words only."""

    turn: int
    id: str
    kind: str
    text: str


class Closed(TypedDict):
    """The table after a move: what both see, and under ``own`` what each seat alone does. ``turn`` counts the closed
    ones, ``move`` the moves of both; ``move_by`` is until when ``on_turn`` has to move."""

    turn: int
    move: int
    on_turn: Seat
    move_by: str
    tension: float
    tension_band: str
    zopa_width_pct_remaining: float
    packages: dict[Seat, dict[str, Any]]
    own: dict[Seat, dict[str, Any]]


class Ended(TypedDict):
    """How it ended. ``sealed`` is what neither may see: it is shown to both once both have shown their cards."""

    turn: int
    reason: str
    by: Seat | None
    price: float | None
    agreed: dict[str, str]
    own: dict[Seat, dict[str, Any]]
    sealed: dict[str, Any]


class Opened(TypedDict):
    """After the end one side agrees to lay its cards open."""

    seat: Seat


class Revealed(TypedDict):
    """Both have agreed: what was sealed, for both to see."""

    sealed: dict[str, Any]


def seat_seen_by(role: str) -> tuple[Seat, bool]:
    """From which seat a role sees the table, and whether it sees that seat's own sheet."""
    name = role.removeprefix(WATCHES)
    return next(seat for seat in SIGN if seat == name), name == role


def redact(*, seq: int, kind: EventType, data: Mapping[str, Any], role: str) -> dict[str, Any]:
    """The event as ``role`` may see it. Sequences stay contiguous: what is hidden leaves a bare number."""
    seat, whole = seat_seen_by(role)
    shown = _FRAMES[kind](data, seat) if kind in _FRAMES else None
    if shown is None:
        return {"seq": seq}
    name, frame = shown
    own = data.get("own", {}).get(seat, {}) if whole else {}
    return {"seq": seq, "type": name, "data": {**frame, **own}}


Shown = tuple[str, dict[str, Any]]


def _started(data: Mapping[str, Any], seat: Seat) -> Shown:
    public = {name: data[name] for name in ("scenario", "horizon", "opens", "law", "case") if name in data}
    return "game_started", {**public, "persona": "", "seat": seat}


def _moved(data: Mapping[str, Any], seat: Seat) -> Shown:
    parts = ("turn", "text", "offer", "terms", "accept", "walk_away", "action_id")
    public = {name: data[name] for name in parts}
    blank = {"card": None, "claim": None, "challenge": None}
    if data["seat"] == seat:
        return "player_moved", {**public, **blank, "alternatives": []}
    return "opponent_moved", {**public, **blank, "stand_in": False, "preferred": None}


def _news(data: Mapping[str, Any], seat: Seat) -> Shown:
    return "news", dict(data)


def _closed(data: Mapping[str, Any], seat: Seat) -> Shown:
    mine, theirs = data["packages"][seat], data["packages"][OTHER_SEAT[seat]]
    parts = ("turn", "move", "move_by", "tension", "tension_band", "zopa_width_pct_remaining")
    return "turn_closed", {
        **{name: data[name] for name in parts},
        "on_turn": data["on_turn"] == seat,
        "own_offer": mine["price"],
        "own_terms": mine["terms"],
        "standing_offer": theirs["price"],
        "standing_terms": theirs["terms"],
        "open_claim": None,
        "pending_estimate": None,
    }


def _ended(data: Mapping[str, Any], seat: Seat) -> Shown:
    who = "player" if data["by"] == seat else "opponent"
    by_a_seat = data["by"] is not None
    outcome = {
        "reason": f"{who}_{data['reason']}" if by_a_seat else data["reason"],
        "deal": data["price"] is not None,
        "price": data["price"],
        "agreed": data["agreed"],
    }
    return "game_ended", {"turn": data["turn"], "outcome": outcome}


_FRAMES: dict[EventType, Any] = {
    "started": _started,
    "moved": _moved,
    "news": _news,
    "closed": _closed,
    "ended": _ended,
}
