"""What can be inferred from offers: the posterior, and the reference observer that spectators see."""

from __future__ import annotations

import numpy as np
import pytest

from bench.observer import watch
from negotiation.engine.deal.belief import CAREFUL, Hypotheses, LimitPosterior
from tests.effort import matrix
from tests.engine.players import PERSONAS

SCALE, HORIZON = 40_000.0, 20


def offers(limit: float, first: float, beta: float, turns: int) -> list[float]:
    return [first + (limit - first) * (t / (HORIZON - 1)) ** (1 / beta) for t in range(turns)]


def posterior(**changes: object) -> LimitPosterior:
    setup = {"prior_mean": 160_000.0, "prior_sd": 12_000.0, "scale": SCALE, "horizon": HORIZON} | changes
    return LimitPosterior(**setup)  # type: ignore[arg-type]


def test_density_is_a_distribution_and_its_interval_holds_its_mean() -> None:
    belief = posterior()
    for turn, value in enumerate(offers(150_000, 110_000, 0.7, 10)):
        belief.observe_offer(value, turn)
    limits, mass = belief.density()
    assert mass.sum() == pytest.approx(1)
    assert (np.diff(limits) > 0).all()
    estimate = belief.estimate()
    assert estimate.low <= estimate.mean <= estimate.high


def test_nobody_offers_what_it_would_not_take() -> None:
    belief = posterior()
    belief.observe_offer(120_000, 0)
    belief.observe_offer(171_000, 5)
    limits, mass = belief.density()
    assert mass[limits < 170_900].sum() == 0


def test_an_offer_beyond_the_whole_grid_moves_the_belief_there() -> None:
    belief = posterior()
    belief.observe_offer(500_000, 3)
    assert belief.estimate().mean >= 499_000


def test_evidence_narrows_the_belief_around_the_limit_that_made_it() -> None:
    """Where the other side keeps nothing back; with an unknown margin, limit and margin can't be told apart."""
    near = posterior(prior_mean=170_000.0, hypotheses=Hypotheses(margins=(0.0,)))
    for turn, value in enumerate(offers(150_000, 110_000, 1.2, 19)):
        near.observe_offer(value, turn)
    assert abs(near.estimate().mean - 150_000) < abs(170_000 - 150_000) / 2


def test_a_believed_claim_pulls_and_a_disbelieved_one_does_not() -> None:
    believed, doubted = posterior(), posterior()
    believed.observe_claim(145_000, believed=0.9)
    doubted.observe_claim(145_000, believed=0.0)
    assert believed.estimate().mean < doubted.estimate().mean - 3_000
    assert doubted.estimate().mean == pytest.approx(posterior().estimate().mean)


def test_tail_probabilities_fall_from_one_to_nothing() -> None:
    belief = posterior(hypotheses=CAREFUL)
    tail = [belief.probability_above(value) for value in np.linspace(80_000, 240_000, 33)]
    assert tail[0] == pytest.approx(1)
    assert tail[-1] == 0
    assert (np.diff(tail) <= 1e-12).all()


@pytest.mark.parametrize("persona", matrix(PERSONAS, one_in=3))
def test_the_reference_observer_beats_the_market_and_knows_how_unsure_it_is(persona) -> None:
    seen = [row for strategy in ("linear", "expert") for row in watch(persona, strategy, 24)]
    error = np.mean([abs(row[1]) for row in seen])
    assert error < np.mean([abs(row[2]) for row in seen])
    assert 0.85 < np.mean([row[3] for row in seen]) < 0.99
