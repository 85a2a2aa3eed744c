"""A turn at a table for three in one transaction (``table.at_once``): the personas always answer at once.

What does not go through (a refusal, the last turn, a session that is not at hand) goes the long way of ``services``.
"""

from __future__ import annotations

import uuid

from accounts.permits import Permit
from negotiation.coalitions import sessions
from negotiation.coalitions.models import CoalitionDeal, CoalitionEvent
from negotiation.coalitions.selectors import seat_of
from negotiation.coalitions.services import acted
from negotiation.engine.coalition import Action, CoalitionGame
from negotiation.engine.deal import ActionRefused
from negotiation.table.at_once import Taken, append_if


def turn_at_once(*, deal_id: uuid.UUID, permit: Permit, action_id: uuid.UUID, action: Action) -> Taken | None:
    """Take the player's turn and those after it; ``None``, with nothing written, where it has to go the long way."""
    held = sessions.kept.pop(deal_id)
    if held is None:
        return None
    deal, game = held
    if not _fits(deal, game, permit, action):
        sessions.kept.keep(deal, game)
        return None
    rows = acted(game.step(seat_of(deal), action))
    if game.done:
        return None
    written = append_if(
        CoalitionEvent,
        deal,
        rows,
        action_id=action_id,
        permit=permit,
        changes={"moves": deal.moves + 1, "round": game.observe(seat_of(deal)).round},
        expected={"moves": deal.moves},
    )
    if written is None:
        return None
    sessions.kept.keep(deal, game)
    return Taken(written[0].seq, written)


def _fits(deal: CoalitionDeal, game: CoalitionGame, permit: Permit, action: Action) -> bool:
    """Whether it can be taken, as far as we know; the UPDATE finds out whether that still holds."""
    if not deal.is_live or deal.player_id != permit.user_id:
        return False
    try:
        game.check(seat_of(deal), action)
    except ActionRefused:
        return False
    return True
