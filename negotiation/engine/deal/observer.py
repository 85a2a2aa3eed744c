"""The reference observer: what offers and headlines alone give away about the opponent's limit.

It is the yardstick for a person's beliefs: nobody can be blamed for not knowing what this observer does not
know either. ``bench/observer.py`` measures its error and the coverage of its interval.
"""

from __future__ import annotations

from collections.abc import Sequence

from negotiation.engine.deal.belief import CAREFUL, LimitPosterior
from negotiation.engine.deal.persona import Persona
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.types import OTHER_SEAT, SIGN, Headline, Seat
from negotiation.engine.deal.world import expected_effect

PRIOR_SD = 0.28
"""Spread of a limit around the market's centre, drift and headlines included, as a share of the nominal zone."""


def reference_posterior(
    scenario: Scenario,
    persona: Persona,
    seat: Seat,
    horizon: int,
    offers: Sequence[tuple[int, float, int]],
    headlines: Sequence[Headline],
) -> LimitPosterior:
    """The posterior over the walk-away of the persona in ``seat``, in value space of the other seat.

    Args:
        offers: (turn, price, bundle of terms) of the persona, in order. What the terms are worth to the persona
            is taken from the market, which is all that the player knows of it.
        headlines: all that were public so far.
    """
    sign, centre = SIGN[OTHER_SEAT[seat]], scenario.seats[seat].walk_away
    posterior = LimitPosterior(
        prior_mean=sign * centre,
        prior_sd=PRIOR_SD * scenario.nominal_width,
        scale=scenario.nominal_width,
        horizon=horizon,
        hypotheses=CAREFUL,
    )
    news = [
        (h.turn, 0, sign * centre * expected_effect(scenario, h, seat, persona.mev_sensitivity))
        for h in headlines
    ]
    typical = scenario.nominal_worths(seat)
    seen = [(turn, 1, sign * price - float(typical[bundle])) for turn, price, bundle in offers]
    for turn, is_offer, value in sorted(news + seen, key=lambda item: item[:2]):
        if is_offer:
            posterior.observe_offer(value, turn)
        else:
            posterior.shift(value)
    return posterior
