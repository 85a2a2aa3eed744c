"""The trained player: the same at one table and at many, within its limit, and blind to what is hidden."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from negotiation.engine.deal import SIGN, Action, Negotiation, personas, scenarios
from negotiation.engine.deal.batch import BatchNegotiation
from negotiation.engine.deal.batch.moves import CARD_IDS, NO_CARD
from negotiation.engine.deal.batch.play import REASONS
from negotiation.engine.deal.conduct import player_acts
from negotiation.engine.deal.issues import terms_of
from negotiation.engine.deal.oracle import Oracle, Oracles
from negotiation.engine.deal.oracle.choice import OUTPUTS
from negotiation.engine.deal.oracle.features import NAMES, WIDTH
from negotiation.engine.deal.oracle.network import Network
from negotiation.engine.deal.oracle.player import trained
from negotiation.engine.deal.selfplay import play_one
from negotiation.engine.deal.types import OTHER_SEAT, Seat
from negotiation.engine.language import understand
from tests.effort import PROFILE, few, matrix

GAMES = few(3, 6)
CHANCE = np.random.default_rng(0)


def wild(seed: int) -> Network:
    """A network that nobody trained: its moves are all over the place."""
    rng = np.random.default_rng(seed)
    sizes = ((WIDTH, 16), (16, 16), (16, OUTPUTS))
    return Network([rng.normal(size=size) for size in sizes], [rng.normal(size=size[1]) for size in sizes])


@pytest.mark.parametrize(("persona", "seat"), matrix(sorted(personas()), list(SIGN), one_in=3))
def test_one_game_and_many_take_the_same_decisions(persona: str, seat: Seat) -> None:
    at = list(personas()).index(persona) + list(SIGN).index(seat)
    tried = list(scenarios().values())
    for number, scenario in enumerate(tried if PROFILE == "thorough" else tried[at % 3 :: 3]):
        for network in (trained(), wild(number)):
            tables = [
                Negotiation(scenario, persona, seat, seed, difficulty=0.7, speak=False)
                for seed in range(GAMES)
            ]
            players = [Oracle(network) for _ in tables]
            seeds = np.arange(GAMES, dtype=np.uint64)
            batch = BatchNegotiation(scenario, personas()[persona], seat, seeds, difficulty=0.7)
            many = Oracles(batch, network)
            while not batch.done:
                games = batch.table.game
                moves = many.moves()
                for row, game in enumerate(games.tolist()):
                    action = players[game].act(tables[game].observe(), CHANCE)
                    assert action.accept == moves.accept[row]
                    if not action.accept:
                        assert action.offer == moves.offer[row]
                        assert action.terms == (terms_of(scenario.issues, int(moves.bundle[row])) or None)
                        assert action.card == (
                            None if moves.card[row] == NO_CARD else CARD_IDS[moves.card[row]]
                        )
                        assert bool(action.challenge) == moves.challenge[row]
                    tables[game].step(action)
                batch.step(moves)
            for game, table in enumerate(tables):
                assert table.outcome is not None
                assert table.outcome.reason == REASONS[batch.outcomes.reason[game]]
                assert table.outcome.efficiency == pytest.approx(batch.outcomes.efficiency[game])


@pytest.mark.parametrize("turn", range(30))
def test_what_it_says_is_a_question_and_a_kind_word_and_nothing_else(turn: int) -> None:
    game = Negotiation("saas_enterprise", "shark", "seller", seed=1, speak=False)
    said = Oracle(wild(2)).act(replace(game.observe(), turn=min(turn, 19)), CHANCE)
    reading = understand(
        said.text, money=game.scenario.money, seat="seller", standing_offer=120_000, own_offer=170_000
    )
    assert player_acts(reading) == {"question", "empathy"}


@pytest.mark.parametrize("seed", range(few(1, 6)))
def test_even_an_untrained_network_never_offers_or_accepts_beyond_its_limit(seed: int) -> None:
    for at, persona in enumerate(personas().values()):
        for number, scenario in enumerate(scenarios().values()):
            for seat in few(list(SIGN)[(at + number) % 2 :][:1], list(SIGN)):
                seeds = np.arange(seed * 100, seed * 100 + 8 * GAMES, dtype=np.uint64)
                batch = BatchNegotiation(scenario, persona, seat, seeds)
                player = Oracles(batch, wild(seed))
                while not batch.done:
                    moves, table = player.moves(), batch.table
                    limit = SIGN[seat] * table.truths[seat].walk_away
                    asks = SIGN[seat] * table.price_worth(moves.offer, moves.bundle, seat)
                    takes = SIGN[seat] * table.worth(table.opponent, seat)
                    assert (moves.accept | (asks >= limit)).all()
                    assert (~moves.accept | (takes >= limit)).all()
                    batch.step(moves)
                assert not batch.outcomes.floor_breached.any()


def test_two_tables_that_look_alike_get_the_same_move() -> None:
    """What the other side hides is moved about; what is seen stays, and so does the move."""
    told = 0
    for seed in range(few(12, 60)):
        game = Negotiation("commercial_lease", "veteran", "seller", seed, speak=False)
        other = Negotiation("commercial_lease", "veteran", "seller", seed, speak=False)
        state = other._state  # what is hidden is changed under the table
        hidden = state.truths[OTHER_SEAT["seller"]]
        state.truths[OTHER_SEAT["seller"]] = replace(hidden, walk_away=hidden.walk_away * 1.02, urgency=0.9)
        players = Oracle(), Oracle()
        while not game.done and not other.done and game.observe() == other.observe():
            one, same = (
                player.act(table.observe(), CHANCE)
                for player, table in zip(players, (game, other), strict=True)
            )
            assert one == same
            told += 1
            game.step(one)
            other.step(same)
    assert told > few(12, 60)


def test_a_deal_without_anything_on_the_table_is_opened_above_the_own_limit() -> None:
    game = Negotiation("saas_enterprise", "diplomat", "seller", seed=3, speak=False)
    first = Oracle().act(game.observe(), CHANCE)
    assert isinstance(first, Action)
    assert first.offer is not None
    assert first.offer > game.observe().own.walk_away


@pytest.mark.parametrize("persona", matrix(sorted(personas()), one_in=4))
def test_it_takes_more_than_plain_concession_from_everybody(persona: str) -> None:
    deals = [(scenario, seat, 7_000 + 10 * at) for at, scenario in enumerate(scenarios()) for seat in SIGN]
    gained = [
        play_one(scenario, persona, seat, "oracle", seed + more).efficiency
        - play_one(scenario, persona, seat, "linear", seed + more).efficiency
        for scenario, seat, seed in deals
        for more in range(2)
    ]
    assert float(np.mean(gained)) > 0.1


def test_every_feature_has_a_name_and_the_weights_fit_them() -> None:
    assert len(NAMES) == WIDTH == trained().weights[0].shape[0]
    assert trained().biases[-1].shape == (OUTPUTS,)
