"""Deals over more than the price: what packages are worth, what they give away, and how they are counted."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation.engine import game_theory as gt
from negotiation.engine.deal import Action, ActionRefused, Negotiation, Reply, scenarios
from negotiation.engine.deal.issues import Issue, Option, Package, bundle_of, bundles, terms_of
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.selfplay import STRATEGIES, play_one
from negotiation.engine.deal.streams import stream
from negotiation.engine.deal.types import SIGN, Seat
from negotiation.engine.deal.wire import action_from_json, to_json
from tests.effort import matrix

MULTI = [each.id for each in scenarios().values() if each.issues]


def issue(name: str, *options: tuple[str, float, float]) -> Issue:
    made = tuple(
        Option(label, label, (), {"seller": seller, "buyer": buyer}) for label, seller, buyer in options
    )
    return Issue(name, name.title(), made, jitter=0.0)


def golden() -> Scenario:
    """The published case: price 120 to 170 by 5, walk-aways 125 and 160, and three issues beside the price."""
    base = scenarios()["saas_enterprise"]
    limits: dict[Seat, float] = {"seller": 125.0, "buyer": 160.0}
    seats = {seat: replace(base.seats[seat], walk_away=limit, jitter=0.0) for seat, limit in limits.items()}
    return replace(
        base,
        step=5.0,
        plausible_low=60.0,
        plausible_high=300.0,
        empty_zone_probability=0.0,
        seats=seats,
        drift=(),
        market=(),
        market_events_per_game=(0, 0),
        issues=(
            issue("term", ("1 year", 0, 0), ("2 years", 8, -2), ("3 years", 14, -5)),
            issue("payment", ("net-30", 0, 0), ("net-60", -3, 4), ("net-90", -7, 6)),
            issue("support", ("9x5", 0, 0), ("16x5", -3, 7), ("24x7", -8, 15)),
        ),
    )


def packages_of(game: Negotiation) -> list[tuple[float, int, tuple[float, float]]]:
    """Every (price, bundle, utilities of seller and buyer) on the published grid."""
    state = game._state  # the golden case is about the hidden utilities

    def utility(price: int, bundle: int, seat: Seat) -> float:
        return SIGN[seat] * (state.price_worth(price, bundle, seat) - state.truths[seat].walk_away)

    return [
        (float(price), bundle, (utility(price, bundle, "seller"), utility(price, bundle, "buyer")))
        for price in range(120, 171, 5)
        for bundle in range(len(bundles(game.scenario.issues)))
    ]


def test_the_engine_agrees_with_the_golden_multi_issue_case() -> None:
    game = Negotiation(golden(), "diplomat", "seller", 3, speak=False)
    listed = packages_of(game)
    utilities = [each[2] for each in listed]
    assert len(listed) == 297
    assert len(gt.pareto_frontier(utilities)) == 30
    assert game.truth.original_high - game.truth.original_low == 35
    assert game.truth.original_zone == 52
    nash, kalai = listed[gt.nash_solution(utilities)], listed[gt.kalai_smorodinsky(utilities)]
    assert nash == (150.0, nash[1], (28.0, 24.0))
    assert terms_of(game.scenario.issues, nash[1]) == {
        "term": "3 years",
        "payment": "net-60",
        "support": "24x7",
    }
    assert kalai == (145.0, kalai[1], (26.0, 25.0))
    assert terms_of(game.scenario.issues, kalai[1])["payment"] == "net-30"


def test_the_nash_package_splits_the_best_joint_surplus_evenly() -> None:
    game = Negotiation(golden(), "diplomat", "seller", 3, speak=False)
    game.step(Action(walk_away=True))
    outcome = game.outcome
    assert outcome is not None
    assert outcome.nash_price is not None
    state = game._state
    best = bundle_of(game.scenario.issues, outcome.nash_terms)
    for seat in ("seller", "buyer"):
        worth = state.price_worth(outcome.nash_price, best, seat)
        assert SIGN[seat] * (worth - state.initial[seat].walk_away) == pytest.approx(26)


@pytest.mark.parametrize(
    ("price", "terms", "efficiency", "joint"),
    [
        (150, {"term": "3 years", "payment": "net-60", "support": "24x7"}, 24 / 52, 52),
        (145, {"term": "1 year", "payment": "net-30", "support": "9x5"}, 15 / 52, 35),
    ],
)
def test_efficiency_is_the_own_share_of_all_that_there_was_to_share(
    price: float, terms: dict[str, str], efficiency: float, joint: float
) -> None:
    game = Negotiation(golden(), "diplomat", "buyer", 3, speak=False)
    game.step(Action(text="Your turn."), Reply(offer=price, terms=terms))
    game.step(Action(accept=True))
    outcome = game.outcome
    assert outcome is not None
    assert outcome.agreed == terms
    assert outcome.efficiency == pytest.approx(efficiency)
    assert outcome.joint_surplus == pytest.approx(joint)
    assert outcome.left_on_the_table == pytest.approx(52 - 52 * efficiency)


def table(scenario: str = "software_licensing", seat: Seat = "seller", seed: int = 4) -> Negotiation:
    return Negotiation(scenario, "diplomat", seat, seed, speak=False)


def test_of_packages_side_by_side_the_one_that_is_worth_most_to_the_opponent_stands() -> None:
    game = table()
    issues = game.scenario.issues
    price = game.scenario.seats["seller"].opening
    every = [terms_of(issues, bundle) for bundle in range(len(bundles(issues)))]
    offered = [every[0], every[len(every) // 2], every[-1]]
    hidden = game._state.worths["buyer"]
    best = int(np.argmax([hidden[bundle_of(issues, terms)] for terms in offered]))
    step = game.step(
        Action(
            offer=price,
            terms=offered[0],
            alternatives=tuple(Package(price, terms) for terms in offered[1:]),
        )
    )
    assert step.reply.preferred == best
    assert step.observation.own_terms == offered[best]


def test_terms_that_are_not_named_stay_as_they_were() -> None:
    game = table()
    first, second = game.scenario.issues[0], game.scenario.issues[1]
    opening = game.scenario.seats["seller"].opening
    game.step(Action(offer=opening, terms={first.id: first.options[1].id}))
    seen = game.step(Action(offer=opening, terms={second.id: second.options[1].id})).observation
    assert seen.own_terms[first.id] == first.options[1].id
    assert seen.own_terms[second.id] == second.options[1].id


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (Action(offer=1e5, terms={"colour": "red"}), "unknown_issue"),
        (Action(offer=1e5, terms={"term": "for ever"}), "unknown_option"),
        (Action(text="Three years then.", terms={"term": "y3"}), "package_needs_price"),
        (Action(offer=1e5, alternatives=(Package(1e5, {}),) * 3), "too_many_packages"),
        (Action(offer=1e5, alternatives=(Package(-4.0, {}),)), "offer_not_positive"),
    ],
)
def test_a_package_that_cannot_be_is_refused_and_changes_nothing(action: Action, code: str) -> None:
    game = Negotiation("software_licensing", "diplomat", "seller", 4, speak=False)
    before = game.observe()
    with pytest.raises(ActionRefused) as refused:
        game.step(action)
    assert refused.value.code == code
    assert game.observe() == before


@pytest.mark.parametrize(("scenario", "seat"), matrix(MULTI, ("seller", "buyer"), one_in=5))
def test_the_persona_never_offers_beyond_its_limit_nor_asks_for_more_again(scenario: str, seat: Seat) -> None:
    for seed in range(40):
        game = Negotiation(scenario, ("shark", "diplomat", "veteran")[seed % 3], seat, seed, speak=False)
        player = STRATEGIES["expert"]()
        other: Seat = "buyer" if seat == "seller" else "seller"
        last, limit = None, 0.0
        while not game.done:
            turn = game.turn
            game.step(player.act(game.observe(), stream(seed, "player", turn)))
            state = game._state
            worth = state.worth(state.opponent, other)
            if worth is None or game.done:
                continue
            value = SIGN[other] * worth
            assert value >= SIGN[other] * state.truths[other].walk_away - 1e-6
            moved = limit != state.truths[other].walk_away
            if last is not None and not moved:
                assert value <= last + 1e-6, (scenario, seat, seed, turn)
            last, limit = value, state.truths[other].walk_away


@pytest.mark.slow
@pytest.mark.parametrize("scenario", matrix(MULTI, one_in=3))
def test_who_considers_the_other_sides_interests_leaves_less_money_that_nobody_gets(scenario: str) -> None:
    def wasted(strategy: str) -> float:
        found = []
        for seed in range(60):
            outcome = play_one(scenario, "diplomat", "seller" if seed % 2 else "buyer", strategy, seed)
            if outcome.joint_surplus is not None and outcome.best_joint_surplus > 0:
                found.append(1 - outcome.joint_surplus / outcome.best_joint_surplus)
        return float(np.mean(found))

    assert wasted("expert") < 0.5 * wasted("capitulator")


@pytest.mark.parametrize("scenario", MULTI)
def test_terms_are_worth_trading(scenario: str) -> None:
    """The best terms add to what the price alone has to share, and are nobody's first choice."""
    made = scenarios()[scenario]
    seller, buyer = made.nominal_worths("seller"), made.nominal_worths("buyer")
    price_zone = made.nominal_width - made.nominal_joint_gain
    assert 0.25 <= made.nominal_joint_gain / price_zone <= 0.7
    best = int(np.argmax(seller + buyer))
    assert best != int(np.argmax(seller))
    assert best != int(np.argmax(buyer))


