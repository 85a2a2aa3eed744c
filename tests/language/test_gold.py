"""Accuracy on hand-written sentences: kind with the exact offer, and no wrong offer that would bind."""

from __future__ import annotations

from collections import Counter

import pytest

from negotiation.engine.language import ACTS, CONFIDENCE_TO_BIND, TACTICS
from tests.language.gold import MONEY, gold

GOLD = gold()


def test_the_set_is_large_and_covers_every_kind_and_scenario() -> None:
    assert len(GOLD) >= 200
    assert len({(one.text, one.seat) for one in GOLD}) == len(GOLD)
    assert {one.scenario for one in GOLD} == set(MONEY)
    kinds = Counter(one.kind for one in GOLD)
    assert all(kinds[kind] >= 15 for kind in ("offer", "limit", "quote", "rejection", "hypothetical", "none"))


def test_kind_and_exact_offer() -> None:
    wrong = [
        (one.text, one.kind, one.offer, reading.kind, reading.offer)
        for one in GOLD
        if (reading := one.read()).kind != one.kind or reading.offer != one.offer
    ]
    assert len(wrong) <= 0.03 * len(GOLD), wrong


def test_no_wrong_offer_is_sure_enough_to_bind() -> None:
    silent = [
        (one.text, reading.offer, reading.confidence)
        for one in GOLD
        if (reading := one.read()).offer is not None
        and reading.offer != one.offer
        and reading.confidence >= CONFIDENCE_TO_BIND
    ]
    assert silent == []


def test_plain_offers_do_not_ask() -> None:
    offers = [one for one in GOLD if one.kind == "offer"]
    asked = [one.text for one in offers if one.read().confidence < CONFIDENCE_TO_BIND]
    assert len(asked) <= 0.15 * len(offers), asked


@pytest.mark.parametrize("kind", ["limit", "quote", "rejection", "hypothetical"])
def test_figures_of_other_kinds_are_read_too(kind: str) -> None:
    ours = [one for one in GOLD if one.kind == kind and one.figure is not None]
    right = sum(one.read().figure == one.figure for one in ours)
    assert right >= 0.95 * len(ours)


def test_labels_are_from_the_closed_sets() -> None:
    for one in GOLD:
        reading = one.read()
        assert set(reading.acts) <= set(ACTS)
        assert reading.acts
        assert set(reading.tactics) <= set(TACTICS)
        assert 0 <= reading.confidence <= 1
