"""What ``bench.leakage`` counts; apart from it because the tables' rows need Django, which it sets up first."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from math import log2
from typing import Any

from negotiation.engine.deal import personas
from negotiation.engine.deal.types import Seat
from tests.noninterference.deal import DISCLOSURES, Shown, play, tables

SLIPS = "slips"


def told(shown: dict[int, Shown]) -> dict[str, float]:
    """The bits that a frame tells to whoever could not tell these worlds apart before it, by cause."""
    bits: dict[str, float] = {}
    alike = list(shown)
    for place, cause in enumerate(DISCLOSURES):
        bits[cause] = _bits(Counter(shown[each].disclosed[place] for each in alike))
        alike = [each for each in alike if shown[each].disclosed[place] == shown[0].disclosed[place]]
    bits[SLIPS] = _bits(Counter(shown[each].frames for each in alike))
    return bits


def _bits(parts: Counter[Any]) -> float:
    whole = parts.total()
    return log2(whole) - sum(count / whole * log2(count) for count in parts.values())


def measured(scenario: str, seeds: int, worlds: int) -> dict[str, Any]:
    """Histories of one scenario against every persona in both seats."""
    total: dict[str, float] = defaultdict(float)
    frames = hot = histories = 0
    seats: tuple[Seat, ...] = ("seller", "buyer")
    numbers = [None, *range(7_001, 7_000 + worlds)]
    for persona in sorted(personas()):
        for seat in seats:
            for seed in range(seeds):
                several = tables(numbers, seat, scenario=scenario, persona=persona, seed=seed)
                histories += 1
                for shown in play(several, random.Random(seed)):  # noqa: S311 -- no secret
                    for cause, amount in told(shown).items():
                        total[cause] += amount
                    frames += 1
                    hot += several[0].observe().zopa_width_pct_remaining < 100
    return {
        "histories": histories,
        "frames": frames,
        "frames_of_eroding_deals": hot,
        "bits_a_frame": {cause: round(amount / frames, 5) for cause, amount in total.items()},
    }
