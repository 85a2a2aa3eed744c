"""What a player keeps in mind of a deal from turn to turn, for one game and for many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from negotiation.engine.deal.beliefs import LimitPosteriors
from negotiation.engine.deal.chance import Array
from negotiation.engine.deal.oracle.views import Deal, Views
from negotiation.engine.deal.rows import Ints, Rows

_PRIOR_SPREAD = 0.3
"""Standard deviation of their limit before anything is seen, in widths."""


@dataclass(slots=True)
class Memory(Rows):
    """A row a game, money in the player's value space; NaN is nothing yet."""

    bundle: Ints
    """The terms that it asks for: what is best for both together, as far as it can know."""
    worth: Array
    """What they are worth to it."""
    joint: Array
    """What they add for both together, as far as it can know."""
    asked: Array
    """What it asked for last."""
    opened: Array
    """What it asked for first."""
    gave: Array
    """By how much it came down last."""
    first: Array
    """Their first offer."""
    last: Array
    """Their last one."""
    step: Array
    """By how much they came closer with it."""
    before: Array
    """And with the one before."""
    news: Array
    posterior: LimitPosteriors

    @classmethod
    def at_start(cls, deal: Deal, views: Views) -> Self:
        """Before the first move."""
        games = np.arange(len(views.limit))
        bundle = np.argmax(views.worths + deal.typical, axis=1)
        worth = views.worths[games, bundle]
        unknown = np.full(len(games), np.nan)
        nothing = np.zeros(len(games))
        return cls(
            bundle=bundle,
            worth=worth,
            joint=worth + deal.typical[bundle],
            asked=unknown,
            opened=unknown,
            gave=nothing,
            first=unknown,
            last=unknown,
            step=nothing,
            before=nothing,
            news=nothing,
            posterior=LimitPosteriors(
                np.full(len(games), deal.usual_limit),
                prior_sd=_PRIOR_SPREAD * deal.width,
                scale=deal.width,
                horizon=deal.horizon,
            ),
        )

    def take_in(self, views: Views) -> None:
        """What is new on the table."""
        if (views.news != self.news).any():
            self.posterior.shift(views.news - self.news)
            self.news = views.news
        there = ~np.isnan(views.standing)
        if not there.any():
            return
        self.posterior.observe_offers(np.where(there, views.shown, 0.0), views.turn - 1, there)
        moved = np.nan_to_num(views.standing - self.last)
        self.before = np.where(there, self.step, self.before)
        self.step = np.where(there, moved, self.step)
        self.first = np.where(there & np.isnan(self.first), views.standing, self.first)
        self.last = np.where(there, views.standing, self.last)

    def ask(self, value: Array) -> None:
        """It asks for ``value`` now."""
        self.gave = np.nan_to_num(self.asked - value)
        self.opened = np.where(np.isnan(self.opened), value, self.opened)
        self.asked = value
