"""What patience alone would have given each side: a yardstick of theory beside the even split."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from negotiation.engine.game_theory import rubinstein_limit_share


def patience(truth: Mapping[str, Any]) -> dict[str, float] | None:
    """The player's share between two who know each other's hurry and make offers without delay.

    The hurries, both in [0, 1], stand for the rates at which the two discount (Binmore, Rubinstein & Wolinsky 1986).
    ``None`` where nobody is in a hurry: then theory knows no split.
    """
    own, theirs = float(truth["player"]["urgency"]), float(truth["opponent"]["urgency"])
    if own + theirs == 0:
        return None
    return {"own": own, "theirs": theirs, "share": rubinstein_limit_share(own, theirs)}
