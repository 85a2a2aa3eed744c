"""What comes in from a match's page, as a form or as a frame: which action, seen from which moment, under which name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from negotiation.engine.drills.books_hats_balls import ITEMS, encode
from negotiation.table.errors import MoveRefused


def action_of(given: Mapping[str, Any]) -> int:
    """The action as the engine counts it; books, hats and balls come one by one."""
    if all(kind in given for kind in ITEMS):
        counts = [whole_of(given, kind) for kind in ITEMS]
        # A demand beyond any pile would be read as another demand.
        return -1 if max(counts) > 4 else encode(counts)
    if any(kind in given for kind in ITEMS):
        raise MoveRefused("incomplete", "Say for each of the three how many you want.", "action")
    return whole_of(given, "action")


def whole_of(given: Mapping[str, Any], name: str) -> int:
    """A whole number from 0, as digits or as a number."""
    raw = str(given.get(name, ""))
    if not (raw.isascii() and raw.isdigit() and len(raw) < 6):
        raise MoveRefused(f"bad_{name}", "Choose one of the moves on the table.", name)
    return int(raw)
