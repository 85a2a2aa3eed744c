"""The log of a deal for three: what can be written in it, and who may see what of it.

This is the one place where redaction is decided. A seat sees the keys listed for an event and nothing else; a private
turn of two others leaves it a bare number, so that sequences stay contiguous.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypedDict, get_args

EventType = Literal["started", "acted", "ended", "watched"]
EVENT_TYPES: tuple[EventType, ...] = get_args(EventType)

REVEAL = "reveal"
"""The role of whoever watches with all cards open; every other role is a seat."""


class Started(TypedDict):
    """The set-up. ``own`` is the player's own stake; nobody else's is ever in the log of a live deal."""

    scenario: str
    seat: str
    opponents: dict[str, str]
    horizon: int
    player_name: str
    own: dict[str, float]


class Acted(TypedDict):
    """One seat's turn, as the engine records it."""

    number: int
    round: int
    seat: str
    text: str
    to: str | None
    proposal: dict[str, Any] | None
    support: int | None
    claim: dict[str, Any] | None
    walk_away: bool


class Ended(TypedDict):
    """How it ended; the whole outcome is public from this moment."""

    outcome: dict[str, Any]


class Watched(TypedDict):
    """The truth of a live deal was opened through a link; who looked is read from the link's views."""


class Frame(TypedDict):
    """One event on its way to a browser; only ``seq`` when the role may not see it."""

    seq: int
    type: NotRequired[EventType]
    data: NotRequired[dict[str, Any]]


_KEYS: dict[EventType, frozenset[str]] = {
    "started": frozenset(Started.__annotations__),
    "acted": frozenset(Acted.__annotations__),
    "ended": frozenset(Ended.__annotations__),
    "watched": frozenset(Watched.__annotations__),
}


def redact(*, seq: int, kind: EventType, data: Mapping[str, Any], role: str) -> Frame:
    """The event as ``role`` may see it: a seat, or who watches with all cards open."""
    private = kind == "acted" and data["to"] is not None
    if private and role not in (data["seat"], data["to"], REVEAL):
        return {"seq": seq}
    return {"seq": seq, "type": kind, "data": {key: data[key] for key in data if key in _KEYS[kind]}}
