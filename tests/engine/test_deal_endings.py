"""Seats, offers and the ways a game ends."""

from __future__ import annotations

from dataclasses import replace

import pytest

from negotiation.engine.deal import (
    SIGN,
    Action,
    Negotiation,
    Reply,
    scenarios,
)
from tests.engine.players import PERSONAS, QUIET, SCENARIOS, SEATS, table


@pytest.mark.parametrize("persona", PERSONAS)
@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_table_can_be_played_to_a_deal_from_both_seats(scenario, seat, persona) -> None:
    for seed in range(8):
        game = Negotiation(scenario, persona, seat, seed)
        spec = scenarios()[scenario]
        limit = game.observe().own.walk_away
        for turn in range(30):
            if game.done:
                break
            price = spec.seats[seat].opening + (limit - spec.seats[seat].opening) * min(1.0, turn / 10)
            game.step(Action(offer=spec.round(price) + SIGN[seat] * spec.step))
        if game.outcome and game.outcome.deal:
            assert game.outcome.price is not None
            return
    pytest.fail("no deal in eight games of plain concession")


def test_an_offer_closes_only_by_acceptance() -> None:
    game = table()
    step = game.step(Action(offer=300_000.0))
    assert not step.done
    game.step(Action(offer=290_000.0))
    assert game.outcome is None


def test_accepting_closes_at_their_standing_offer() -> None:
    game = table(persona="shark")
    standing = game.observe().standing_offer
    step = game.step(Action(accept=True))
    assert step.done
    assert game.outcome is not None
    assert (game.outcome.reason, game.outcome.price) == ("player_accepted", standing)


def test_accepting_beyond_the_own_limit_is_a_breach_and_costs_the_cliff() -> None:
    game = table(persona="shark")
    game.step(Action(accept=True))
    assert game.outcome is not None
    assert game.outcome.floor_breached
    assert game.outcome.total_reward <= -200


def test_walking_away_from_an_empty_zone_is_right() -> None:
    seed = next(s for s in range(500) if table(seed=s).truth.original_zone < 0)
    game = table(seed=seed)
    game.step(Action(walk_away=True))
    assert game.outcome is not None
    assert game.outcome.total_reward == 0
    assert game.outcome.efficiency == 0


def test_walking_away_from_a_deal_costs_a_hundred() -> None:
    game = table(seed=1)
    assert game.truth.original_zone > 0
    game.step(Action(walk_away=True))
    assert game.outcome is not None
    assert game.outcome.total_reward == -100


def test_the_horizon_ends_a_game_without_agreement() -> None:
    game = table(horizon=5)
    for turn in range(5):
        game.step(Action(text=f"Let us talk about clause {turn}."), QUIET)
    assert game.outcome is not None
    assert game.outcome.reason == "horizon"


def test_an_offer_overtaken_by_news_lapses() -> None:
    """A limit that moves past its owner's standing offer takes the offer off the table."""
    lapsed = 0
    for seed in range(30):
        game = table(seed=seed, persona="veteran")
        while game.turn < 10 and not game.done:
            limit = game.truth.buyer.walk_away
            game.step(Action(text=f"What about item {game.turn}?"), Reply(text="My last.", offer=limit))
            if game.truth.buyer.walk_away < limit:
                assert game.observe().standing_offer is None
                lapsed += 1
            else:
                assert game.observe().standing_offer == limit
    assert lapsed > 10


def test_the_published_example_end_to_end() -> None:
    """$148k on a zone of $125k to $165k, as seller: E = 57.5%, Nash point $145k, $17k left on the table."""
    published = scenarios()["saas_enterprise"]
    exact = replace(
        published,
        empty_zone_probability=0.0,
        seats={seat: replace(spec, jitter=0.0) for seat, spec in published.seats.items()},
    )
    game = Negotiation(exact, "diplomat", "seller", 1)
    game.step(Action(offer=148_000.0), Reply(text="Agreed.", accept=True))
    assert game.outcome is not None
    assert game.outcome.efficiency == pytest.approx(0.575)
    assert game.outcome.nash_price == 145_000
    assert game.outcome.left_on_the_table == 17_000
    assert game.outcome.reason == "opponent_accepted"


def test_an_offer_put_knowingly_beyond_the_own_limit_stands() -> None:
    game = table(persona="veteran", seed=1)
    beyond = game.observe().own.walk_away - 4_000.0
    game.step(Action(offer=beyond), QUIET)
    assert game.observe().own_offer == beyond
