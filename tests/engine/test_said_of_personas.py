"""What the first pages say of the personas, held to what they do: 96 deals each, both seats, six scenarios, eight seeds."""

from __future__ import annotations

from typing import get_args

import pytest

from negotiation.engine.deal import Action, Negotiation, personas, scenarios
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.types import SIGN, Seat
from tests.servers import ROOT

README = (ROOT / "README.md").read_text()
TALK = (
    "Tell me how you decide.",
    "What drives your timeline?",
    "Who else is involved?",
    "How do you use it today?",
    "What matters most?",
    "What would success look like?",
    "Who signs?",
)
"""Seven turns without a figure."""


def deals(persona: str) -> list[Negotiation]:
    return [
        Negotiation(scenario, persona, seat, seed)
        for scenario in scenarios()
        for seat in get_args(Seat)
        for seed in range(8)
    ]


def test_the_shark_puts_his_price_down_first_and_far_beyond_the_players_limit() -> None:
    beyond = []
    for game in deals("shark"):
        price, truth = game.observe().standing_offer, game.truth
        assert price is not None
        width = truth.zopa_high - truth.zopa_low
        if width > 0:
            beyond.append(SIGN[game.seat] * (truth.player.walk_away - price) / width)
    assert len(beyond) > 80
    assert min(beyond) > 0.2, "in widths of the zone"
    assert sorted(beyond)[len(beyond) // 2] > 1


def test_the_shark_seldom_moves_for_words_alone() -> None:
    moved = 0
    for game in deals("shark"):
        first = game.observe().standing_offer
        for text in TALK:
            step = game.step(Action(text=text))
            moved += step.observation.standing_offer != first
            if step.done or step.observation.standing_offer != first:
                break
    assert 0 < moved <= 24, "in a quarter of the deals at most: 17 of 96 when this was written"
    assert "seldom moves for words" in README
    assert "seldom moves for words" in personas()["shark"].tagline


@pytest.mark.parametrize("persona", ["diplomat", "veteran"])
def test_the_others_let_the_player_begin(persona: str) -> None:
    assert {game.observe().standing_offer for game in deals(persona)} == {None}


@pytest.mark.slow
def test_nothing_that_the_player_gives_makes_the_auditor_go_faster() -> None:
    """Of two players in the same deal one gives half of what it has, one nothing; after ten turns they are offered the
    same to within a twentieth of the usual zone, by nobody else so."""
    widest = {}
    for persona in personas():
        apart = []
        for scenario in scenarios().values():
            for seed in range(6):
                offered = [path(scenario, persona, seed, gives) for gives in (0.0, 0.5)]
                last = min(map(len, offered)) - 1
                if last >= 0:
                    apart.append((offered[1][last] - offered[0][last]) / scenario.nominal_width)
        assert len(apart) > 30
        widest[persona] = max(map(abs, apart))
    assert widest.pop("auditor") < 0.05
    assert min(widest.values()) > 0.1, widest


def path(scenario: Scenario, persona: str, seed: int, gives: float) -> list[float]:
    """What a seller is offered who comes down by this share of the way to its limit over ten turns."""
    game = Negotiation(scenario.id, persona, "seller", seed, speak=False)
    spec, offered = scenario.seats["seller"], []
    for turn in range(10):
        asked = scenario.round(spec.opening - (spec.opening - spec.walk_away) * gives * turn / 10)
        step = game.step(Action(text=f"Turn {turn}.", offer=asked))
        if step.done or step.observation.standing_offer is None:
            break
        offered.append(step.observation.standing_offer)
    return offered


@pytest.mark.slow
def test_the_auditor_bluffs_never_and_the_news_moves_his_limit_most() -> None:
    auditor = personas()["auditor"]
    assert auditor.mev_sensitivity == max(each.mev_sensitivity for each in personas().values())
    stated = 0
    for game in deals("auditor"):
        opening = game.scenario.seats[game.seat].opening
        for turn in range(14):
            if game.done:
                break
            offer = game.scenario.round(opening * (1 - SIGN[game.seat] * 0.005 * turn))
            game.step(Action(text=f"{TALK[turn % len(TALK)]} I understand, thank you. {turn}", offer=offer))
            if game.observe().open_claim is not None:
                stated += 1
                assert game.truth.open_claim_is_bluff is False
    assert stated > 100, "who is trusted is told a floor: 239 when this was written"


def test_a_question_cools_a_heated_room() -> None:
    for persona in personas():
        asked, silent = (Negotiation("saas_enterprise", persona, "seller", seed=1) for _ in range(2))
        for game in (asked, silent):
            game.step(Action(text="That is an insult. You are wasting my time.", offer=190_000))
        asked.step(Action(text="What matters most to you here?", offer=189_000))
        silent.step(Action(text="That is my price.", offer=189_000))
        assert asked.observe().tension < silent.observe().tension, persona


def test_the_page_does_not_say_what_the_engine_does_not_keep() -> None:
    for claim in (
        "never moves first",
        "never false about her limit",
        "beyond your target",
        "earns something",
    ):
        assert claim not in README
        assert all(claim not in each.tagline for each in personas().values())
