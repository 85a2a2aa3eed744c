"""The reward module: golden figures and the meaning of each term."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation.engine.deal import Action, Belief, CardId, Negotiation, Outcome, Reply, SeatTruth, reward

TRUTH = SeatTruth(
    walk_away=165_000, budget=175_000, urgency=0.4, has_alternative=True, alternative_value=170_000
)
WIDTH = 40_000.0


def test_golden_figure_of_the_specification() -> None:
    assert reward.efficiency(148_000, 125_000, WIDTH, "seller") == pytest.approx(0.575)
    assert reward.efficiency(148_000, 165_000, WIDTH, "buyer") == pytest.approx(0.425)


@given(st.floats(1, 1e9), st.floats(1, 1e9), st.floats(-1e6, 1e6), st.sampled_from(["seller", "buyer"]))
def test_efficiency_is_a_share(price, walk_away, width, seat) -> None:
    assert 0 <= reward.efficiency(price, walk_away, width, seat) <= 1


def test_a_perfect_belief_scores_one_and_silence_scores_nothing() -> None:
    perfect = Belief(walk_away=165_000, budget=175_000, urgency=0.4)
    assert reward.theory_of_mind_term(perfect, TRUTH, WIDTH).points == pytest.approx(5)
    assert reward.theory_of_mind_term(None, TRUTH, WIDTH).points == 0


def test_a_part_left_out_of_a_belief_counts_as_missed() -> None:
    partial = Belief(urgency=0.4)
    assert reward.theory_of_mind_term(partial, TRUTH, WIDTH).points == pytest.approx(5 / 3)


def test_value_counts_both_directions() -> None:
    better = reward.value_term(110_000, 120_000, "seller", WIDTH)
    worse = reward.value_term(120_000, 110_000, "seller", WIDTH)
    assert better.points == pytest.approx(0.5)
    assert worse.points == -better.points
    assert reward.value_term(150_000, 140_000, "buyer", WIDTH).points == pytest.approx(0.5)


def test_capitulation_is_the_unmatched_part_of_a_concession() -> None:
    assert reward.capitulation_term(8_000, 2_000, WIDTH).points == pytest.approx(-3 * 6_000 / WIDTH)
    assert reward.capitulation_term(2_000, 8_000, WIDTH).points == 0


def test_a_bluff_is_a_floor_more_than_fifteen_per_cent_off() -> None:
    assert not reward.is_bluff(115_000, 100_000)
    assert reward.is_bluff(115_001, 100_000)
    assert reward.is_bluff(84_999, 100_000)


def test_bluff_verdicts_have_their_published_weights() -> None:
    points = {v: reward.bluff_term(v).points for v in ("caught", "false_call", "swallowed", "none")}
    assert points == {"caught": 12, "false_call": -12, "swallowed": -3, "none": 0}


def test_market_event_accuracy_falls_to_zero_at_thirty_points_off() -> None:
    assert reward.market_event_term(-0.05, -0.05).points == pytest.approx(8)
    assert reward.market_event_term(0.10, -0.20).points == pytest.approx(0)
    assert reward.market_event_term(None, -0.20).points == 0


def test_closing_beyond_ones_limit_falls_off_a_cliff_that_no_price_pays_for() -> None:
    breached = reward.deal_terms(1.0, 1, 20, 1.0, breached=True)
    assert sum(t.points for t in breached) < 0
    assert reward.omega(29) == -50
    assert reward.omega(30) == -200
    assert reward.omega(None) == -200


def test_speed_and_adaptation_pay_only_for_a_deal_that_earns_something() -> None:
    nothing = {t.name: t.points for t in reward.deal_terms(0.0, 1, 20, 1.0, breached=False)}
    assert nothing == {"efficiency": 0, "speed": 0, "adaptation": 0}
    full = {t.name: t.points for t in reward.deal_terms(1.0, 1, 20, 1.0, breached=False)}
    assert full == {"efficiency": 100, "speed": 20, "adaptation": 15}


def test_leaving_is_free_only_where_there_was_nothing_to_agree() -> None:
    assert reward.no_deal_terms(excused=True)[0].points == 0
    assert reward.no_deal_terms(excused=False)[0].points == -100


def test_a_sweetener_that_makes_up_for_the_price_is_no_breach() -> None:
    def closed(card: CardId | None) -> Outcome:
        game = Negotiation("saas_enterprise", "diplomat", "seller", seed=0)
        below = game.truth.player.walk_away - 1_000
        game.step(Action(text="What matters to you?"), Reply(text="This.", offer=below, card=card))
        game.step(Action(accept=True))
        assert game.outcome is not None
        return game.outcome

    sweetened, bare = closed("sweetener"), closed(None)
    assert sweetened.efficiency > 0
    assert not sweetened.floor_breached
    assert bare.efficiency == 0
    assert bare.floor_breached
