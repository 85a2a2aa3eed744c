"""Stated limits and deadlines: how false, beside what they stand, and that nobody bids against oneself."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.claims import Watch, decoded, false_of, points_by_name
from negotiation.engine.deal import Action, Negotiation, Reply, personas, scenarios
from negotiation.engine.deal.reward import BLUFF_TOLERANCE
from negotiation.engine.deal.strategist import claims
from negotiation.engine.deal.types import OTHER_SEAT, SIGN, Seat
from negotiation.engine.personas import folders, table
from tests.effort import matrix

GAMES = 120
DRAWS = st.floats(0.0, 1.0, exclude_min=True, exclude_max=True)
BLUFFERS = ("shark", "veteran")


@cache
def watched(persona: str, calls: str = "sometimes") -> tuple[Watch, ...]:
    return tuple(
        Watch(scenario, personas()[persona], seat, GAMES, calls)
        for scenario in scenarios().values()
        for seat in get_args(Seat)
    )


def first(persona: str, calls: str = "never") -> list[claims.Word]:
    """The first claim of each game, before anybody had called one."""
    return [
        claims.Word(claim.figure, claim.limit)
        for watch in watched(persona, calls)
        for claim in watch.claims
        if not claim.another
    ]


@given(
    draw=DRAWS,
    persona=st.sampled_from(sorted(personas())),
    scenario=st.sampled_from(sorted(scenarios())),
    seat=st.sampled_from(get_args(Seat)),
)
def test_a_limit_is_stated_on_the_own_side_and_no_further_than_the_law_allows(
    draw: float, persona: str, scenario: str, seat: Seat
) -> None:
    deal, who = scenarios()[scenario], personas()[persona]
    limit = SIGN[seat] * deal.seats[seat].walk_away
    claim = float(claims.stated(limit, who, draw, deal.step))
    most = claims.HONEST_SHADE if claims.is_honest(who) else claims.SHADE
    assert limit <= claim <= limit + most * abs(limit) + 2 * deal.step
    many = claims.stated(np.full(3, limit), who, np.full(3, draw), deal.step)
    np.testing.assert_array_equal(many, claim)


@pytest.mark.parametrize("persona", BLUFFERS)
def test_who_bluffs_is_false_neither_rarely_nor_mostly(persona: str) -> None:
    every = [claim for watch in watched(persona, "never") for claim in watch.claims]
    assert len(every) > 500
    assert 0.3 < false_of(every).mean() < 0.55


@pytest.mark.parametrize("persona", BLUFFERS)
def test_calling_by_the_name_earns_no_more_than_never_calling(persona: str) -> None:
    once = [c for watch in watched(persona, "never") for c in watch.claims if not c.another]
    assert points_by_name(false_of(once))["ci95"][0] <= 0


def test_the_rule_by_the_name_solves_few_puzzles_of_who_bluffs() -> None:
    """Of who never does no puzzle is made (``coaching.analysis.puzzles.cut``)."""
    solved = [
        max(share, 1 - share)
        for persona in BLUFFERS
        for share in [false_of([c for watch in watched(persona, "never") for c in watch.claims]).mean()]
    ]
    assert max(solved) < 0.7


@pytest.mark.parametrize("persona", ["diplomat", "auditor"])
def test_who_never_bluffs_shades_by_an_amount_that_varies_and_never_falsely(persona: str) -> None:
    told = first(persona)
    shades = np.array([(word.figure - word.limit) / abs(word.limit) for word in told])
    assert len(shades) > 500
    assert shades.min() >= 0
    assert shades.max() <= BLUFF_TOLERANCE
    assert shades.std() > 0.02
    assert np.quantile(shades, 0.9) - np.quantile(shades, 0.1) > 0.07


def test_the_diplomats_page_says_how_far_she_shades() -> None:
    assert f"up to {claims.HONEST_SHADE:.0%}" in personas()["diplomat"].advice
    assert claims.is_honest(personas()["diplomat"])


@pytest.mark.parametrize("persona", sorted(personas()))
def test_no_decoder_reads_a_limit_off_a_claim_to_a_twentieth_of_the_zone(persona: str) -> None:
    found = []
    for watch in watched(persona, "never"):
        once = [claim for claim in watch.claims if not claim.another]
        cell = decoded(once, watch.batch.scenario, SIGN[OTHER_SEAT[watch.batch.seat]])
        if "mean" in cell:
            found.append(cell)
    assert len(found) == 12
    assert np.mean([cell["mean"] for cell in found]) > 0.05
    assert np.mean([cell["median"] for cell in found]) > 0.05


@pytest.mark.parametrize(("persona", "calls"), matrix(sorted(personas()), ["never", "sometimes"], one_in=3))
def test_a_claim_fits_what_lies_on_the_table_and_what_was_said(persona: str, calls: str) -> None:
    cells = watched(persona, calls)
    assert sum(watch.met for watch in cells) == 0, "the player's offer met it already"
    assert [c for watch in cells for c in watch.claims if c.another and not (c.called or c.news)] == []


@pytest.mark.parametrize("persona", sorted(personas()))
def test_nobody_bids_against_oneself(persona: str) -> None:
    cells = [*watched(persona, "never"), *watched(persona, "sometimes")]
    assert sum(watch.turns for watch in cells) > 10_000
    assert sum(watch.refused for watch in cells) == 0, "its own figure was refused, and no news had come"
    assert sum(watch.underbid for watch in cells) == 0


def test_the_diplomat_takes_her_own_figure() -> None:
    """She stood at 202,000 after turn 8 and answered an offer of 202,000 with 204,000."""
    game = Negotiation("hiring_package", "diplomat", "seller", 26, speak=False)
    for turn in range(20):
        held = game.observe().standing_offer
        offer = 231_000.0 - 4_000.0 * turn
        meets = held is not None and offer <= held
        step = game.step(Action(text=f"Turn {turn}.", offer=offer))
        if meets:
            assert step.reply.accept
        if step.done:
            break
    assert game.done


@pytest.mark.parametrize("persona", sorted(personas()))
@pytest.mark.parametrize("why", ["news", "called"])
def test_another_limit_comes_with_its_reason_in_the_personas_own_words(persona: str, why: str) -> None:
    """Each line of the voice's folder for that reason can be said, and one is."""
    assert len(table(persona, "lines.toml")["restate"][why]) >= 5
    assert persona in folders()
    said = 0
    never_caught = why == "called" and claims.is_honest(personas()[persona])
    for seed in range(40 if never_caught else 400):
        game = Negotiation("saas_enterprise", persona, "seller", seed)
        stem = {
            line.split("|")[-1].split("{claim}")[0].strip()
            for line in table(persona, "lines.toml")["restate"][why]
        }
        before = False
        for turn in range(16):
            if game.done:
                break
            told = game.step(
                Action(
                    text=("I understand, that is fair.", "What matters most to you?")[turn % 2],
                    offer=178_000.0 - 1_500.0 * turn,
                    challenge=True if game.observe().open_claim is not None and why == "called" else None,
                )
            ).reply
            if told.claim is not None and before:
                said += any(part and part in told.text for part in stem)
            before |= told.claim is not None
        if said >= 2:
            break
    assert (said == 0) if never_caught else said


