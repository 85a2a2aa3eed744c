"""What the player's cards and called claims do to a persona, for one game and for many."""

from __future__ import annotations

from functools import cache

import numpy as np

from negotiation.engine.deal.chance import Array, Number
from negotiation.engine.deal.persona import Persona
from negotiation.engine.deal.strategist.trust import LONGEST

STEP_WHEN_CAUGHT = 0.14
"""How far being caught wears a persona down; what that costs it is in ``aims.py``."""

PRIOR_SPREAD = 0.45
"""Standard deviation of the limit that anybody expects of a stranger, in nominal zones."""
_SHARP_EASIEST, _SHARP_PER_DIFFICULTY = 0.4, 1.2
"""How much of its theory of mind a persona uses: at the middle difficulty all of it."""
MIRROR_SHARPNESS = 0.8
"""How sharp a reader the second-order mind takes the player to be."""

ANCHOR_FIRST = 1.0
"""A first number anchors at the persona's full pull; what a card does to it later is the card's (``Card.anchors``)."""

CREDULITY, PROVEN = 0.9, 0.95
"""A stated floor that is not doubted is believed this far; one that was called and proved true, this far."""


def sharpness(persona: Persona, difficulty: float) -> float:
    """How much of the evidence of the player's offers a persona takes in."""
    return persona.tom_depth * (_SHARP_EASIEST + _SHARP_PER_DIFFICULTY * difficulty)


@cache
def worn(share: float) -> Array:
    """What is left of a card that was so often heard, for :attr:`Card.wears_off`; by Python's power, not numpy's, which
    may end in another bit."""
    return np.array([share**times for times in range(LONGEST)])


def belief_in(standing: Number, doubt: Number) -> Number:
    """How far a floor that was stated and not called is believed."""
    return CREDULITY * standing * (1 - doubt)
