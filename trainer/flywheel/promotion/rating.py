"""The rating of a model, from the deals of its gate, in the pool of the personas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from coaching.room.ratings import persona_at
from negotiation import glicko


def rating_from(scores: Mapping[str, Sequence[float]], difficulty: float) -> glicko.Rating:
    """One rating period: every deal against a persona as measured, the share won as the score (no deal counts 0)."""
    games = [
        (opponent, min(1.0, max(0.0, score)))
        for persona, won in scores.items()
        if (opponent := persona_at(persona, difficulty)) is not None
        for score in won
    ]
    return glicko.played(glicko.Rating(), games) if games else glicko.Rating()
