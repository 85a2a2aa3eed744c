"""What the personas of many games have made of their players: ``strategist/impression.py`` over arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from negotiation.engine.cards import CARDS, Pressed
from negotiation.engine.deal.batch.conduct import Conducts
from negotiation.engine.deal.batch.packages import Exchanges
from negotiation.engine.deal.batch.setup import Setup
from negotiation.engine.deal.batch.table import Table
from negotiation.engine.deal.batch.trust import Trusts
from negotiation.engine.deal.beliefs import LimitPosteriors
from negotiation.engine.deal.case.acts import PAID_BY_ANSWERS
from negotiation.engine.deal.chance import Array, TurnDraws
from negotiation.engine.deal.rows import Ints, Mask, Rows
from negotiation.engine.deal.strategist import pressing
from negotiation.engine.deal.strategist.claims import just_inside
from negotiation.engine.deal.strategist.pace import credited
from negotiation.engine.deal.types import OTHER_SEAT


@dataclass(slots=True)
class Impressions(Rows):
    """What the personas make of the players, a row a game. Arrays are in their value space; NaN is nothing yet."""

    setup: Setup
    trust: Trusts
    limit: LimitPosteriors
    conceded: Array
    reference: Array
    softened: Array
    heard: dict[str, Ints]
    """How often each card was played."""

    @classmethod
    def at_start(cls, setup: Setup, difficulty: float, horizon: int, games: int) -> Self:
        """Of players whom nobody has heard yet."""
        return cls(
            setup=setup,
            trust=Trusts.at_start(games),
            limit=LimitPosteriors(
                np.full(games, setup.market),
                prior_sd=pressing.PRIOR_SPREAD * setup.scale,
                scale=setup.scale,
                horizon=horizon,
                sharpness=pressing.sharpness(setup.persona, difficulty),
            ),
            conceded=np.zeros(games),
            reference=np.full(games, np.nan),
            softened=np.zeros(games),
            heard={card: np.zeros(games, dtype=np.int64) for card in CARDS},
        )

    def learn_of_claims(self, bluffs: Mask, true: Mask, claims: Array) -> None:
        """The players' stated floors were called; here they were false, there true."""
        nothing = np.zeros(len(bluffs))
        self.trust.observe({"caught_bluffing": bluffs}, nothing, bluffs)
        if true.any():
            told = np.where(true, self.setup.sign * claims, 0.0)
            self.limit.observe_claims(told, np.where(true, pressing.PROVEN, 0.0))

    def credited(self, table: Table, conduct: Conducts, reservation: Array, exchange: Exchanges) -> Array:
        """What of the players' steps counts as a concession."""
        gave = conduct.gift > 0
        value = np.where(gave, self.value(table, exchange), 0.0)
        return np.where(gave, credited(conduct.gift, value, reservation, self.setup.scale), conduct.gift)

    def take_in(
        self, table: Table, conduct: Conducts, given: Array, exchange: Exchanges, stay: Array
    ) -> Array:
        """What the players did this turn, and what it tells.

        Args:
            given: what of their steps counts as a concession.

        Returns:
            The same with what their words won.
        """
        setup, words = self.setup, conduct.talked
        self.conceded = self.conceded + np.maximum(0.0, given)
        shown = np.where(conduct.fresh, table.player.bundle, -1)
        if words is None:
            self.trust.observe(conduct.acts, given / setup.scale)
            exchange.learn(setup.persona.tom_depth, table.turn / stay, self.trust.value, shown)
        else:
            acts = {act: where for act, where in conduct.acts.items() if act not in PAID_BY_ANSWERS}
            self.trust.observe(acts, given / setup.scale, words=words.trust)
            told = words.needs_told
            exchange.learn(setup.persona.tom_depth, table.turn / stay, self.trust.value, shown, told)
            given = given + words.credited * setup.scale
            self.conceded = self.conceded + words.credited * setup.scale
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
                self._be_anchored(table, revealed, pressing.ANCHOR_FIRST, first)
        if conduct.caught.any():
            self.softened = self.softened + np.where(conduct.caught, pressing.STEP_WHEN_CAUGHT, 0.0)
        return given

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
        acts, scale, mine = conduct.acts, self.setup.scale, table.truths[self.setup.seat]
        there = ~np.isnan(table.player.offer)
        for card in CARDS.values():
            if card.id not in acts:
                continue
            moved = acts[card.id]
            worn = pressing.worn(card.wears_off)[self.heard[card.id]]
            self.heard[card.id] = self.heard[card.id] + moved
            if card.anchors:
                revealed = _revealed(table, exchange, self.setup.sign)
                self._be_anchored(table, revealed, card.anchors, moved & there)
            if card.reframes is not None:
                moved = moved & ~np.isnan(self.reference) & there
                shifted = card.reframes(self.reference, self.value(table, exchange), scale)
                self.reference = np.where(moved, shifted, self.reference)
            if card.presses is not None:
                impatience = 1 - self.setup.persona.patience
                at = Pressed(scale, impatience, mine.urgency, table.player.standing, worn)
                boost = np.where(moved, card.presses(at), boost)
        return boost

    def weigh_claims(self, table: Table, conduct: Conducts, draws: TurnDraws[Array]) -> Mask:
        """Believe the players' stated floors, or call them. Returns where they are called."""
        made = ~np.isnan(conduct.claim)
        if not made.any():
            return made
        claims = np.where(made, self.setup.sign * conduct.claim, 0.0)
        doubt = self.limit.probability_above(just_inside(claims))
        called: Mask = made & (draws.call < self.setup.persona.tom_depth * doubt)
        believed = pressing.belief_in(table.player.standing, doubt)
        self.limit.observe_claims(claims, np.where(made & ~called, believed, 0.0))
        return called


def _revealed(table: Table, exchange: Exchanges, sign: int) -> Array:
    """How far towards their limits the players go with their standing packages, as the personas see it."""
    return sign * table.player.offer - exchange.worth_to_other(table.player.bundle)
