"""What the personas' cards advise is what was measured: each piece of advice has its receipt in ``advice.json``."""

from __future__ import annotations

import json
from typing import Any

import pytest

from negotiation.engine.deal import personas
from tests.servers import ROOT

RECEIPTS: dict[str, Any] = json.loads((ROOT / "bench/results/advice.json").read_text())["by_persona"]
CLAIMS = [
    ("diplomat", "Ask, tell, answer", "ask, tell and answer", 1),
    ("diplomat", "give a step for each of hers", "a step for a step", 1),
    ("diplomat", "shuts to people who push", "push", -1),
    ("diplomat", "or flatter", "flatter", -1),
    ("shark", "Don't wait him out", "hold back", -1),
    ("shark", "ask, tell and answer", "ask, tell and answer", 1),
    ("shark", "in even steps", "ever smaller steps", -1),
    ("veteran", "who waits for her", "hold back", -1),
    ("veteran", "gives a step only for each of hers", "a step for a step", -1),
    ("veteran", "Ask, tell, answer", "ask, tell and answer", 1),
    ("veteran", "never push", "push", -1),
    ("veteran", "never flatter", "flatter", -1),
    ("auditor", "a step for each of his", "a step for a step", 1),
    ("auditor", "none until half of the turns are gone", "hold back", 1),
]
"""Persona, what its card says, the piece of advice that was measured, and which way its effect goes."""


@pytest.mark.parametrize(("persona", "says", "advice", "way"), CLAIMS)
def test_what_a_card_advises_was_measured_to_be_so(persona: str, says: str, advice: str, way: int) -> None:
    assert says in personas()[persona].advice
    low, high = RECEIPTS[persona][advice]["effect"]["ci95"]
    assert way * low > 0
    assert way * high > 0


def test_most_deals_with_who_is_waited_for_end_without_one() -> None:
    assert "most deals die of it" in personas()["shark"].advice
    assert "mostly ends without a deal" in personas()["veteran"].advice
    for persona, advice in (
        ("shark", "hold back"),
        ("veteran", "hold back"),
        ("veteran", "a step for a step"),
    ):
        assert RECEIPTS[persona][advice]["deals_made"] < -0.5


def test_words_move_the_auditor_least() -> None:
    assert "Words move him least" in personas()["auditor"].advice
    worth = {each: found["ask, tell and answer"]["effect"]["mean"] for each, found in RECEIPTS.items()}
    assert min(worth, key=lambda each: worth[each]) == "auditor"


def test_every_persona_has_receipts_for_what_it_advises() -> None:
    assert {persona for persona, *_ in CLAIMS} == set(personas())
