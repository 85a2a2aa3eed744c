"""Random streams beside the game itself: what a reference player draws, and the persona's choice of words.

Everything that decides a game is drawn in ``chance.py``.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

StreamName = Literal["player", "speech"]
_STREAM_KEYS: dict[StreamName, int] = {"player": 5, "speech": 6}


def stream(seed: int, name: StreamName, index: int = 0) -> np.random.Generator:
    """The generator of ``seed`` for one purpose and, where it is per turn, one turn."""
    return np.random.Generator(np.random.PCG64([seed, _STREAM_KEYS[name], index]))