@pytest.mark.parametrize("persona", BLUFFERS)
def test_deadlines_are_true_shaded_or_false(persona: str) -> None:
    late = np.array([rounds for watch in watched(persona, "never") for rounds in watch.deadlines])
    assert len(late) > 200
    assert 0.15 < (late >= 3).mean() < 0.85
    assert ((late > 0) & (late < 3)).mean() > 0.15
    assert (late <= 0).mean() > 0.02


def test_who_never_bluffs_names_the_rounds_that_there_are() -> None:
    late = [rounds for watch in watched("diplomat", "never") for rounds in watch.deadlines]
    assert late
    assert set(late) == {0.0}


def test_a_deadline_that_is_named_is_the_one_that_counts() -> None:
    game = Negotiation("saas_enterprise", "shark", "seller", 1, speak=False)
    reply = Reply(text="Five rounds.", offer=110_000.0, card="time_pressure", deadline_turns=5)
    game.step(Action(text="So.", offer=178_000.0), reply)
    deadline = game._state.opponent.deadline
    assert deadline is not None
    assert deadline.turn == 6


def test_news_that_comes_after_a_claim_makes_nobody_a_liar() -> None:
    """The hiring deal's competing offer of turn 5 moves the seller's limit while her claim of turn 4 is open."""
    game = Negotiation("hiring_package", "diplomat", "buyer", 3, speak=False)
    for turn in range(1, 5):
        limit = game.truth.opponent.walk_away
        reply = Reply(offer=240_000.0)
        if turn == 4:
            reply = replace(reply, card="batna_reveal", claim=limit * 1.14)
        game.step(Action(text=f"Turn {turn}.", offer=170_000.0 + turn * 1_000), reply)
    moved = game.truth.opponent.walk_away != limit
    assert moved
    assert game.truth.open_claim_is_bluff is False
