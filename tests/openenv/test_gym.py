"""The deal as a Gymnasium environment."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

pytest.importorskip("gymnasium", reason="gymnasium is not installed with Parlay")

import numpy as np
from gymnasium.utils.env_checker import check_env

from negotiation.engine.deal import SIGN, Action, Belief, Negotiation, Seat, Talk, personas, scenarios
from negotiation.engine.deal.case.moves import talk_moves
from negotiation.openenv.gym import ACCEPT, FEATURES, NOTHING, OFFER, REFUSED_REWARD, WALK_AWAY, DealGym


def move(
    kind: int = OFFER, price: float = 0.6, bundle: int = 0, card: int = 0, limit: float = 0.4
) -> dict[str, Any]:
    return {
        "kind": kind,
        "price": np.float32(price),
        "bundle": bundle,
        "card": card,
        "limit": np.float32(limit),
    }


@pytest.mark.filterwarnings("ignore:.*")
@pytest.mark.parametrize("case", [False, True])
@pytest.mark.parametrize("scenario", ["saas_enterprise", "software_licensing"])
def test_it_passes_the_librarys_own_checks(scenario: str, case: bool) -> None:
    check_env(DealGym(scenario, case=case), skip_render_check=True)


def test_it_plays_the_same_deal_as_the_engine() -> None:
    env, game = DealGym(persona="shark"), Negotiation("saas_enterprise", "shark", "seller", 9, speak=False)
    env.reset(seed=9)
    for share in (0.7, 0.65, 0.6):
        price = game.scenario.round(60_000 + float(np.float32(share)) * 240_000)
        limit = game.scenario.round(60_000 + float(np.float32(0.4)) * 240_000)
        observed, reward, done, _, info = env.step(move(price=share))
        step = game.step(Action(offer=price, belief=Belief(walk_away=limit)))
        assert reward == step.reward
        assert info["view"] == step.observation
        assert done == step.done
        assert observed["features"][FEATURES.index("their_offer_0_ago")] == pytest.approx(
            (step.observation.standing_offer - 60_000) / 240_000 if step.observation.standing_offer else -1.0
        )


def test_a_move_that_cannot_be_made_costs_a_little_and_changes_nothing() -> None:
    env = DealGym(persona="diplomat")
    before, _ = env.reset(seed=3)
    after, reward, done, truncated, info = env.step(move(ACCEPT))
    assert (reward, done, truncated, info["refused"]) == (REFUSED_REWARD, False, False, "nothing_to_accept")
    assert np.array_equal(before["features"], after["features"])


def test_an_episode_of_refusals_ends() -> None:
    env = DealGym(persona="diplomat", horizon=5)
    env.reset(seed=3)
    assert [env.step(move(ACCEPT))[3] for _ in range(10)] == [False] * 9 + [True]


def test_what_words_do_is_a_move_by_number_and_what_was_told_is_seen_as_numbers() -> None:
    env = DealGym(case=True)
    game = Negotiation("saas_enterprise", "diplomat", "seller", 9, speak=False, case=True)
    assert game.case is not None
    says = talk_moves(game.case, "seller")
    env.reset(seed=9)
    limit = Belief(walk_away=game.scenario.round(60_000 + float(np.float32(0.4)) * 240_000))
    theirs = game.case.seats["buyer"]
    for topic in sorted({fact.topic for fact in theirs.facts})[:4]:
        question, label = Talk("ask_problem", topic), Talk("label", topic)
        talk = [says.index(question) + 1, says.index(label) + 1, 0, 0]
        price = game.scenario.round(60_000 + float(np.float32(0.9)) * 240_000)
        observed, reward, _, _, info = env.step({**move(price=0.9), "talk": np.array(talk)})
        step = game.step(Action(offer=price, belief=limit, talk=(question, label)))
        assert reward == step.reward
        assert info["view"] == step.observation
    told = {each.id for each in step.observation.told}
    assert told
    assert {
        fact.id for fact, cell in zip(theirs.facts, observed["told"], strict=True) if cell != NOTHING
    } == told


@pytest.mark.parametrize(("scenario", "seat"), list(product(scenarios(), SIGN)))
def test_every_numbered_thing_can_be_said(scenario: str, seat: Seat) -> None:
    game = Negotiation(scenario, "veteran", seat, 1, speak=False, case=True)
    assert game.case is not None
    for each in talk_moves(game.case, seat):
        game.check(Action(offer=game.scenario.plausible_high / 2, talk=(each,)))


def test_walking_away_ends_it() -> None:
    env = DealGym()
    env.reset(seed=3)
    _, _, done, truncated, info = env.step(move(WALK_AWAY))
    assert (done, truncated, info["ending"].reason) == (True, False, "player_walked")


@pytest.mark.parametrize(
    ("scenario", "persona", "seat", "case"),
    list(product(scenarios(), personas(), ("seller", "buyer"), (False, True))),
)
def test_random_play_stays_within_the_spaces(scenario: str, persona: str, seat: str, case: bool) -> None:
    env = DealGym(scenario, persona, seat, case=case)
    env.action_space.seed(1)
    observed, _ = env.reset(seed=5)
    done = truncated = False
    while not (done or truncated):
        assert env.observation_space.contains(observed)
        observed, _, done, truncated, _ = env.step(env.action_space.sample())
