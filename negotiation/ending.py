"""The two ways in which a deal ends: at the table, or given up."""

from __future__ import annotations

import uuid

from django.db import transaction
from django.utils import timezone

from negotiation import sessions
from negotiation.engine.deal import Negotiation
from negotiation.models import Game
from negotiation.table import log, pings
from negotiation.table.signals import table_ended


def close_if_over(game: Game, table: Negotiation) -> None:
    """Write what the deal came to, where it is over. The caller holds the lock and saves."""
    outcome = table.outcome
    if outcome is None:
        return
    game.status = Game.Status.FINISHED
    game.finished_at = timezone.now()
    game.outcome_reason = outcome.reason
    game.price = outcome.price
    game.efficiency = outcome.efficiency
    game.total_reward = outcome.total_reward


@transaction.atomic
def game_abandon(*, game_id: uuid.UUID) -> bool:
    """Give up a live game that nobody came back to. It has no outcome and counts for nothing."""
    game = log.locked(Game, game_id)
    if game is None or not game.is_live:
        return False
    game.status = Game.Status.ABANDONED
    game.awaiting_reply = False
    game.finished_at = timezone.now()
    game.save()
    table_ended.send(Game, table=game)
    sessions.kept.forget(game_id)
    pings.announce_access(game_id)
    return True
