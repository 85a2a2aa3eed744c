"""Properties that hold in every game, whatever is played."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation.engine.deal import OTHER_SEAT, SIGN, Action, ActionRefused, Negotiation, SeatTruth, Truth
from negotiation.engine.deal.issues import Terms, bundle_of
from negotiation.engine.deal.wire import action_from_json, to_json
from tests.effort import times
from tests.engine.players import moves, play, setups

slowly = settings(max_examples=times(120), deadline=None)


def hidden_numbers(truth: Truth, seen: set[float]) -> set[float]:
    """The opponent's private figures that the player has not been told, or cannot know by coincidence."""
    other = truth.opponent
    secret = {other.walk_away, other.budget}
    if other.alternative_value is not None:
        secret.add(other.alternative_value)
    return secret - seen


def figures_in(value: object) -> set[float]:
    return {float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", json.dumps(value))}


def worth_to_them(game: Negotiation, price: float, terms: Terms | None) -> float:
    """What a package is worth to the persona, as a price on the first terms."""
    bundle = bundle_of(game.scenario.issues, terms or {})
    return game._state.price_worth(price, bundle, OTHER_SEAT[game.seat])


@given(setups, moves)
@slowly
def test_no_observation_ever_holds_the_opponents_hidden_numbers(setup, drawn) -> None:
    game = Negotiation(**setup)
    play(game, drawn)
    view = to_json(game.observe())
    # Figures on the table are nobody's secret any more: an offer may by chance equal a limit.
    spoken = figures_in([view["transcript"], view["own"], view["own_offer"], view["standing_offer"]])
    spoken |= figures_in(view["open_claim"])
    shown = figures_in({k: v for k, v in view.items() if k not in ("transcript",)})
    assert not hidden_numbers(game.truth, spoken) & shown
    assert "opponent" not in view
    assert set(view["own"]) == set(SeatTruth.__slots__)


@given(setups, moves)
@slowly
def test_observation_is_independent_of_truth_the_player_cannot_have_learnt(setup, drawn) -> None:
    """Two games that differ only in the opponent's unspoken budget show the player the same table."""
    first, second = Negotiation(**setup), Negotiation(**setup)
    seat = OTHER_SEAT[setup["seat"]]
    truths = second._state.truths
    truths[seat] = replace(truths[seat], budget=truths[seat].budget * 1.01)
    play(first, drawn)
    play(second, drawn)
    assert first.observe() == second.observe()


@given(setups, moves)
@slowly
def test_same_seed_and_same_actions_give_the_same_episode_bit_for_bit(setup, drawn) -> None:
    first = Negotiation(**setup)
    taken = play(first, drawn)
    second = Negotiation.replay(setup, [(action, None) for action, _ in taken])
    assert first.observe() == second.observe()
    assert first.truth == second.truth
    assert first.grades == second.grades
    assert first.outcome == second.outcome


@given(setups, moves)
@slowly
def test_a_log_of_json_actions_rebuilds_the_game(setup, drawn) -> None:
    first = Negotiation(**setup)
    log = json.loads(json.dumps([to_json(action) for action, _ in play(first, drawn)]))
    second = Negotiation.replay(setup, [(action_from_json(entry), None) for entry in log])
    assert first.observe() == second.observe()


@given(setups, moves)
@slowly
def test_efficiency_is_a_share_and_rewards_add_up(setup, drawn) -> None:
    game = Negotiation(**setup)
    steps = [step for _, step in play(game, drawn)]
    assert game.total_reward == pytest.approx(sum(step.reward for step in steps))
    for step in steps:
        assert step.reward == pytest.approx(sum(term.points for term in step.terms))
        assert all(term.why for term in step.terms)
    if game.outcome is not None:
        assert 0 <= game.outcome.efficiency <= 1
        assert 0 <= game.outcome.efficiency_current_width <= 1
        assert game.outcome.total_reward == pytest.approx(game.total_reward)


@given(setups, moves)
@slowly
def test_the_persona_never_stands_beyond_its_walk_away_nor_takes_an_offer_beyond_it(setup, drawn) -> None:
    game = Negotiation(**setup)
    sign = -SIGN[setup["seat"]]
    for move in drawn:
        if game.done:
            break
        limit = game.truth.opponent.walk_away
        taken = play(game, [move])
        for _, step in taken:
            if step.reply.offer is not None:
                assert sign * (worth_to_them(game, step.reply.offer, step.reply.terms) - limit) >= -1e-6
            if step.reply.accept:
                assert game.outcome is not None
                assert game.outcome.price is not None
                taken_at = worth_to_them(game, game.outcome.price, game.outcome.agreed)
                assert sign * (taken_at - limit) >= -1e-6
        seen = game.observe()
        if seen.standing_offer is not None and not game.done:
            standing = worth_to_them(game, seen.standing_offer, seen.standing_terms)
            assert sign * (standing - game.truth.opponent.walk_away) >= -1e-6


@given(setups, moves)
@slowly
def test_the_player_closes_beyond_its_limit_only_by_its_own_act(setup, drawn) -> None:
    """News and erosion never turn a standing offer of the player's into a breach behind its back."""
    game = Negotiation(**setup)
    taken = play(game, drawn)
    if game.outcome is None or not game.outcome.floor_breached:
        return
    last, _ = taken[-1]
    offered = [a.offer for a, _ in taken if a.offer is not None]
    assert last.accept or offered[-1] == game.outcome.price


@given(setups, moves)
@slowly
def test_the_personas_offers_never_move_away_while_they_stand(setup, drawn) -> None:
    game = Negotiation(**setup)
    sign = SIGN[setup["seat"]]
    for move in drawn:
        seen = game.observe()
        if seen.standing_offer is None:
            play(game, [move])
            continue
        before = worth_to_them(game, seen.standing_offer, seen.standing_terms)
        for _, step in play(game, [move]):
            if step.reply.offer is not None:
                assert sign * (worth_to_them(game, step.reply.offer, step.reply.terms) - before) >= -1e-6


@given(setups, moves)
@slowly
def test_news_the_persona_says_nothing_about_itself(setup, drawn) -> None:
    """The persona never repeats a line within a game, and always says something."""
    game = Negotiation(**setup)
    lines = [step.reply.text for action, step in play(game, drawn) if not (action.accept or action.walk_away)]
    if game.opening is not None:
        lines.append(game.opening.text)
    assert all(lines)
    assert len(lines) == len(set(lines))


@given(setups, st.sampled_from(["accept", "walk_away"]))
@slowly
def test_nothing_can_be_played_after_the_end(setup, end) -> None:
    game = Negotiation(**setup)
    game.step(Action(walk_away=True))
    before = game.observe()
    with pytest.raises(ActionRefused) as refused:
        game.step(Action(accept=True) if end == "accept" else Action(walk_away=True))
    assert refused.value.code == "game_over"
    assert game.observe() == before
