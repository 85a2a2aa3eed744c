"""A game with a case: seeded, replayable, silent about what nobody told; a game without one is what it was."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation.engine.deal import (
    SIGN,
    Action,
    ActionRefused,
    Negotiation,
    Observation,
    Seat,
    Talk,
    scenarios,
)
from negotiation.engine.deal.case.acts import ACTS, ON_A_TOPIC, TOPICS, WITH_REASONS
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.selfplay import TALKERS, play_one
from negotiation.engine.deal.streams import stream
from negotiation.engine.deal.types import OTHER_SEAT
from negotiation.engine.deal.wire import action_from_json, to_json
from tests.effort import times

SEATS: tuple[Seat, ...] = ("seller", "buyer")


def table(
    scenario: str = "saas_enterprise", persona: str = "shark", seat: Seat = "seller", seed: int = 5
) -> Negotiation:
    return Negotiation(scenario, persona, seat, seed, speak=False, case=True)


def some_talk(rng: np.random.Generator, scenario: str, seat: Seat) -> tuple[Talk, ...]:
    """Up to four things that can be said at this table."""
    own, theirs = cases()[scenario].seats[seat], cases()[scenario].seats[OTHER_SEAT[seat]]
    talk = []
    for _ in range(rng.integers(0, 5)):
        act = ACTS[rng.integers(len(ACTS))]
        topic = TOPICS[rng.integers(len(TOPICS))] if act in ON_A_TOPIC else None
        id_ = None
        if act == "prove":
            sayable = [each.id for each in own.arguments if each.proof]
            id_ = sayable[rng.integers(len(sayable))]
        elif act in WITH_REASONS:
            sayable = [*own.argument, *own.claim]
            id_ = sayable[rng.integers(len(sayable))]
        elif act == "disclose":
            id_ = own.facts[rng.integers(len(own.facts))].id
        elif act in ("ask_closed", "ask_proof"):
            fact = theirs.facts[rng.integers(len(theirs.facts))]
            topic, id_ = fact.topic, fact.id
        talk.append(Talk(act, topic, id_))
    return tuple(talk)


def line(seed: int, scenario: str, seat: Seat) -> list[Action]:
    """The moves of somebody who comes down steadily and says whatever comes to mind."""
    rng = np.random.default_rng(seed)
    spec = scenarios()[scenario]
    price, other = spec.seats[seat].opening, spec.seats[OTHER_SEAT[seat]].opening
    moves = []
    for turn in range(spec.horizon):
        offer = spec.round(price + (other - price) * turn / 30) if rng.random() < 0.7 else None
        talk = some_talk(rng, scenario, seat)
        if offer is None and not talk:
            talk = (Talk("small_talk"),)
        moves.append(Action(offer=offer, talk=talk))
    return moves


def play(game: Negotiation, moves: Sequence[Action]) -> list[Observation]:
    seen = [game.observe()]
    for move in moves:
        if game.done:
            break
        seen.append(game.step(move).observation)
    return seen


@settings(max_examples=times(40), deadline=None)
@given(
    seed=st.integers(0, 5_000),
    scenario=st.sampled_from(sorted(scenarios())),
    persona=st.sampled_from(["diplomat", "shark", "veteran"]),
    seat=st.sampled_from(SEATS),
)
def test_nothing_that_was_not_told_shows(seed: int, scenario: str, persona: str, seat: Seat) -> None:
    """The same game, with every cell turned that was neither told nor held back by a lie, looks the same to its end."""
    moves = line(seed, scenario, seat)
    game = table(scenario, persona, seat, seed)
    seen = play(game, moves)
    assert game._case is not None
    other = OTHER_SEAT[seat]
    known = {each.id for each in game.observe().told} | game._case.said.lies
    twin = table(scenario, persona, seat, seed)
    assert twin._case is not None
    world, facts = twin._case.worlds[other], cases()[scenario].seats[other].facts
    turned = tuple(fact.id not in known for fact in facts)
    twin._case.worlds[other] = replace(
        world,
        mistaken=tuple(each != turn for each, turn in zip(world.mistaken, turned, strict=True)),
        lie=tuple(1 - each if turn else each for each, turn in zip(world.lie, turned, strict=True)),
        proof=tuple(1 - each if turn else each for each, turn in zip(world.proof, turned, strict=True)),
    )
    assert play(twin, moves) == seen


@pytest.mark.parametrize("scenario", ["saas_enterprise", "procurement_hardware"])
def test_a_game_with_talk_replays_from_its_log(scenario: str) -> None:
    moves = line(11, scenario, "buyer")
    game = table(scenario, "veteran", "buyer", 11)
    seen = play(game, moves)
    log = json.loads(json.dumps([to_json(move) for move in moves[: len(seen) - 1]]))
    setup = {
        "scenario": scenario,
        "persona": "veteran",
        "seat": "buyer",
        "seed": 11,
        "speak": False,
        "case": True,
    }
    again = Negotiation.replay(setup, [(action_from_json(each), None) for each in log])
    assert again.observe() == game.observe()
    assert again.total_reward == game.total_reward


@pytest.mark.parametrize("persona", ["diplomat", "shark", "veteran"])
def test_a_game_with_talk_replays_from_recorded_answers(persona: str) -> None:
    """Whoever decided the answers: what is told and raised follows from the moves."""
    game = table("commercial_lease", persona, "buyer", 4)
    log = [(move, game.step(move).reply) for move in line(4, "commercial_lease", "buyer") if not game.done]
    setup = {
        "scenario": "commercial_lease",
        "persona": persona,
        "seat": "buyer",
        "seed": 4,
        "speak": False,
        "case": True,
    }
    again = Negotiation.replay(setup, log)
    assert again.observe() == game.observe()
    assert again.truth == game.truth


def test_what_is_said_on_a_fork_is_not_said_at_the_table() -> None:
    game = table(persona="diplomat")
    game.step(Action(offer=175_000))
    before, truth = game.observe(), game.truth
    fork = game.fork()
    fork.step(Action(offer=174_000, talk=(Talk("ask_open", "pain"), Talk("disclose", "support", "outage"))))
    assert fork.observe().told
    assert (game.observe(), game.truth) == (before, truth)


def test_a_move_without_talk_is_written_as_it_always_was() -> None:
    assert "talk" not in to_json(Action(offer=150_000))
    assert to_json(Action(offer=1.0, talk=(Talk("ask_open", "pain"),)))["talk"] == [
        {"act": "ask_open", "topic": "pain", "id": None}
    ]


def test_a_case_moves_no_draw_of_a_deal_over_a_price() -> None:
    for seed in range(20):
        plain = Negotiation("saas_enterprise", "shark", "seller", seed, speak=False)
        with_case = table(seed=seed)
        assert with_case.truth.seller == plain.truth.seller
        assert with_case.truth.buyer == plain.truth.buyer
        assert with_case._across.mind.character == plain._across.mind.character


def test_terms_are_worth_what_the_needs_behind_them_weigh() -> None:
    options = ["payment.net_60", "delivery.w12"]
    factors = []
    for seed in range(60):
        plain = Negotiation("procurement_hardware", "shark", "seller", seed, speak=False)
        with_case = table("procurement_hardware", seed=seed)
        assert with_case._case is not None
        weight = with_case._case.worlds["buyer"].weight(
            cases()["procurement_hardware"].seats["buyer"], "credit"
        )
        ratio = with_case.truth.buyer.values[1][1] / plain.truth.buyer.values[1][1]
        assert ratio == pytest.approx(0.5 + 0.5 * weight, abs=0.15)
        factors.append(ratio)
        assert with_case.truth.original_zone == pytest.approx(plain.truth.original_zone, rel=0.5)
    assert np.std(factors) > 0.1, options


def test_the_two_seats_of_one_deal_are_told_apart() -> None:
    game = table(persona="diplomat")
    game.step(Action(offer=175_000, talk=(Talk("ask_open", "pain"), Talk("disclose", "support", "outage"))))
    assert [each.id for each in game.observe().told] == ["retyping"]
    mirrored = game.across(Action(offer=174_000))
    assert [each.id for each in mirrored.told] == ["outage"]
    assert mirrored.sheet is not None
    assert {each.id for each in mirrored.sheet.facts} == set(cases()["saas_enterprise"].seats["buyer"].fact)


def test_graders_see_all_facts_and_which_of_them_were_told() -> None:
    game = table(persona="diplomat")
    assert len(game.truth.facts) == sum(len(side.facts) for side in cases()["saas_enterprise"].seats.values())
    game.step(Action(offer=175_000, talk=(Talk("ask_open", "pain"),)))
    assert [each.id for each in game.truth.facts if each.told] == ["retyping"]
    assert Negotiation("saas_enterprise", "shark", "seller", 1, speak=False).truth.facts == ()


def test_what_is_told_is_said_in_words() -> None:
    game = Negotiation("saas_enterprise", "diplomat", "seller", 5, case=True)
    reply = game.step(Action(offer=175_000, talk=(Talk("ask_open", "pain"),))).reply
    (told,) = game.observe().told
    assert told.says.lower() in reply.text.lower()
    reply = game.step(Action(offer=174_500, talk=(Talk("ask_open", "security"),))).reply
    assert "your audit report passed our review in march" in reply.text.lower()


@pytest.mark.parametrize(
    ("talk", "code"),
    [
        ([Talk("ask_open")], "talk_needs_topic"),
        ([Talk("argue", "measure", "nothing")], "unknown_argument"),
        ([Talk("prove", "rollout", "classes")], "nothing_to_show"),
        ([Talk("disclose", "pain", "retyping")], "unknown_fact"),
        ([Talk("ask_closed", "pain", "outage")], "unknown_fact"),
        ([Talk("sing")], "unknown_act"),  # type: ignore[arg-type]
        ([Talk("ask_open", "weather")], "unknown_topic"),  # type: ignore[arg-type]
        ([Talk("small_talk")] * 5, "too_much_talk"),
    ],
)
def test_words_that_mean_nothing_here_are_refused_and_change_nothing(talk: list[Talk], code: str) -> None:
    game = table()
    before = game.observe()
    with pytest.raises(ActionRefused) as refused:
        game.step(Action(offer=175_000, talk=tuple(talk)))
    assert refused.value.code == code
    assert game.observe() == before


def test_without_a_case_there_is_nothing_to_talk_about() -> None:
    game = Negotiation("saas_enterprise", "shark", "seller", 5, speak=False)
    with pytest.raises(ActionRefused, match="no case"):
        game.step(Action(offer=175_000, talk=(Talk("ask_open", "pain"),)))
    assert game.observe().sheet is None


def test_a_scenario_without_a_case_cannot_be_played_with_one() -> None:
    other = replace(scenarios()["saas_enterprise"], id="somebody_elses")
    with pytest.raises(ValueError, match="no case"):
        Negotiation(other, "shark", "seller", 1, case=True)


def test_an_offer_that_is_withdrawn_is_off_the_table() -> None:
    game = table(persona="diplomat")
    game.step(Action(offer=175_000))
    assert game.observe().own_offer == 175_000
    game.step(Action(talk=(Talk("withdraw"),)))
    assert game.observe().own_offer is None


@pytest.mark.parametrize("persona", ["diplomat", "shark", "veteran"])
def test_asking_to_the_end_earns_next_to_nothing(persona: str) -> None:
    """While the player puts nothing down the persona stays where it is, to its last word; only news moves it."""
    gained = [_asked_for(persona, seed) for seed in range(8)]
    assert np.median(gained) == 0
    assert np.mean(gained) < 0.01


def _asked_for(persona: str, seed: int) -> float:
    """What a player gains, as a share of the nominal zone, who offers nine times and then only asks."""
    game = table(persona=persona, seed=seed)
    player = TALKERS["silent_discoverer"]()
    offers = [0.0]
    for turn in range(game.horizon):
        move = player.act(game.observe(), stream(seed, "player", game.turn))
        seen = game.step(move if turn < 9 else Action(talk=(Talk("ask_open", "pain"),))).observation
        if seen.done:
            break
        offers.append(seen.standing_offer or 0.0)
    return SIGN[game.seat] * (offers[-1] - offers[min(9, len(offers) - 1)]) / game.scenario.nominal_width


def test_the_example_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "engine.md").read_text(encoding="utf-8")
    exec(re.findall(r"```python\n(.*?)```", page, re.DOTALL)[1], {})  # noqa: S102
    assert "every container order is typed twice" in capsys.readouterr().out


@pytest.mark.parametrize("strategy", TALKERS)
def test_the_reference_talkers_play_every_case(strategy: str) -> None:
    for scenario in scenarios():
        for seat in SEATS:
            assert play_one(scenario, "diplomat", seat, strategy, 3).turns > 0


def test_the_discoverer_finds_out_more_than_the_silent_one_and_ends_better() -> None:
    learned, gained = [], []
    for seed in range(12):
        shares = {}
        for name, make in TALKERS.items():
            game = table(persona="diplomat", seed=seed)
            player = make()
            while not game.done:
                game.step(player.act(game.observe(), stream(seed, "player", game.turn)))
            assert game.outcome is not None
            shares[name] = game.outcome.efficiency
            if name == "discoverer":
                learned.append(len(game.observe().told))
        gained.append(shares["discoverer"] - shares["silent_discoverer"])
    assert np.mean(learned) > 6
    assert np.mean(gained) > 0.05
