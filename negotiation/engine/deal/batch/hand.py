"""Which cards the personas play, in many games: the card choices of ``strategist`` over arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from negotiation.engine.deal.batch.conduct import Conducts
from negotiation.engine.deal.batch.moves import CARD_IDS, NO_CARD
from negotiation.engine.deal.batch.table import Table
from negotiation.engine.deal.chance import Array
from negotiation.engine.deal.rows import Ints, Mask, Rows
from negotiation.engine.deal.strategist import claims
from negotiation.engine.deal.strategist.hand import (
    EARLIEST_DEADLINE,
    PRESSING,
    QUIET_CHANCE,
    VERY_PATIENT,
    WARM_GIFT,
    WARM_TRUST,
)
from negotiation.engine.deal.types import CardId

if TYPE_CHECKING:
    from negotiation.engine.deal.batch.mind import Minds

_PRESS, _LINGER, _GIVE, _CLAIM, _SHIFT = 2, 3, 4, 5, 6


@dataclass(slots=True)
class Cards(Rows):
    """The cards, and the floors in value space that go with them."""

    card: Ints
    claim: Array

    @property
    def silent(self) -> Mask:
        silent: Mask = self.card == CARD_IDS.index("silence")
        return silent


def choose_cards(
    minds: Minds,
    table: Table,
    conduct: Conducts,
    reservation: Array,
    target: Array,
    draws: Array,
    where: Mask,
) -> Cards:
    """A card for each game of ``where``, the first that fits: floor, deadline, sweetener, silence."""
    persona, hand, setup = minds.setup.persona, table.opponent, minds.setup
    chosen = np.full(len(target), NO_CARD, dtype=np.int64)
    claim = np.full(len(target), np.nan)

    def play(card: CardId, wish: Mask) -> None:
        chosen[wish & (chosen == NO_CARD)] = CARD_IDS.index(card)

    if table.turn >= claims.EARLIEST_CLAIM:
        can = where & np.isnan(hand.open_claim) & hand.can_play("batna_reveal")
        if can.any():
            floors = _floors(minds, table, reservation, target, draws)
            milder = np.isnan(minds.last_claim) | (floors < minds.last_claim)
            states = can & ~np.isnan(floors) & milder
            play("batna_reveal", states)
            claim = np.where(states, floors, np.nan)
    pressing = PRESSING * persona.bluff_rate * persona.aggression
    if table.turn >= EARLIEST_DEADLINE:
        hurried = (hand.deadline == 0) & (draws[:, _PRESS] < pressing) & hand.can_play("time_pressure")
        play("time_pressure", where & hurried)
    generous = (minds.impression.trust.value > WARM_TRUST) & (
        draws[:, _GIVE] < WARM_GIFT * setup.temper.warmth
    )
    if generous.any():
        stock = len(setup.scenario.sweeteners_of(setup.seat))
        play("sweetener", where & generous & hand.can_play("sweetener", stock))
    if persona.patience > VERY_PATIENT:
        quiet = (conduct.gift > 0) & (draws[:, _LINGER] < QUIET_CHANCE) & ~np.isnan(minds.mine.value)
        play("silence", where & quiet & hand.can_play("silence"))
    return Cards(chosen, claim)


def _floors(minds: Minds, table: Table, reservation: Array, offer: Array, draws: Array) -> Array:
    """The floor that each would state now, in value space; NaN for none. As ``claims.choose_claim``."""
    persona, step = minds.setup.persona, minds.setup.scenario.step
    if persona.bluff_rate < claims.HONEST_BELOW:
        opens_up = (minds.impression.trust.value >= claims.TRUST_TO_OPEN_UP) & (draws[:, _CLAIM] < 0.5)
        floor = claims.rounded(reservation + claims.HONEST_SHADE * np.abs(reservation), step)
        return np.where(opens_up & (floor < offer), floor, np.nan)
    low, high = claims.SHIFT
    wants = draws[:, _CLAIM] < 0.5 * persona.bluff_rate
    shift = low + (high - low) * persona.aggression * draws[:, _SHIFT]
    floor = claims.rounded(reservation + shift * np.abs(reservation), step)
    wants &= (floor < offer) & (minds.impression.limit.probability_above(floor) >= 0.25)
    called = np.minimum(0.9, 0.15 + 0.25 * minds.impression.doubts)
    gain = 0.5 * (floor - reservation) / minds.setup.scale
    pays = (1 - called) * table.opponent.standing * gain > called * claims.STANDING_AT_STAKE * gain + 0.02
    return np.where(wants & pays, floor, np.nan)
