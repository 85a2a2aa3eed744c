"""docs/game.md, "the rules exactly", says the numbers that the engine plays by."""

from __future__ import annotations

import re

import pytest

from negotiation.engine.deal import CARDS
from negotiation.engine.deal.cards import POINTS_PER_TURN, STARTING_POINTS
from negotiation.engine.deal.reward import BLUFF_TOLERANCE, COEFFICIENTS, SWALLOW_AFTER_TURNS
from negotiation.engine.deal.tension import HOT
from negotiation.engine.deal.world import ESTIMATE_WITHIN_TURNS
from tests.servers import ROOT

PAGE = " ".join((ROOT / "docs/game.md").read_text().split())
SPELT = {1: "one", 2: "two", 3: "three"}


@pytest.mark.parametrize("card", CARDS.values(), ids=CARDS)
def test_the_price_of_a_card_and_how_often_it_may_be_played(card: object) -> None:
    assert f"| {card.title} | {card.cost} | {card.limit} |" in PAGE  # type: ignore[attr-defined]


def test_what_a_call_a_wrong_call_and_a_bluff_left_alone_are_worth() -> None:
    caught, wrong = COEFFICIENTS.bluff, COEFFICIENTS.bluff * COEFFICIENTS.false_call
    swallowed = COEFFICIENTS.bluff * COEFFICIENTS.swallowed_bluff
    assert f"A bluff that you call earns {caught:g}, calling a true floor costs {-wrong:g}" in PAGE
    assert f"leave alone for {SPELT[SWALLOW_AFTER_TURNS]} turns costs {-swallowed:g}" in PAGE
    assert f"more than {BLUFF_TOLERANCE:.0%} from the true one" in PAGE


def test_the_score_is_that_of_the_coefficients() -> None:
    c = COEFFICIENTS
    turn = (
        f"{c.value:g}·dV + {c.theory_of_mind:g}·ToM - {-c.capitulation:g}·C - {-c.incoherence:g}·N"
        f" + {c.bluff:g}·Bluff + {c.market_event:g}·MEV"
    )
    end = f"{c.efficiency:g}·E + {c.speed:g}·S + {c.adaptation:g}·D - {-c.floor_breach:g}·[floor breached]"
    for formula in (turn, end):
        assert re.sub(r"[−-]", "-", formula) in re.sub(r"[−–-]", "-", PAGE)
    assert f"−{-c.no_deal:g} for leaving a deal" in PAGE


def test_credibility_headlines_and_heat() -> None:
    assert f"{STARTING_POINTS} at the start, {POINTS_PER_TURN} back a turn" in PAGE
    assert f"A headline can be estimated for {SPELT[ESTIMATE_WITHIN_TURNS]} turns" in PAGE
    assert f"turns in a row above {HOT:g}" in PAGE
