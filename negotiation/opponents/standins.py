"""What became of the turns that a model should have spoken: by itself, or by the house strategist, and why.

Read from accounts as they stand in the log, so that page, alert, debrief and the next turn say the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Literal

How = Literal["spoke", "refused", "given_up", "away"]
"""``spoke``: the model itself. Else the strategist: its lines were ``refused``, it was ``given_up`` for this deal, or the
server was ``away`` or failed."""

RUNNING = 3
"""So many turns in a row whose lines were all refused: then a deal asks its model no more."""
GIVEN_UP = f"its lines were refused on {RUNNING} turns in a row, so this deal asks it no more"


def how(account: Mapping[str, Any]) -> How:
    """What became of one turn, by its account."""
    if not account["stand_in"]:
        return "spoke"
    if account["why"] == GIVEN_UP:
        return "given_up"
    return "refused" if account["interventions"] else "away"


def counted(accounts: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """How many turns there were, how many had a stand-in, and how many for each reason."""
    found = Counter(how(account) for account in accounts)
    turns = found.total()
    return {
        "turns": turns,
        "stand_ins": turns - found["spoke"],
        "refused": found["refused"],
        "given_up": found["given_up"],
        "away": found["away"],
    }
