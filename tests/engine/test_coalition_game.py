"""Personas at a table for three: they keep the rules, know nothing hidden, say nothing twice, and can be replayed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation.engine.coalition import (
    EVERYONE,
    SEAT_INDEX,
    SEATS,
    Action,
    CoalitionGame,
    Observation,
    Proposal,
    Seat,
    coalition_scenarios,
    draw_stakes,
)
from negotiation.engine.coalition.selfplay import play_one, selfplay
from negotiation.engine.coalition.speech import pools
from negotiation.engine.coalition.temper import Temper
from negotiation.engine.coalition.wire import action_from_json, entry_to_json
from negotiation.engine.deal.persona import personas
from negotiation.engine.language.types import format_money
from negotiation.engine.personas import folders
from tests.effort import few

CASTS = [dict(zip(SEATS, names, strict=True)) for names in permutations(personas(), len(SEATS))]
SOME_CASTS = few(CASTS[1::5], CASTS)
"""In the quick profile a fifth, with every persona in every seat."""
PERSON: Seat = "buyer_b"


def among_personas(seat: Seat, seed: int, **more: object) -> CoalitionGame:
    others = [other for other in SEATS if other != seat]
    return CoalitionGame("cold_store", dict(zip(others, ("shark", "veteran"), strict=True)), seed, **more)  # type: ignore[arg-type]


def play(game: CoalitionGame, seat: Seat, rng: np.random.Generator) -> list[tuple[Observation, Action]]:
    """A person who says things, proposes shares at random, now and then takes what is on the table."""
    taken = []
    while not game.done:
        view = game.observe(seat)
        pay = round(float(rng.uniform(60_000, 140_000)) / 500) * 500
        action = Action(
            text="What would it take?",
            proposal=Proposal.of(EVERYONE, buyer_a=pay, buyer_b=pay),
            knowingly=True,
        )
        offers = [o.number for o in view.standing if seat in o.proposal.members and seat not in o.supporters]
        if offers and rng.random() < 0.3:
            action = Action(text="Yes.", support=offers[0], knowingly=True)
        taken.append((view, action))
        game.step(seat, action)
    return taken


@pytest.mark.parametrize("seats", SOME_CASTS, ids=lambda seats: "-".join(seats.values()))
def test_personas_alone_play_to_an_end_and_never_sign_below_their_outside_option(
    seats: Mapping[Seat, str],
) -> None:
    for seed in range(4):
        game = CoalitionGame("cold_store", seats, seed)
        outcome = game.outcome
        assert outcome is not None
        assert min(outcome.payoffs.values()) >= 0
        assert sum(outcome.payoffs.values()) == pytest.approx(
            outcome.efficiency * outcome.worth["seller+buyer_a+buyer_b"]
        )


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 2**40), st.sampled_from(SEATS))
def test_a_log_of_the_players_actions_gives_the_whole_game_back_bit_for_bit(seed: int, seat: Seat) -> None:
    game = among_personas(seat, seed)
    taken = play(game, seat, np.random.default_rng(seed))
    others = dict(zip([s for s in SEATS if s != seat], ("shark", "veteran"), strict=True))
    again = CoalitionGame.replay("cold_store", others, seed, [(seat, action) for _, action in taken])
    assert again.table.entries == game.table.entries
    assert again.outcome == game.outcome
    assert [action_from_json(entry_to_json(e)).text for e in game.table.entries] == [
        e.text for e in again.table.entries
    ]


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**40), st.sampled_from(SEATS), st.floats(0.9, 1.1))
def test_truth_that_nobody_has_acted_on_changes_nothing_that_a_player_sees(
    seed: int, seat: Seat, factor: float
) -> None:
    """Two worlds differ only in what another seat knows; up to that seat's first turn they look the same."""
    stakes = draw_stakes(coalition_scenarios()["cold_store"], seed)
    for other in SEATS:
        if SEAT_INDEX[other] <= SEAT_INDEX[seat]:
            continue
        changed = stakes.copy()
        changed[SEAT_INDEX[other]] *= factor
        one, two = (among_personas(seat, seed, stakes=truth) for truth in (stakes, changed))
        assert one.observe(seat) == two.observe(seat)