@given(data=st.data(), seed=st.integers(0, 2**40))
@settings(max_examples=40, deadline=None)
def test_replaying_the_log_of_a_package_deal_gives_the_same_game(data: Any, seed: int) -> None:
    setup: dict[str, Any] = {
        "scenario": data.draw(st.sampled_from(MULTI)),
        "persona": data.draw(st.sampled_from(["shark", "diplomat", "veteran"])),
        "seat": data.draw(st.sampled_from(["seller", "buyer"])),
        "seed": seed,
    }
    game = Negotiation(**setup)
    issues = game.scenario.issues
    log: list[tuple[Action, Reply | None]] = []
    for _ in range(data.draw(st.integers(1, 6))):
        if game.done:
            break
        centre = game.scenario.nominal_middle
        price = game.scenario.round(centre * data.draw(st.floats(0.7, 1.3)))
        chosen = {each.id: data.draw(st.sampled_from(each.options)).id for each in issues}
        beside = (
            (Package(price, {issues[0].id: issues[0].options[0].id}),) if data.draw(st.booleans()) else ()
        )
        action = Action(offer=price, terms=chosen, alternatives=beside)
        log.append((action_from_json(to_json(action)), None))
        game.step(action)
    again = Negotiation.replay(setup, log)
    assert again.observe() == game.observe()
    assert again.truth == game.truth
    assert again.grades == game.grades


def test_an_observation_holds_the_own_values_and_not_the_others() -> None:
    game = table()
    seen = game.observe()
    assert seen.own.values == game.truth.seller.values
    others = {value for each in game.truth.buyer.values for value in each if value}
    own = {value for each in game.truth.seller.values for value in each}
    seen_figures = set(re.findall(r"-?\d+\.\d+", json.dumps(to_json(seen))))
    assert others - own
    assert not {str(value) for value in others - own} & seen_figures
