"""What a player may see of a deal, as numbers: of one game from its observation, of many from a batch.

Money is in the player's value space, its sign times the amount, so that more is better; NaN stands for what is not there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from negotiation.engine.cards import GIFT
from negotiation.engine.deal.batch.moves import CARD_IDS
from negotiation.engine.deal.batch.play import BatchNegotiation
from negotiation.engine.deal.chance import Array
from negotiation.engine.deal.issues import bundle_of, bundle_worths
from negotiation.engine.deal.persona import Persona
from negotiation.engine.deal.rows import Ints, Rows
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.strategist.character import expected_stay
from negotiation.engine.deal.types import OTHER_SEAT, SIGN, Observation, Seat
from negotiation.engine.deal.world import expected_effect

_GIFT: Final = CARD_IDS.index(GIFT)
PLACES: Final = 1
"""Digits of the tension that the table shows."""


@dataclass(frozen=True)
class Deal:
    """What is public of a deal before it begins: the scenario and who sits across."""

    scenario: Scenario
    persona: Persona
    seat: Seat
    horizon: int

    @property
    def sign(self) -> int:
        return SIGN[self.seat]

    @property
    def width(self) -> float:
        return self.scenario.nominal_width

    @property
    def other(self) -> Seat:
        return OTHER_SEAT[self.seat]

    @cached_property
    def stay(self) -> int:
        """The last turn on which the other side can be expected to be at the table."""
        return expected_stay(self.persona, self.horizon)

    @cached_property
    def usual_limit(self) -> float:
        """Where the other side's limit usually lies."""
        return self.sign * self.scenario.seats[self.other].walk_away

    @cached_property
    def typical(self) -> Array:
        """What each bundle of terms is usually worth to the other side, in money."""
        return self.scenario.nominal_worths(self.other)

    @cached_property
    def gifts(self) -> npt.NDArray[np.float64]:
        """Worth and cost of the own sweeteners, in widths, a row each and a last one of zeros."""
        stock = self.scenario.sweeteners_of(self.seat)
        return np.array([*((each.worth, each.cost) for each in stock), (0.0, 0.0)])

    @cached_property
    def presents(self) -> Array:
        """What so many sweeteners of the other side's are worth here, in widths."""
        return np.cumsum([0.0, *(each.worth for each in self.scenario.sweeteners_of(self.other))])


@dataclass(slots=True)
class Views(Rows):
    """What is seen on one turn, a row a game."""

    turn: int
    limit: Array
    """The own walk-away."""
    worths: Array
    """What each bundle of terms is worth to the player, in money; shape ``(n, bundles)``."""
    standing: Array
    """What their package is worth to the player."""
    shown: Array
    """How far towards their limit they go with it, as far as can be known from outside."""
    held: Array
    """What the own standing package is worth to the player."""
    claim: Array
    """The limit that they state."""
    tension: Array
    eroded: Array
    """The share of the usual width that conflict has taken."""
    points: Array
    playable: npt.NDArray[np.bool_]
    """Which cards can be played, shape ``(n, cards)``."""
    given: Ints
    """How many sweeteners the player has given."""
    got: Ints
    """And how many it was given."""
    news: Array
    """How far the headlines so far are expected to have moved their limit."""


def view_of(seen: Observation, deal: Deal) -> Views:
    """Of one game; everything has one row."""
    sign, scenario = deal.sign, deal.scenario
    nan = float("nan")

    def one(value: float | None) -> Array:
        return np.array([nan if value is None else value], dtype=np.float64)

    shown = nan
    if seen.standing_offer is not None:
        shown = sign * seen.standing_offer - float(
            deal.typical[bundle_of(scenario.issues, seen.standing_terms)]
        )
    stock = len(scenario.sweeteners_of(deal.seat))
    news = sum(
        expected_effect(scenario, headline, deal.other, deal.persona.mev_sensitivity)
        for headline in seen.headlines
    )
    return Views(
        turn=seen.turn,
        limit=one(sign * seen.own.walk_away),
        worths=bundle_worths(scenario.issues, seen.own.values)[None],
        standing=one(None if seen.standing_worth is None else sign * seen.standing_worth),
        shown=one(shown),
        held=one(None if seen.own_worth is None else sign * seen.own_worth),
        claim=one(None if seen.open_claim is None else sign * seen.open_claim),
        tension=one(seen.tension),
        eroded=one(1.0 - seen.zopa_width_pct_remaining / 100.0),
        points=one(seen.credibility_points),
        playable=np.array([[card in seen.cards for card in CARD_IDS]]),
        given=np.array([stock - seen.sweeteners_left]),
        got=np.array([sum(move.card == GIFT and move.side == "opponent" for move in seen.transcript)]),
        news=one(deal.usual_limit * news),
    )


def views_of(batch: BatchNegotiation, deal: Deal) -> Views:
    """Of all games of a batch that go on: what each player's own observation would show, and nothing else."""
    table, seat, sign = batch.table, deal.seat, deal.sign
    mine, theirs = table.player, table.opponent
    stock = len(deal.scenario.sweeteners_of(seat))
    return Views(
        turn=table.turn,
        limit=sign * table.truths[seat].walk_away,
        worths=table.worths[seat],
        standing=sign * table.worth(theirs, seat),
        shown=sign * theirs.offer - deal.typical[theirs.bundle],
        held=sign * table.worth(mine, seat),
        claim=sign * theirs.open_claim,
        tension=np.array([round(value, PLACES) for value in table.heat.value.tolist()]),
        eroded=1.0 - np.round(100.0 * np.maximum(0.0, 1.0 - table.eroded / deal.width), PLACES) / 100.0,
        points=mine.points.astype(np.float64),
        playable=np.stack([mine.can_play(card, stock) for card in CARD_IDS], axis=1),
        given=mine.played[:, _GIFT],
        got=theirs.played[:, _GIFT],
        news=deal.usual_limit * _expected(batch, deal),
    )


def _expected(batch: BatchNegotiation, deal: Deal) -> Array:
    """The relative change of their limit that the headlines so far let expect."""
    market, turn, scenario = batch.table.market, batch.table.turn, deal.scenario
    impacts = np.array([event.impact.get(deal.other, 0.0) for event in scenario.market])
    moved = np.zeros(len(batch.table.game))
    for drift in scenario.drift:
        if drift.turn <= turn and deal.other in drift.effects:
            moved += drift.effects[deal.other].walk_away
    for slot in range(market.turn.shape[1]):
        known = (market.turn[:, slot] > 0) & (market.turn[:, slot] <= turn)
        moved += np.where(known, deal.persona.mev_sensitivity * impacts[market.event[:, slot]], 0.0)
    return moved
