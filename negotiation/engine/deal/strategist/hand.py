"""Which card a persona plays on a turn, if any: the first of its habits that fits (``engine/cards``)."""

from __future__ import annotations

from typing import NamedTuple

from negotiation.engine.cards import HABITS, Habit
from negotiation.engine.deal.chance import TurnDraws
from negotiation.engine.deal.strategist.claims import (
    Position,
    Reason,
    choose_claim,
    is_pressing,
    rounds_named,
)
from negotiation.engine.deal.strategist.types import Situation
from negotiation.engine.deal.types import CardId


class Played(NamedTuple):
    """A card, with what goes with it: the limit that it states (value space) and why another, or the rounds it gives."""

    card: CardId | None = None
    claim: float | None = None
    reason: Reason | None = None
    rounds: int | None = None


def choose_card(at: Position, now: Situation, draws: TurnDraws[float]) -> Played:
    """The card to play now."""
    for card, habit in HABITS:
        if not _wants(habit, at, now, draws) or not now.hand.can_play(card.id, now.sweeteners_left):
            continue
        if card.states_floor:
            chosen = None if now.hand.open_claim is not None else choose_claim(at, draws.shift)
            if chosen is not None:
                return Played(card.id, *chosen)
        elif card.names_deadline:
            rounds = rounds_named(at.character.persona, at.left, draws.linger)
            if is_pressing(rounds):
                return Played(card.id, rounds=int(rounds))
        else:
            return Played(card.id)
    return Played()


def _wants(habit: Habit, at: Position, now: Situation, draws: TurnDraws[float]) -> bool:
    character = at.character
    return (
        now.turn >= habit.from_turn
        and draws.of(habit.draw) < habit.chance(character.persona, character.temper.warmth)
        and at.trust.value > habit.trust_above
        and character.persona.patience > habit.patience_above
        and not (habit.no_deadline and now.hand.deadline is not None)
        and not (habit.after_gift and (now.concession <= 0 or not at.has_offered))
    )
