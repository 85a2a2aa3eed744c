"""What the oracle's network reads: the same numbers for one game and for many."""

from __future__ import annotations

import numpy as np

from negotiation.engine.deal.chance import Array
from negotiation.engine.deal.oracle.memory import Memory
from negotiation.engine.deal.oracle.views import Deal, Views

_LONGEST = 20
"""Turns of a usual horizon."""
_CREDIT = 100.0
_HOTTEST = 100.0
_NOWHERE = -1.0
"""Stands for money that is not there; real distances from the own limit are rarely so far below it."""

NAMES = (
    "turn", "left", "horizon", "standing", "first", "step", "step_before", "held", "opened", "gave", "no_offer_yet",
    "usual", "believed", "spread", "ahead", "gap", "claimed", "claim", "claim_off", "tension", "eroded", "points",
    "gift_worth", "gift_cost", "got", "news", "seller",
    "aggression", "patience", "bluff_rate", "tom_depth", "hazard", "reciprocity", "behaviour", "margin", "opens",
)  # fmt: skip
WIDTH = len(NAMES)


def features(deal: Deal, views: Views, memory: Memory) -> Array:
    """Shape ``(n, WIDTH)``; money is the distance from the own limit in usual widths of the zone, more is better."""
    persona, width, limit = deal.persona, deal.width, views.limit

    def above(value: Array) -> Array:
        away = (value - limit) / width
        return np.where(np.isnan(away), _NOWHERE, np.clip(away, -3.0, 3.0))

    believed = memory.posterior.mean() + memory.joint
    usual = deal.usual_limit + memory.joint
    gift = deal.gifts[np.minimum(views.given, len(deal.gifts) - 1)]
    got = deal.presents[np.minimum(views.got, len(deal.presents) - 1)]
    claimed = ~np.isnan(views.claim)
    off = np.where(claimed, (views.claim - deal.usual_limit) / width, 0.0)
    everywhere = np.ones(len(limit))
    columns = (
        everywhere * (views.turn / deal.horizon),
        everywhere * ((deal.stay - views.turn) / deal.horizon),
        everywhere * (deal.horizon / _LONGEST),
        above(views.standing),
        above(memory.first),
        memory.step / width,
        memory.before / width,
        above(memory.asked),
        above(memory.opened),
        memory.gave / width,
        np.isnan(memory.asked).astype(np.float64),
        above(usual),
        above(believed),
        memory.posterior.spread() / width,
        above(views.standing) - above(believed),
        above(memory.asked) - above(views.standing),
        claimed.astype(np.float64),
        np.where(claimed, above(views.claim), 0.0),
        np.clip(off, -3.0, 3.0),
        views.tension / _HOTTEST,
        views.eroded,
        views.points / _CREDIT,
        gift[:, 0],
        gift[:, 1],
        got,
        views.news / width,
        everywhere * (deal.sign > 0),
        *(
            everywhere * number
            for number in (
                persona.aggression,
                persona.patience,
                persona.bluff_rate,
                persona.tom_depth,
                4.0 * persona.breakdown_hazard,
                persona.reciprocity,
                persona.behaviour_weight,
                persona.margin,
                float(persona.opens_with_offer),
            )
        ),
    )
    return np.stack(columns, axis=1)
