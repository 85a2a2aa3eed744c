"""Random streams of a game for three: one seed, independent generators by purpose and turn.

Truth, characters and each turn draw apart, so that a different move early on changes no draw later.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

Purpose = Literal["truth", "character", "turn", "speech", "player"]
_KEYS: dict[Purpose, int] = {"truth": 1, "character": 2, "turn": 3, "speech": 4, "player": 5}
_THREE = 3
"""Keeps these streams apart from those of the deal for two, which start from the same seeds."""


def stream(seed: int, purpose: Purpose, index: int = 0) -> np.random.Generator:
    """The generator of ``seed`` for one purpose and, where it is per turn, one turn."""
    return np.random.Generator(np.random.PCG64([seed, _THREE, _KEYS[purpose], index]))
