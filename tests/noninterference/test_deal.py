"""Nothing that a player sees of a living deal depends on what the other side hides, but for what that side told."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from negotiation.engine.deal import personas, scenarios
from negotiation.engine.deal.types import Seat
from tests.effort import few, matrix
from tests.noninterference.deal import DISCLOSURES, Shown, play, tables

WORLDS = (None, 7_001, 7_002, 7_003)
SEATS: tuple[Seat, ...] = ("seller", "buyer")


def told_apart(shown: dict[int, Shown], other: int) -> str | None:
    """By which choice of the other side's a world is told from the first, if it is."""
    for (what, first), (_, second) in zip(shown[0].disclosed, shown[other].disclosed, strict=True):
        if first != second:
            return what
    return None


@pytest.mark.parametrize(
    ("scenario", "persona", "seat", "case"),
    matrix(sorted(scenarios()), sorted(personas()), SEATS, (False, True), one_in=11),
)
def test_equal_histories_look_equal_in_any_world(scenario: str, persona: str, seat: Seat, case: bool) -> None:
    seen: Counter[str] = Counter()
    for seed in range(few(1, 4)):
        several = tables(WORLDS, seat, scenario=scenario, persona=persona, seed=seed, case=case)
        limits = {table.truth.opponent.walk_away for table in several}
        assert len(limits) > 1, "the worlds are the same"
        for shown in play(several, random.Random(seed)):
            for other in sorted(set(shown) - {0}):
                choice = told_apart(shown, other)
                if choice is not None:
                    assert choice in DISCLOSURES
                else:
                    assert shown[other].frames == shown[0].frames
                    seen["frames"] += 1
            seen["hot"] += several[0].observe().zopa_width_pct_remaining < 100
    assert seen["frames"] > 3
