"""Random streams beside the game itself: what a reference player draws.

Everything that a game draws itself is in ``chance.py``.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

StreamName = Literal["player"]
_STREAM_KEYS: dict[StreamName, int] = {"player": 5}


def stream(seed: int, name: StreamName, index: int = 0) -> np.random.Generator:
    """The generator of ``seed`` for one purpose and, where it is per turn, one turn."""
    return np.random.Generator(np.random.PCG64([seed, _STREAM_KEYS[name], index]))
