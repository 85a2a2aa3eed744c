"""What the personas of many games have made of their players: ``strategist/impression.py`` over arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from negotiation.engine.deal.batch.conduct import Conducts
from negotiation.engine.deal.batch.packages import Exchanges
from negotiation.engine.deal.batch.setup import Setup
from negotiation.engine.deal.batch.table import Table
from negotiation.engine.deal.batch.trust import Trusts
from negotiation.engine.deal.beliefs import LimitPosteriors
from negotiation.engine.deal.chance import Array
from negotiation.engine.deal.reward import BLUFF_TOLERANCE
from negotiation.engine.deal.rows import Ints, Mask, Rows
from negotiation.engine.deal.strategist.impression import STEP_WHEN_CAUGHT
from negotiation.engine.deal.strategist.pace import credited
from negotiation.engine.deal.types import OTHER_SEAT

CALL = 1
"""The column of a turn's draws that decides whether a stated floor is called; see ``chance.TurnDraws``."""
_POWERS = np.array([0.6**times for times in range(64)])
"""How a silence wears off; by Python's power, as the scalar mind computes it."""


@dataclass(slots=True)
class Impressions(Rows):
    """What the personas make of the players, a row a game. Arrays are in their value space; NaN is nothing yet."""

    setup: Setup
    trust: Trusts
    limit: LimitPosteriors
    conceded: Array
    reference: Array
    doubts: Ints
    softened: Array
    silences: Ints

    @classmethod
    def at_start(cls, setup: Setup, difficulty: float, horizon: int, games: int) -> Self:
        """Of players whom nobody has heard yet."""
        return cls(
            setup=setup,
            trust=Trusts.at_start(games),
            limit=LimitPosteriors(
                np.full(games, setup.market),
                prior_sd=0.45 * setup.scale,
                scale=setup.scale,
                horizon=horizon,
                sharpness=setup.persona.tom_depth * (0.4 + 1.2 * difficulty),
            ),
            conceded=np.zeros(games),
            reference=np.full(games, np.nan),
            doubts=np.zeros(games, dtype=np.int64),
            softened=np.zeros(games),
            silences=np.zeros(games, dtype=np.int64),
        )

    def learn_of_claims(self, bluffs: Mask, true: Mask, claims: Array) -> None:
        """The players' stated floors were called; here they were false, there true."""
        nothing = np.zeros(len(bluffs))
        self.trust.observe({"caught_bluffing": bluffs}, nothing, bluffs)
        if true.any():
            told = np.where(true, self.setup.sign * claims, 0.0)
            self.limit.observe_claims(told, np.where(true, 0.95, 0.0))

    def credited(self, table: Table, conduct: Conducts, reservation: Array, exchange: Exchanges) -> Array:
        """What of the players' steps counts as a concession."""
        gave = conduct.gift > 0
        value = np.where(gave, self.value(table, exchange), 0.0)
        return np.where(gave, credited(conduct.gift, value, reservation, self.setup.scale), conduct.gift)

    def take_in(
        self, table: Table, conduct: Conducts, given: Array, exchange: Exchanges, stay: Array
    ) -> None:
        """What the players did this turn, and what it tells. ``given`` counts as a concession."""
        setup = self.setup
        self.conceded = self.conceded + np.maximum(0.0, given)
        if "skepticism" in conduct.acts:
            self.doubts = self.doubts + conduct.acts["skepticism"]
        self.trust.observe(conduct.acts, given / setup.scale)
        shown = np.where(conduct.fresh, table.player.bundle, -1)
        exchange.learn(setup.persona.tom_depth, table.turn / stay, self.trust.value, shown)
        if table.news_shift.any():
            centre = abs(setup.scenario.seats[OTHER_SEAT[setup.seat]].walk_away)
            self.limit.shift(setup.sign * (centre * table.news_shift))
        heard = conduct.fresh & ~conduct.absurd
        if heard.any():
            revealed = _revealed(table, exchange, self.setup.sign)
            if setup.infers:
                self.limit.observe_offers(revealed, table.turn - 1, heard)
            else:
                self.limit.observe_bounds(revealed, heard)
            first = heard & np.isnan(self.reference)
            if first.any():
                self.reference = np.where(first, self.value(table, exchange), self.reference)
                self._be_anchored(table, revealed, 1.0, first)
        if conduct.caught.any():
            self.softened = self.softened + np.where(conduct.caught, STEP_WHEN_CAUGHT, 0.0)

    def value(self, table: Table, exchange: Exchanges) -> Array:
        """What the player's standing packages are worth to the personas; NaN where there is none."""
        return self.setup.sign * table.player.offer + exchange.worth(table.player.bundle)

    def _be_anchored(self, table: Table, revealed: Array, strength: float, where: Mask) -> None:
        offer, scenario = table.player.offer, self.setup.scenario
        near = where & (scenario.plausible_low <= offer) & (offer <= scenario.plausible_high)
        if near.any():
            weight = np.where(near, strength * self.setup.persona.anchor_pull, 0.0)
            self.limit.pull_towards(np.where(near, revealed, 0.0), weight)

    def pressure(self, table: Table, conduct: Conducts, exchange: Exchanges) -> Array:
        """Extra movement bought by a card this turn, as money in value space."""
        boost = np.zeros(len(conduct.gift))
        acts, scale, persona = conduct.acts, self.setup.scale, self.setup.persona
        impatience = 1 - persona.patience
        if "silence" in acts:
            quiet = acts["silence"]
            self.silences = self.silences + quiet
            worn = _POWERS[np.maximum(0, self.silences - 1)]
            boost = np.where(quiet, 0.05 * scale * impatience * worn, boost)
        if "time_pressure" in acts:
            urgency = table.truths[self.setup.seat].urgency
            pushed = 0.14 * scale * (0.3 + urgency) * (0.35 + impatience) * table.player.standing
            boost = np.where(acts["time_pressure"], pushed, boost)
        there = ~np.isnan(table.player.offer)
        if "reframe" in acts:
            moved = acts["reframe"] & ~np.isnan(self.reference) & there
            shifted = 0.4 * self.reference + 0.6 * self.value(table, exchange) - 0.1 * scale
            self.reference = np.where(moved, shifted, self.reference)
            boost = np.where(moved, 0.03 * scale, boost)
        if "anchor_high" in acts:
            self._be_anchored(
                table, _revealed(table, exchange, self.setup.sign), 0.5, acts["anchor_high"] & there
            )
        return boost

    def weigh_claims(self, table: Table, conduct: Conducts, draws: Array) -> Mask:
        """Believe the players' stated floors, or call them. Returns where they are called."""
        made = ~np.isnan(conduct.claim)
        if not made.any():
            return made
        claims = np.where(made, self.setup.sign * conduct.claim, 0.0)
        doubt = self.limit.probability_above(claims + BLUFF_TOLERANCE * np.abs(claims))
        called: Mask = made & (draws[:, CALL] < self.setup.persona.tom_depth * doubt)
        believed = 0.9 * table.player.standing * (1 - doubt)
        self.limit.observe_claims(claims, np.where(made & ~called, believed, 0.0))
        return called


def _revealed(table: Table, exchange: Exchanges, sign: int) -> Array:
    """How far towards their limits the players go with their standing packages, as the personas see it."""
    return sign * table.player.offer - exchange.worth_to_other(table.player.bundle)
