"""Which card a persona plays on a turn, if any: the first that fits of floor, deadline, sweetener, silence."""

from __future__ import annotations

from negotiation.engine.deal.chance import TurnDraws
from negotiation.engine.deal.strategist.claims import EARLIEST_CLAIM, Position, choose_claim
from negotiation.engine.deal.strategist.types import Situation
from negotiation.engine.deal.types import CardId

PRESSING = 0.30
"""Chance to name a deadline, times bluff rate and aggression."""
EARLIEST_DEADLINE = 4
WARM_TRUST, WARM_GIFT = 0.5, 0.3
"""Above this trust it may add a sweetener, with this chance times its warmth."""
VERY_PATIENT, QUIET_CHANCE = 0.9, 0.22
"""Who is more patient than this answers a concession with silence, this often."""

Played = tuple[CardId | None, float | None, int | None]
"""A card, with the floor (value space) or the number of turns that go with it."""


def choose_card(at: Position, now: Situation, draws: TurnDraws) -> Played:
    """The card to play now."""
    hand, persona = now.hand, at.character.persona
    if now.turn >= EARLIEST_CLAIM and hand.open_claim is None and hand.can_play("batna_reveal", 0):
        claim = choose_claim(at, draws)
        if claim is not None and (at.last_claim is None or claim < at.last_claim):
            return "batna_reveal", claim, None
    hurried = hand.deadline is None and draws.press < PRESSING * persona.bluff_rate * persona.aggression
    if now.turn >= EARLIEST_DEADLINE and hurried and hand.can_play("time_pressure", 0):
        return "time_pressure", None, int(3 + round(2 * draws.linger))
    generous = at.trust.value > WARM_TRUST and draws.give < WARM_GIFT * at.character.warmth
    if generous and hand.can_play("sweetener", now.sweeteners_left):
        return "sweetener", None, None
    quiet = persona.patience > VERY_PATIENT and now.concession > 0 and draws.linger < QUIET_CHANCE
    if quiet and at.has_offered and hand.can_play("silence", 0):
        return "silence", None, None
    return None, None, None
