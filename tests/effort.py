"""How much is tried: ``bin/test --all`` tries everything, the quick set a part of it. PARLAY_TESTS says which this is."""

from __future__ import annotations

import os
from typing import TypeVar

_Much = TypeVar("_Much")
PROFILE = os.environ.get("PARLAY_TESTS", "quick")


def times(whole: int) -> int:
    """So many examples of a property: all of them in the thorough profile, a quarter in the quick one."""
    return whole if PROFILE == "thorough" else whole // 4


def few(quick: _Much, whole: _Much) -> _Much:
    """``whole`` in the thorough profile, ``quick`` else."""
    return whole if PROFILE == "thorough" else quick
