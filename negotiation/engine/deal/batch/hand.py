"""Which cards the personas play, in many games: the card choices of ``strategist`` over arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from negotiation.engine.cards import HABITS, SILENCE, Habit
from negotiation.engine.deal.batch.conduct import Conducts
from negotiation.engine.deal.batch.moves import CARD_IDS, NO_CARD
from negotiation.engine.deal.batch.table import Table
from negotiation.engine.deal.chance import Array, TurnDraws
from negotiation.engine.deal.rows import Ints, Mask, Rows
from negotiation.engine.deal.strategist import claims

if TYPE_CHECKING:
    from negotiation.engine.deal.batch.mind import Minds


@dataclass(slots=True)
class Words(Rows):
    """The limits that were stated last, as ``claims.Word``; NaN where none was."""

    figure: Array
    limit: Array
    news: Mask
    called: Mask

    @classmethod
    def at_start(cls, games: int) -> Self:
        return cls(
            figure=np.full(games, np.nan),
            limit=np.full(games, np.nan),
            news=np.zeros(games, dtype=np.bool_),
            called=np.zeros(games, dtype=np.bool_),
        )

    def give(self, claims: Array, limits: Array, where: Mask) -> None:
        """Other limits are stated in the games of ``where``."""
        self.figure = np.where(where, claims, self.figure)
        self.limit = np.where(where, limits, self.limit)
        self.news, self.called = self.news & ~where, self.called & ~where

    def another(self, claim: Array, limit: Array) -> Mask:
        """Where ``claim`` may be stated after these."""
        moved = self.news & claims.as_news_moved(claim, self.figure, limit, self.limit)
        fits: Mask = np.where(self.called, claim < self.figure, moved)
        return np.isnan(self.figure) | fits


@dataclass(slots=True)
class Cards(Rows):
    """The cards, and what goes with them: the limits that they state, in value space, or the rounds that they give."""

    card: Ints
    claim: Array
    rounds: Ints

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
    rounds = np.zeros(len(target), dtype=np.int64)

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
            wants &= ~np.isnan(floors)
            claim = np.where(wants, floors, np.nan)
        elif card.names_deadline:
            named = claims.rounds_named(setup.persona, minds.stay - table.turn, draws.linger)
            wants &= claims.is_pressing(named)
            rounds = np.where(wants, named, 0).astype(np.int64)
        chosen[wants & (chosen == NO_CARD)] = CARD_IDS.index(card.id)
    return Cards(chosen, claim, rounds)


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


def _floors(minds: Minds, table: Table, reservation: Array, target: Array, draws: TurnDraws[Array]) -> Array:
    """The limit that each would state now, in value space; NaN for none. As ``claims.choose_claim``."""
    setup, mine, exchange = minds.setup, minds.mine, minds.exchange
    persona, sign = setup.persona, setup.sign
    floor = claims.stated(reservation, persona, draws.shift, setup.scenario.step)
    price, bundle = mine.next_packages(exchange, target, reservation)
    asks = np.minimum(sign * price, mine.value_of(exchange, price, bundle))
    met = np.maximum(sign * table.player.offer, minds.impression.value(table, exchange))
    met = np.where(np.isnan(met), -np.inf, met)
    sayable = claims.fits(floor, reservation, asks, met, persona) & minds.word.another(floor, reservation)
    if claims.is_honest(persona):
        sayable &= minds.impression.trust.value >= claims.TRUST_TO_OPEN_UP
    return np.where(sayable, floor, np.nan)
