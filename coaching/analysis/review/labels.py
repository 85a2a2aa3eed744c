"""From regret to a word: the bands of the review."""

from __future__ import annotations

from typing import Literal

from coaching.analysis.review.values import EDGE, Regret

Label = Literal["best", "good", "inaccuracy", "mistake", "blunder"]
LABELS: tuple[Label, ...] = ("best", "good", "inaccuracy", "mistake", "blunder")
FAULTS: tuple[Label, ...] = ("inaccuracy", "mistake", "blunder")

_BANDS: tuple[tuple[float, Label], ...] = (
    (0.01, "best"),
    (EDGE, "good"),
    (0.07, "inaccuracy"),
    (0.15, "mistake"),
)
SURE = 2.0
"""Standard errors that a regret must reach before anything is said against a move."""
SURE_OF_THE_EDGE = 1.0
"""Standard errors that a regret must lie beyond the edge of a fault: nearer to it, there is no verdict."""


def could_be_costly(regret: Regret) -> bool:
    """Whether more than an inaccuracy can't be ruled out."""
    return regret.mean + SURE * regret.error > _BANDS[2][0]


def label_of(regret: Regret, breached: bool) -> Label | None:
    """The label of a move; ``None`` where the evidence does not carry one.

    Args:
        breached: the move closed the deal beyond the player's own limit: a blunder whatever the figures.
    """
    if breached:
        return "blunder"
    if regret.best == 0 and not could_be_costly(regret):
        return "best"
    band = next((label for limit, label in _BANDS if regret.mean <= limit), "blunder")
    unsure = regret.mean < SURE * regret.error or regret.mean - SURE_OF_THE_EDGE * regret.error < EDGE
    if band in FAULTS and unsure:
        return None
    if band not in FAULTS and could_be_costly(regret):
        return None
    return band  # type: ignore[return-value]  # mypy widens the literal in ``next``
