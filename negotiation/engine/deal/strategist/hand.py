"""Which card a persona plays on a turn, if any: the first of its habits that fits (``engine/cards``)."""

from __future__ import annotations

from negotiation.engine.cards import HABITS, Habit
from negotiation.engine.deal.chance import TurnDraws
from negotiation.engine.deal.strategist.claims import Position, choose_claim
from negotiation.engine.deal.strategist.types import Situation
from negotiation.engine.deal.types import CardId

SHORTEST_DEADLINE, _DEADLINE_SPREAD = 3, 2
"""A deadline is named for so many turns, and up to so many more."""

Played = tuple[CardId | None, float | None, int | None]
"""A card, with the floor (value space) or the number of turns that go with it."""


def choose_card(at: Position, now: Situation, draws: TurnDraws[float]) -> Played:
    """The card to play now."""
    for card, habit in HABITS:
        if not _wants(habit, at, now, draws) or not now.hand.can_play(card.id, now.sweeteners_left):
            continue
        if card.states_floor:
            claim = None if now.hand.open_claim is not None else choose_claim(at, draws.shift)
            if claim is not None and (at.last_claim is None or claim < at.last_claim):
                return card.id, claim, None
            continue
        turns = SHORTEST_DEADLINE + round(_DEADLINE_SPREAD * draws.linger) if card.names_deadline else None
        return card.id, None, turns
    return None, None, None


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
