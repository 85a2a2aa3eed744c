"""Stated limits against the true ones: true, shaded or false."""

from __future__ import annotations

from typing import Literal

from negotiation.engine.deal.reward import is_bluff

Truthfulness = Literal["true", "shaded", "false"]


def truthfulness(claim: float, truth: float, step: float) -> Truthfulness:
    """How a stated limit stands to the true one.

    True is within a step of the scenario's prices; false is what the score calls a bluff, further off than 15%; what
    lies between is shaded, and whoever doubts it is not wrong.
    """
    if is_bluff(claim, truth):
        return "false"
    return "true" if abs(claim - truth) <= step else "shaded"
