"""Random numbers for players, laid out by seed, phase, power and province.

Two games under one seed hand the same number to the same power's unit in the same place and phase, whatever else
differs between them (common random numbers), so that their difference is what somebody did, not luck.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from negotiation.engine.diplomacy.geography import POWERS, PROVINCES
from negotiation.engine.diplomacy.state import State

Draws = npt.NDArray[np.float64]
"""(provinces, NUMBERS): uniform on [0, 1), for one power in one phase."""
NUMBERS = 9


class Chance:
    """The numbers of one seed, or of one game or rollout within it: ``Chance(seed, game)``."""

    def __init__(self, *key: int) -> None:
        self._key = key
        self._phase = (-1, -1)
        self._block = np.empty((0,))

    def draws(self, state: State, power: int) -> Draws:
        """The numbers of ``power`` in the phase that ``state`` is in."""
        phase = (state.year, state.season)
        if phase != self._phase:
            self._phase = phase
            rng = np.random.Generator(np.random.SFC64([*self._key, *phase]))
            self._block = rng.random((len(POWERS), len(PROVINCES), NUMBERS))
        block: Draws = self._block[power]
        return block
