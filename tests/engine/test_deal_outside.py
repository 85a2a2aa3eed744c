"""Somebody else in the opponent's seat: words for the persona's decisions, whole replies, and the view from there."""

from __future__ import annotations

from dataclasses import asdict, fields, replace

import numpy as np
import pytest

from negotiation.engine.deal import OTHER_SEAT, Action, Negotiation, Observation, Reply, personas, scenarios
from negotiation.engine.deal.issues import Package, terms_of
from negotiation.engine.deal.types import Seat

TABLES = [(s, p, seat) for s in scenarios() for p in personas() for seat in ("seller", "buyer")]


def moves(scenario: str, seat: Seat, turns: int = 6) -> list[Action]:
    deal = scenarios()[scenario]
    sign = 1 if seat == "seller" else -1
    first, step = deal.seats[seat].opening, deal.nominal_width / 25
    texts = ("What drives your timeline?", "That is our number.", "I understand where you are coming from.")
    return [Action(texts[i % 3], offer=deal.round(first - sign * step * i)) for i in range(turns)]


def play(
    scenario: str, persona: str, seat: Seat, answers: list[Reply | str | None], seed: int = 11
) -> Negotiation:
    game = Negotiation(scenario, persona, seat, seed)
    for action, answer in zip(moves(scenario, seat, len(answers)), answers, strict=True):
        if game.done:
            break
        if isinstance(answer, str):
            game.step(action, words=answer)
        else:
            game.step(action, answer)
    return game


@pytest.mark.parametrize(("scenario", "persona", "seat"), TABLES)
def test_other_words_change_no_decision(scenario: str, persona: str, seat: Seat) -> None:
    own = play(scenario, persona, seat, [None] * 6)
    other = play(scenario, persona, seat, ["Well now."] * 6)
    assert own.outcome == other.outcome
    assert own.total_reward == other.total_reward
    for mine, theirs in zip(own.observe().transcript, other.observe().transcript, strict=True):
        if mine.side == "opponent" and mine.turn > 0:
            assert theirs.text == "Well now."
        assert replace(mine, text="") == replace(theirs, text="")


@pytest.mark.parametrize(("scenario", "persona", "seat"), TABLES[::5])
def test_after_a_turn_of_other_words_the_voice_goes_on_as_it_would_have(
    scenario: str, persona: str, seat: Seat
) -> None:
    own = play(scenario, persona, seat, [None] * 5)
    other = play(scenario, persona, seat, [None, "Hm.", "Hm.", None, None])
    assert own.observe().transcript[-1] == other.observe().transcript[-1]


@pytest.mark.parametrize(("scenario", "persona", "seat"), TABLES)
def test_the_persona_takes_over_from_whatever_another_put(scenario: str, persona: str, seat: Seat) -> None:
    """After outside replies the strategist answers from the package that stands, and never asks for more again."""
    deal = scenarios()[scenario]
    them: Seat = OTHER_SEAT[seat]
    sign = 1 if them == "seller" else -1
    first = deal.seats[them].opening
    plain = terms_of(deal.issues, 0)
    outside = [
        Reply("Here.", offer=deal.round(first - sign * deal.nominal_width / 12 * i), terms=plain)
        for i in range(3)
    ]
    game = play(scenario, persona, seat, [*outside, None])
    if game.done:
        return
    last = game.observe().transcript[-1]
    assert last.side == "opponent"
    assert last.offer is not None
    worths = game._state.worths[them]
    bundle = game._state.opponent.bundle
    assert outside[-1].offer is not None
    assert sign * last.offer + worths[bundle] <= sign * outside[-1].offer + worths[0] + 1e-6
    assert sign * (last.offer - game.truth.opponent.walk_away) + worths[bundle] >= -1e-6


@pytest.mark.parametrize(("scenario", "persona", "seat"), TABLES[::3])
def test_a_game_with_outside_replies_replays_from_its_log(scenario: str, persona: str, seat: Seat) -> None:
    deal = scenarios()[scenario]
    put = Reply("Our number.", offer=deal.round(deal.seats[OTHER_SEAT[seat]].opening))
    answers: list[Reply | str | None] = [put, "Words of a model.", None, put, None]
    first = play(scenario, persona, seat, answers)
    setup = {"scenario": scenario, "persona": persona, "seat": seat, "seed": 11}
    played = list(zip(moves(scenario, seat, 5), answers, strict=True))[: first.turn]
    again = Negotiation.replay(setup, [one for one, _ in zip(played, first.grades, strict=False)])
    assert again.observe() == first.observe()
    assert again.truth == first.truth
    assert again.grades == first.grades


def test_a_fork_leaves_the_table_as_it_was() -> None:
    game = play("software_licensing", "veteran", "buyer", [None] * 3)
    before = game.observe()
    move = moves("software_licensing", "buyer", 4)[-1]
    tried = game.fork().step(move)
    assert game.observe() == before
    assert game.step(move) == tried


@pytest.mark.parametrize(("scenario", "persona", "seat"), TABLES)
def test_the_view_from_across_holds_nothing_of_the_players_truth(
    scenario: str, persona: str, seat: Seat
) -> None:
    """With another truth of the player's the opponent sees the very same."""
    game = play(scenario, persona, seat, [None] * 3)
    if game.done:
        return
    move = moves(scenario, seat, 4)[-1]
    seen = game.across(move)
    truth = game._state.truths[seat]
    game._state.truths[seat] = replace(truth, walk_away=truth.walk_away * 1.07, budget=truth.budget * 0.9)
    game._state.worths[seat] = tuple(1.5 * worth for worth in game._state.worths[seat])
    assert game.across(move) == seen


def test_the_view_from_across_is_the_table_with_sides_swapped() -> None:
    game = play("saas_enterprise", "shark", "seller", [None] * 2)
    move = Action("We can do 171.", offer=171_000)
    before = game.observe()
    seen = game.across(move)
    assert (seen.seat, seen.own) == ("buyer", game.truth.opponent)
    assert (seen.own_offer, seen.standing_offer) == (before.standing_offer, 171_000)
    assert [m.side for m in seen.transcript[:-1]] == [
        "player" if m.side == "opponent" else "opponent" for m in before.transcript
    ]
    assert seen.transcript[-1].text == move.text
    assert game.observe() == before
    assert {f.name for f in fields(Observation)} == set(asdict(seen))


@pytest.mark.parametrize(
    "reply",
    [Reply(accept=True), Reply("Take this.", card="batna_reveal", claim=1.0), Reply(card="reframe")],
    ids=["nothing to accept", "spent points", "spent points too"],
)
def test_a_reply_that_cannot_be_played_is_refused(reply: Reply) -> None:
    game = Negotiation("saas_enterprise", "shark", "seller", 3)
    game._state.opponent.points = 0
    with pytest.raises(ValueError, match=r"accept|play"):
        game.step(Action("Hello there."), reply)


def test_of_packages_side_by_side_the_engine_says_which_one_stands() -> None:
    deal = scenarios()["procurement_hardware"]
    price = deal.seats["seller"].opening
    packages = Action(
        "Either of these.",
        offer=price,
        terms=terms_of(deal.issues, 0),
        alternatives=(Package(price, terms_of(deal.issues, 26)),),
    )
    game = Negotiation("procurement_hardware", "diplomat", "seller", 5)
    own = game.fork().step(packages).reply
    other = game.step(packages, Reply("No.", offer=deal.seats["buyer"].opening)).reply
    assert own.preferred == other.preferred
    assert own.preferred is not None
    assert np.isfinite(other.offer or 0)
