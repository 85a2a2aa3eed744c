"""Which cards the personas play, in many games: the card choices of ``strategist`` over arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from negotiation.engine.cards import HABITS, SILENCE, Habit
from negotiation.engine.cards.batna_reveal import HONEST_BELOW
from negotiation.engine.deal.batch.conduct import Conducts
from negotiation.engine.deal.batch.moves import CARD_IDS, NO_CARD
from negotiation.engine.deal.batch.table import Table
from negotiation.engine.deal.chance import Array, TurnDraws
from negotiation.engine.deal.rows import Ints, Mask, Rows
from negotiation.engine.deal.strategist import claims

if TYPE_CHECKING:
    from negotiation.engine.deal.batch.mind import Minds


@dataclass(slots=True)
class Cards(Rows):
    """The cards, and the floors in value space that go with them."""

    card: Ints
    claim: Array

    @property
    def silent(self) -> Mask:
        silent: Mask = self.card == CARD_IDS.index(SILENCE)
        return silent


def choose_cards(
    minds: Minds,
    table: Table,
    conduct: Conducts,
    reservation: Array,
    target: Array,
    draws: TurnDraws[Array],
    where: Mask,
) -> Cards:
    """A card for each game of ``where``, the first of its habits that fits."""
    hand, setup = table.opponent, minds.setup
    stock = len(setup.scenario.sweeteners_of(setup.seat))
    chosen = np.full(len(target), NO_CARD, dtype=np.int64)
    claim = np.full(len(target), np.nan)

    for card, habit in HABITS:
        wants = _wants(habit, minds, table, conduct, draws)
        if wants is None:
            continue
        wants &= where & hand.can_play(card.id, stock)
        if card.states_floor:
            wants &= np.isnan(hand.open_claim)
            if not wants.any():
                continue
            floors = _floors(minds, table, reservation, target, draws)
            wants &= ~np.isnan(floors) & (np.isnan(minds.last_claim) | (floors < minds.last_claim))
            claim = np.where(wants, floors, np.nan)
        chosen[wants & (chosen == NO_CARD)] = CARD_IDS.index(card.id)
    return Cards(chosen, claim)


def _wants(
    habit: Habit, minds: Minds, table: Table, conduct: Conducts, draws: TurnDraws[Array]
) -> Mask | None:
    """Where a habit fits; ``None`` for nowhere."""
    persona, warmth = minds.setup.persona, minds.setup.temper.warmth
    if table.turn < habit.from_turn or persona.patience <= habit.patience_above:
        return None
    wants: Mask = draws.of(habit.draw) < habit.chance(persona, warmth)
    wants = wants & (minds.impression.trust.value > habit.trust_above)
    if habit.no_deadline:
        wants &= table.opponent.deadline == 0
    if habit.after_gift:
        wants &= (conduct.gift > 0) & ~np.isnan(minds.mine.value)
    return wants if wants.any() else None


def _floors(minds: Minds, table: Table, reservation: Array, offer: Array, draws: TurnDraws[Array]) -> Array:
    """The floor that each would state now, in value space; NaN for none. As ``claims.choose_claim``."""
    persona, step = minds.setup.persona, minds.setup.scenario.step
    if persona.bluff_rate < HONEST_BELOW:
        opens_up = minds.impression.trust.value >= claims.TRUST_TO_OPEN_UP
        floor = claims.shaded(reservation, step)
        return np.where(opens_up & (floor < offer), floor, np.nan)
    heard = minds.impression
    floor = claims.shifted(reservation, persona.aggression, draws.shift, step)
    wants = (floor < offer) & (heard.limit.probability_above(floor) >= claims.PASSES_ABOVE)
    doubts, standing = heard.doubts.astype(np.float64), table.opponent.standing
    brings, costs = claims.brings_and_costs(floor, reservation, doubts, standing, minds.setup.scale)
    return np.where(wants & (brings > costs), floor, np.nan)
