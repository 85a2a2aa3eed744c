"""Cards, credibility, claims and challenges."""

from __future__ import annotations

import math

import numpy as np
import pytest

from negotiation.engine.deal import (
    CARDS,
    Action,
    Negotiation,
    Reply,
    scenarios,
)
from tests.effort import matrix
from tests.engine.players import QUIET, table


def test_cards_cost_what_they_should_and_points_recover() -> None:
    costs = {c.id: c.cost for c in CARDS.values()}
    assert costs == {
        "anchor_high": 0, "silence": 5, "sweetener": 10, "reframe": 12, "time_pressure": 15, "batna_reveal": 20,
    }  # fmt: skip
    game = table()
    game.step(Action(text="Our floor is firm.", card="batna_reveal", claim=130_000.0))
    assert game.observe().credibility_points == 100 - 20 + 5


def test_a_called_bluff_halves_the_credit_for_the_rest_of_the_game() -> None:
    game = table(seed=1)
    truth = game.truth.player.walk_away
    game.step(Action(card="batna_reveal", claim=truth * 1.3), Reply(text="I doubt it.", challenge=True))
    assert game.observe().credibility_cap == 50
    for turn in range(6):
        game.step(Action(text=f"Let us look at part {turn}."), QUIET)
    assert game.observe().credibility_points <= 50


def test_a_true_floor_that_is_challenged_costs_nothing() -> None:
    game = table(seed=1)
    truth = game.truth.player.walk_away
    game.step(Action(card="batna_reveal", claim=truth), Reply(text="I doubt it.", challenge=True))
    assert game.observe().credibility_cap == 100


def their_concession(persona: str, action: Action, seed: int) -> float:
    """How far the persona moves in answer to ``action`` after a common beginning."""
    game = table(persona=persona, seed=seed)
    for turn in range(5):
        game.step(Action(offer=178_000.0 - 3_000 * turn))
        if game.done:
            return math.nan
    before = game.observe().standing_offer
    step = game.step(action)
    if before is None or step.reply.offer is None:
        return math.nan
    return step.reply.offer - before


@pytest.mark.parametrize(
    ("card", "persona"), matrix(["silence", "time_pressure", "reframe"], ["shark", "diplomat"], one_in=5)
)
def test_pressing_cards_move_the_persona_further_than_no_card(card, persona) -> None:
    plain = [their_concession(persona, Action(offer=164_000.0), s) for s in range(60)]
    played = [their_concession(persona, Action(offer=164_000.0, card=card), s) for s in range(60)]
    gain = np.nanmean(np.array(played) - np.array(plain))
    assert gain > 0


def test_silence_presses_the_impatient_more_than_the_patient() -> None:
    def gain(persona: str) -> float:
        plain = [their_concession(persona, Action(offer=164_000.0), s) for s in range(60)]
        silent = [their_concession(persona, Action(offer=164_000.0, card="silence"), s) for s in range(60)]
        return float(np.nanmean(np.array(silent) - np.array(plain)))

    assert gain("shark") > gain("veteran")


def test_a_sweetener_is_worth_more_to_them_than_it_costs_you() -> None:
    for scenario in scenarios().values():
        assert all(0 < s.cost < s.worth for s in scenario.sweeteners)
    game = table(seed=1)
    game.step(Action(offer=170_000.0, card="sweetener"), QUIET)
    step = game.step(Action(offer=150_000.0), Reply(text="Done.", accept=True))
    plain = table(seed=1)
    plain.step(Action(offer=170_000.0), QUIET)
    plain.step(Action(offer=150_000.0), Reply(text="Done.", accept=True))
    assert step.done
    assert game.outcome is not None
    assert plain.outcome is not None
    assert game.outcome.efficiency < plain.outcome.efficiency, "its cost is counted"


def test_an_anchor_pulls_their_belief_unless_it_is_implausible() -> None:
    def belief_after(offer: float) -> float:
        game = table(persona="diplomat", seed=4)
        before = game._across.mind.impression.limit.mean()
        game.step(Action(offer=offer, card="anchor_high"))
        return game._across.mind.impression.limit.mean() - before

    assert abs(belief_after(200_000.0)) > 1_000
    assert abs(belief_after(900_000.0)) < 1


def claim_game(factor: float) -> Negotiation:
    """A game in which the persona has just stated a floor ``factor`` times its true one."""
    game = table(seed=1)
    claim = game.truth.opponent.walk_away * factor
    game.step(
        Action(offer=180_000.0), Reply(text="My ceiling.", offer=100_000.0, card="batna_reveal", claim=claim)
    )
    return game


def bluff_points(step: object) -> float:
    return sum(t.points for t in step.terms if t.name == "bluff")  # type: ignore[attr-defined]


def test_calling_a_bluff_pays_once() -> None:
    game = claim_game(0.8)
    assert game.truth.open_claim_is_bluff
    assert bluff_points(game.step(Action(text="Show me.", challenge=True), QUIET)) == 12
    assert bluff_points(game.step(Action(text="Show me again.", challenge=True), QUIET)) == 0


def test_words_of_doubt_call_a_bluff_too() -> None:
    game = claim_game(0.8)
    assert (
        bluff_points(game.step(Action(text="I don't believe that is your real limit. Prove it."), QUIET))
        == 12
    )


def test_challenging_a_true_floor_costs() -> None:
    game = claim_game(0.95)
    tension = game.observe().tension
    step = game.step(Action(text="Show me.", challenge=True), QUIET)
    assert bluff_points(step) == -12
    assert step.observation.tension > tension


def test_swallowing_a_bluff_costs_a_little() -> None:
    game = claim_game(0.8)
    points = [bluff_points(game.step(Action(offer=178_000.0 - 500 * i), QUIET)) for i in range(4)]
    assert sum(points) == -3


def test_the_diplomat_never_states_a_false_floor_and_the_shark_does() -> None:
    def claims(persona: str) -> list[bool]:
        found = []
        for seed in range(150):
            game = table(persona=persona, seed=seed, seat="seller")
            for turn in range(16):
                if game.done:
                    break
                game.step(Action(text="I understand. What matters to you?", offer=178_000.0 - 2_200 * turn))
                if game.truth.open_claim_is_bluff is not None:
                    found.append(game.truth.open_claim_is_bluff)
                    break
        return found

    assert len(claims("diplomat")) > 10
    assert not any(claims("diplomat"))
    assert sum(claims("shark")) > 10
