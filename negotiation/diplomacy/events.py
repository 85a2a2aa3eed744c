"""The log of a game: what kinds of rows there are, and what each role may see of them.

Roles: a power's name is its player, and who watches through that player's link while several people play; ``reveal`` is who
watches the only person at a table, and everybody once the game is over.
A role that may see nothing of a row is sent its bare number, so that sequences stay contiguous.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypedDict, get_args

EventType = Literal[
    "opened", "joined", "said", "ordered", "withdrawn", "covered", "planned", "played", "ended", "watched"
]
EVENT_TYPES: tuple[EventType, ...] = get_args(EventType)

Row = tuple[EventType, dict[str, Any]]
"""An event on its way into the log."""

REVEAL = "reveal"
GLOBAL = "GLOBAL"


class Opened(TypedDict):
    """How a game begins: the position, by power whether a person sits there and which bot does otherwise, its pace.

    Names of people are not in the log: they are read from the seats, and go with the account.
    """

    position: dict[str, Any]
    seats: dict[str, dict[str, Any]]
    years: int
    seconds: int | None
    deadline: str | None
    parent_phase: str


class Joined(TypedDict):
    """A person took a seat that a bot had kept."""

    power: str


class Promised(TypedDict):
    """A promise in a message; ``id`` is its name in the ledger, "" where it has not got there."""

    id: str
    by: str
    to: str
    kind: str
    summary: str
    first: int
    last: int
    places: list[str]
    unit: str | None
    conditional: bool
    words: str


class Said(TypedDict):
    """A message: ``promises`` are what it added to the ledger, ``spoken`` and ``asks`` what it says by itself.

    ``tag`` is what the sender meant by it.
    """

    by: str
    to: str
    phase: str
    text: str
    tag: str | None
    promises: list[Promised]
    spoken: list[Promised]
    asks: list[Promised]
    agrees: bool


class Ordered(TypedDict):
    """A person's orders are in; what they are only that person knows, and a spectator."""

    power: str
    orders: list[str]


class Planned(TypedDict):
    """What the bots would order as things stand, for spectators."""

    phase: str
    orders: dict[str, list[str]]


class Played(TypedDict):
    """A phase is over: all orders with what came of them, the position after, what became of promises."""

    phase: str
    submitted: dict[str, list[str]]
    results: dict[str, list[dict[str, Any]]]
    position: dict[str, Any]
    verdicts: list[dict[str, str]]
    deadline: str | None


class Ended(TypedDict):
    """Why it is over, and who holds what."""

    reason: str
    winner: str | None
    centers: dict[str, int]


class Watched(TypedDict):
    """The truth of a live game was opened through the link of ``power``; who looked is read from the link's views."""

    power: str


class Frame(TypedDict):
    """One row on its way to a browser; only ``seq`` where the role may see nothing of it."""

    seq: int
    type: NotRequired[str]
    data: NotRequired[dict[str, Any]]


def shown(*, seq: int, kind: str, data: Mapping[str, Any], role: str) -> Frame:
    """The row as ``role`` may see it."""
    seen = dict(data) if role == REVEAL else _for_power(kind, data, role)
    return {"seq": seq} if seen is None else {"seq": seq, "type": kind, "data": seen}


def _for_power(kind: str, data: Mapping[str, Any], power: str) -> dict[str, Any] | None:
    if kind in ("opened", "joined", "withdrawn", "covered", "ended", "watched"):
        return dict(data)
    if kind == "said":
        if power not in (data["by"], data["to"]) and data["to"] != GLOBAL:
            return None
        return {**data, "tag": data["tag"] if data["by"] == power else None}
    if kind == "ordered":
        return dict(data) if data["power"] == power else {"power": data["power"]}
    if kind == "played":
        mine = [row for row in data["verdicts"] if power in (row["by"], row["to"]) or row["to"] == GLOBAL]
        return {**data, "verdicts": mine}
    return None