def test_minds_read_only_what_their_own_seat_may_see() -> None:
    """The third seat plays the very same game whether or not two others whisper, while they act alike in public."""
    stakes = draw_stakes(coalition_scenarios()["cold_store"], 3)
    games = [CoalitionGame("cold_store", {"buyer_b": "veteran"}, 3, stakes=stakes) for _ in range(2)]
    for game, words in zip(games, ("You and I against the other.", "Nice weather."), strict=True):
        game.step("seller", Action(text=words, to="buyer_a"))
        game.step("buyer_a", Action(text=words, to="seller"))
    assert games[0].observe("buyer_b") == games[1].observe("buyer_b")


@pytest.mark.parametrize("seats", SOME_CASTS, ids=lambda seats: "-".join(seats.values()))
def test_no_line_comes_twice_and_every_figure_in_it_was_decided(seats: Mapping[Seat, str]) -> None:
    money = coalition_scenarios()["cold_store"].money
    for seed in range(3):
        entries = CoalitionGame("cold_store", seats, seed).table.entries
        lines = [entry.text for entry in entries]
        assert len(set(lines)) == len(lines)
        for entry in entries:
            figures = [pay for _, pay in entry.proposal.pays] if entry.proposal else []
            figures += [entry.claim.price] if entry.claim else []
            decided = {format_money(figure, money) for figure in figures}
            assert set(re.findall(r"\$\d[\d,]*\d", entry.text)) <= decided, entry.text


def test_voices_have_the_same_pools_and_share_no_line() -> None:
    voices = [pools(voice) for voice in folders()]
    assert len({frozenset(voice) for voice in voices}) == 1
    lines = [line for voice in voices for pool in voice.values() for line in pool]
    assert len(set(lines)) == len(lines)


def test_a_greedy_seller_drives_the_buyers_into_the_depot() -> None:
    report = selfplay("cold_store", {"seller": "greedy", "buyer_a": "shark", "buyer_b": "diplomat"}, 12, 0)
    assert report.formed["buyer_a+buyer_b"] > 0.5
    assert report.share_of_shapley["seller"]["mean"] < 0.5


@pytest.mark.slow
def test_fairness_to_all_fills_the_store_more_often_than_looking_for_a_pair() -> None:
    def grand(strategy: str) -> float:
        cast: dict[Seat, str] = {"seller": strategy, "buyer_a": "shark", "buyer_b": "diplomat"}
        return selfplay("cold_store", cast, 15, 100).formed["seller+buyer_a+buyer_b"]

    assert grand("fair") > grand("pairer") + 0.2


def test_a_player_who_leaves_lets_the_other_two_play_on() -> None:
    game = among_personas("buyer_b", 4)
    game.step("buyer_b", Action(walk_away=True))
    assert game.done
    outcome = game.outcome
    assert outcome is not None
    assert outcome.payoffs["buyer_b"] == 0
    assert outcome.agreement is None or "buyer_b" not in outcome.agreement.members


def test_self_play_repeats_from_its_seed() -> None:
    cast: dict[Seat, str] = {"seller": "random", "buyer_a": "diplomat", "buyer_b": "patient"}
    assert play_one("cold_store", cast, 9) == play_one("cold_store", cast, 9)


def test_a_greedy_smaller_buyer_is_left_out() -> None:
    report = selfplay("cold_store", {"seller": "shark", "buyer_a": "veteran", "buyer_b": "greedy"}, 12, 0)
    assert report.formed["seller+buyer_a"] > 0.7


@pytest.mark.slow
def test_waiting_for_the_last_word_earns_no_fortune() -> None:
    """An ultimatum with no time to answer is worth something, but not more than bargaining well."""
    shares = [
        selfplay("cold_store", {**cast, seat: "ambusher"}, 6, 300).share_of_shapley[seat]["mean"]
        for cast in CASTS[: few(1, 3)]
        for seat in SEATS
    ]
    assert float(np.mean(shares)) < 1


def test_lower_patience_gives_way_sooner_and_a_trusting_partner_is_asked_for_less() -> None:
    stay = {
        who: np.mean([Temper.draw(personas()[who], 12, np.random.default_rng(n)).stay for n in range(50)])
        for who in personas()
    }
    assert stay["shark"] < stay["diplomat"] < stay["veteran"]
    opening = {
        who: np.mean([Temper.draw(personas()[who], 12, np.random.default_rng(n)).opening for n in range(50)])
        for who in personas()
    }
    assert opening["diplomat"] < opening["veteran"] < opening["shark"]
