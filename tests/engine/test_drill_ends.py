"""Drills on ends: taking, holding and leaving are each right in their turn, and nothing else on offer is."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest

from coaching.analysis.drills import ENDS, deal
from coaching.analysis.review.labels import FAULTS
from tests.effort import few

PERSONAS = ("auditor", "diplomat", "shark")


@cache
def dealt(persona: str, seed: int) -> list[dict[str, Any]]:
    return deal("closing", persona, np.random.default_rng(seed))


def right_end(position: dict[str, object]) -> str:
    """Which end is the key; there is one and no more."""
    choices: list[dict[str, str]] = position["choices"]  # type: ignore[assignment]  # plain values
    (key,) = [each["text"] for each in choices if each["label"] not in FAULTS]
    return "take" if key.startswith("Take their") else "leave" if key.startswith("Walk away") else "hold"


@pytest.mark.parametrize("persona", PERSONAS[: few(1, len(PERSONAS))])
def test_each_end_is_the_key_of_one_position_of_a_drill(persona: str) -> None:
    for seed in range(few(1, 2)):
        positions = dealt(persona, 100 + seed)
        assert Counter(right_end(each) for each in positions) == Counter(ENDS)


def test_what_lies_beyond_the_own_limit_is_told_to_do_so() -> None:
    positions = dealt("auditor", 100)
    (leaving,) = [each for each in positions if right_end(each) == "leave"]
    wrong = [each for each in leaving["choices"] if each["label"] in FAULTS]
    assert all("beyond your walk-away" in each["reason"] for each in wrong)
    assert len(wrong) >= 2
