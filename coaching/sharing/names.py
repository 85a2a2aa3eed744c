"""A shared deal without the name: nobody's name stands in its words either."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from accounts.models import User

LEFT_OUT: Final = "[name]"
SHORTEST: Final = 2
"""Letters; an initial is no name to be found in words."""


def names_of(player: User) -> list[str]:
    """What somebody is called: the whole name, its parts, and both parts of the address, longest first."""
    address = player.email.partition("@")[0]
    told = {
        player.get_full_name(),
        *player.get_full_name().split(),
        address,
        *re.split(r"[._+-]", address),
        player.email,
    }
    return sorted((each for each in told if len(each) >= SHORTEST), key=len, reverse=True)


def without(names: Iterable[str], moves: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The moves with every such name left out of their words, however it is written."""
    wanted = "|".join(re.escape(each) for each in names)
    if not wanted:
        return [dict(move) for move in moves]
    pattern = re.compile(rf"(?<!\w)(?:{wanted})(?!\w)", re.IGNORECASE)
    return [{**move, "text": pattern.sub(LEFT_OUT, move.get("text") or "")} for move in moves]
