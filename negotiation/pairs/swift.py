"""A move at a table of two people in one transaction (``table.at_once``): the UPDATE asks whether it is this person's turn.

What does not go through (a question, a refusal, the last move, a session that is not at hand or was overtaken by a move
that another process took) goes the long way of ``services``.
"""

from __future__ import annotations

import uuid

from django.utils import timezone

from accounts.permits import Permit
from negotiation.engine.deal import Action
from negotiation.engine.deal.errors import ActionRefused
from negotiation.engine.deal.pair import PairTable
from negotiation.engine.deal.types import Seat
from negotiation.messages import ActData, action_of
from negotiation.pairs import record, sessions
from negotiation.pairs.hearing import heard
from negotiation.pairs.models import PairDeal, PairEvent
from negotiation.pairs.record import SEATS
from negotiation.pairs.services import turn_columns
from negotiation.reading import question_before
from negotiation.record import bound
from negotiation.table.at_once import Taken, append_if


def move_at_once(
    *, deal_id: uuid.UUID, permit: Permit, action_id: uuid.UUID, act: ActData, after: int | None = None
) -> Taken | None:
    """Take somebody's move; ``None``, with nothing written, where it has to go the long way.

    Args:
        after: how many moves its maker had seen.
    """
    held = sessions.kept.pop(deal_id)
    if held is None:
        return None
    deal, table = held
    seat = _seat(deal, permit)
    fresh = after is None or after == table.moves
    action = _ready(table, seat, act) if seat is not None and fresh else None
    if seat is None or action is None:
        sessions.kept.keep(deal, table)
        return None
    now = timezone.now()
    moves = deal.moves
    by = turn_columns(deal, table, now)["move_by"]
    rows = list(record.played(table, seat, action, str(action_id), by))
    if table.end is not None:
        return None
    written = append_if(
        PairEvent,
        deal,
        rows,
        action_id=action_id,
        permit=permit,
        changes=turn_columns(deal, table, now),
        expected={"moves": moves, "on_turn": seat},
        sits=f"{seat}_id",
    )
    if written is None:
        return None
    sessions.kept.keep(deal, table)
    return Taken(written[0].seq, written)


def _seat(deal: PairDeal, permit: Permit) -> Seat | None:
    """The seat of who asks, if that seat is on turn as far as we know."""
    if not deal.is_live:
        return None
    return next(
        (seat for seat in SEATS if getattr(deal, f"{seat}_id") == permit.user_id and deal.on_turn == seat),
        None,
    )


def _ready(table: PairTable, seat: Seat, act: ActData) -> Action | None:
    """The move as it binds; ``None`` where it would be refused or asked about. Nothing changes."""
    action = action_of(act)
    try:
        table.check(seat, action)
    except ActionRefused:
        return None
    view = table.observe(seat)
    if question_before(act, scenario=table.scenario, view=view) is not None:
        return None
    return bound(heard(action, table, seat), view)
