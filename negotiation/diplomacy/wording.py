"""Promises and phases in words, as the page shows them, and back from the log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from negotiation.diplomacy.events import GLOBAL
from negotiation.engine.diplomacy.geography import (
    FIRST_YEAR,
    POWER_ID,
    POWER_NAMES,
    POWERS,
    PROVINCE_ID,
    PROVINCE_NAMES,
    PROVINCES,
)
from negotiation.engine.diplomacy.press.promises import EVERYONE, Kind, Promise

_LONG = 40
_SEASONS = {"S": "Spring", "F": "Fall", "W": "Winter"}
_STEPS = {"M": "", "R": ", retreats", "A": ", builds and disbands"}


def phase_title(phase: str) -> str:
    """``S1901M`` as people say it."""
    if phase == "COMPLETED":
        return "The end"
    return f"{_SEASONS[phase[0]]} {phase[1:-1]}{_STEPS[phase[-1]]}"


def turn_title(turn: int) -> str:
    """A movement phase by its number."""
    return f"{'Spring' if turn % 2 == 0 else 'Fall'} {FIRST_YEAR + turn // 2}"


def power_title(power: int) -> str:
    """A power, or everybody."""
    return "everybody" if power == EVERYONE else POWER_NAMES[power]


def summary(promise: Promise) -> str:
    """What a promise binds its maker to, short: ``No attack on France until Fall 1901``."""
    places = ", ".join(PROVINCE_NAMES[place] for place in promise.places)
    unit = f" from {PROVINCE_NAMES[promise.unit]}" if promise.unit is not None else ""
    words = {
        Kind.NO_ATTACK: f"No attack on {power_title(promise.to)}",
        Kind.NOT_ENTER: f"Keeps out of {places}",
        Kind.MOVE: f"Moves{unit} to {places or 'another place'}",
        Kind.HOLD: f"Stays in {PROVINCE_NAMES[promise.unit]}"
        if promise.unit is not None
        else "Stays where it is",
        Kind.SUPPORT: f"Supports {power_title(promise.to)}{' into ' + places if places else ''}{unit}",
    }[promise.kind]
    condition = ", on a condition" if promise.conditional else ""
    return f"{words}, {_window(promise)}{condition}"


def _window(promise: Promise) -> str:
    if promise.last - promise.first > _LONG:
        return "for good"
    if promise.first == promise.last:
        return f"in {turn_title(promise.first)}"
    return f"until {turn_title(promise.last)}"


def promise_page(promise: Promise, name: str = "") -> dict[str, Any]:
    """A promise as JSON: enough to show it and to have it back."""
    return {
        "id": name,
        "by": _target(promise.by),
        "to": _target(promise.to),
        "kind": promise.kind.value,
        "summary": summary(promise),
        "first": promise.first,
        "last": promise.last,
        "places": [PROVINCES[place] for place in promise.places],
        "unit": PROVINCES[promise.unit] if promise.unit is not None else None,
        "conditional": promise.conditional,
        "words": promise.words,
    }


def promise_from_page(page: Mapping[str, Any]) -> Promise:
    """The promise that :func:`promise_page` wrote."""
    return Promise(
        Kind(page["kind"]),
        _power(page["by"]),
        _power(page["to"]),
        tuple(PROVINCE_ID[place] for place in page["places"]),
        PROVINCE_ID[page["unit"]] if page["unit"] else None,
        page["first"],
        page["last"],
        page["conditional"],
        page["words"],
    )


def _target(power: int) -> str:
    return GLOBAL if power == EVERYONE else POWERS[power]


def _power(name: str) -> int:
    return EVERYONE if name == GLOBAL else POWER_ID[name]
