"""Bad input is refused in words and changes nothing."""

from __future__ import annotations

import math

import pytest

from negotiation.engine.deal import (
    CARDS,
    Action,
    ActionRefused,
    Belief,
    Reply,
)
from tests.engine.players import QUIET, table

BAD = [
    (Action(), "empty_action"),
    (Action(text="   "), "empty_action"),
    (Action(text="x" * 2001), "text_too_long"),
    (Action(text="a\x00b"), "text_binary"),
    (Action(offer=math.nan), "offer_not_finite"),
    (Action(offer=math.inf), "offer_not_finite"),
    (Action(offer=-5.0), "offer_not_positive"),
    (Action(offer=0.0), "offer_not_positive"),
    (Action(offer=1e12), "offer_implausible"),
    (Action(text="hi", card="nonsense"), "unknown_card"),
    (Action(text="hi", card="anchor_high"), "card_needs_offer"),
    (Action(text="hi", card="batna_reveal"), "card_needs_claim"),
    (Action(text="hi", belief=Belief(urgency=1.5)), "belief_out_of_range"),
    (Action(text="hi", belief=Belief(walk_away=math.nan)), "belief_walk_away_not_finite"),
    (Action(text="hi", event_estimate=0.1), "estimate_not_asked"),
    (Action(accept=True), "nothing_to_accept"),
    (Action(accept=True, walk_away=True), "contradiction"),
]


@pytest.mark.parametrize(("action", "code"), BAD, ids=[code for _, code in BAD])
def test_a_bad_action_is_refused_in_words_and_changes_nothing(action, code) -> None:
    game = table()
    before = (game.observe(), game.truth, game.total_reward)
    with pytest.raises(ActionRefused) as refused:
        game.step(action)
    assert refused.value.code == code
    assert refused.value.message
    assert (game.observe(), game.truth, game.total_reward) == before


def test_a_card_without_points_is_refused() -> None:
    game = table(seed=1)
    bluff = game.truth.player.walk_away * 1.3
    for _ in range(2):
        game.step(Action(card="batna_reveal", claim=bluff), Reply(text="I doubt it.", challenge=True))
    assert game.observe().credibility_cap == 25
    game.step(Action(text="Friday, then.", card="time_pressure"), QUIET)
    game.step(Action(text="Look at it as a saving.", card="reframe"), QUIET)
    assert game.observe().credibility_points < CARDS["sweetener"].cost
    with pytest.raises(ActionRefused) as refused:
        game.step(Action(text="And a gift.", card="sweetener"), QUIET)
    assert refused.value.code == "card_unaffordable"


def test_a_card_that_is_used_up_is_refused() -> None:
    game = table()
    game.step(Action(text="Look at it as a saving.", card="reframe"), QUIET)
    with pytest.raises(ActionRefused) as refused:
        game.step(Action(text="A saving, I said.", card="reframe"), QUIET)
    assert refused.value.code == "card_spent"


@pytest.mark.parametrize(
    "text", ["😀" * 50, "مرحبا كيف الحال", "<script>alert(1)</script>", "<b>148k</b>", "‮abc"]
)
def test_strange_text_is_only_text(text) -> None:
    step = table().step(Action(text=text, offer=170_000.0))
    assert step.reply.text
