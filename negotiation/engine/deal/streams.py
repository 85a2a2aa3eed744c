"""Random streams: one seed, many independent generators, each with a name.

Truth, events, character and each turn's choices draw from separate streams, so that a different move
at turn 3 changes neither the news at turn 8 nor the character across the table. This is what makes
common random numbers (retry, regret, paired comparison) possible.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

StreamName = Literal["truth", "events", "character", "turn", "player", "speech"]
_STREAM_KEYS: dict[StreamName, int] = {
    "truth": 1,
    "events": 2,
    "character": 3,
    "turn": 4,
    "player": 5,
    "speech": 6,
}


def stream(seed: int, name: StreamName, index: int = 0) -> np.random.Generator:
    """The generator of ``seed`` for one purpose and, where it is per turn, one turn."""
    return np.random.Generator(np.random.PCG64([seed, _STREAM_KEYS[name], index]))
