"""The ways in which a deal between two people ends away from the table: somebody left for good, or nobody came."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import datetime

import structlog
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from negotiation.engine.deal.pair import PairTable
from negotiation.engine.deal.types import Seat
from negotiation.pairs import record, sessions
from negotiation.pairs.models import PairDeal, PairEvent, PairLink
from negotiation.pairs.record import SEATS
from negotiation.table import links, pings
from negotiation.table.errors import LogDiverged
from negotiation.table.log import append, locked
from negotiation.table.signals import table_ended

log = structlog.get_logger(__name__)


def clear(deal: PairDeal) -> None:
    """Clear a table at which nobody has come to sit. The caller holds the lock."""
    deal.status = PairDeal.Status.WITHDRAWN
    deal.finished_at = timezone.now()
    deal.save()
    links.links_revoke(PairLink.objects.filter(deal=deal, scope=PairLink.Scope.SIT))
    pings.announce_access(deal.pk)


@transaction.atomic
def pair_leave(*, deal_id: uuid.UUID, seat: Seat | None = None, overdue: datetime | None = None) -> bool:
    """End a live deal because one of them left for good: it has no outcome for either.

    Args:
        seat: who left; by default who is to move.
        overdue: only where the time for the move was up by then.
    """
    deal = locked(PairDeal, deal_id)
    if deal is None or not deal.is_live:
        return False
    if overdue is not None and (deal.move_by is None or deal.move_by > overdue):
        return False
    gone: Seat = seat or ("seller" if deal.on_turn == "seller" else "buyer")
    try:
        table: PairTable | None = sessions.kept.take(deal)
    except LogDiverged:
        log.exception("log_diverged", game=str(deal_id))
        table = None
    deal.status = PairDeal.Status.ABANDONED
    deal.finished_at = timezone.now()
    deal.outcome_reason, deal.ended_by = "left", gone
    deal.on_turn, deal.move_by = "", None
    append(PairEvent, deal, [("ended", record.left(table, gone, deal.turn))])
    deal.save()
    sessions.kept.forget(deal_id)
    table_ended.send(PairDeal, table=deal)
    return True


def pairs_sweep(now: datetime | None = None) -> int:
    """End what somebody left: live deals whose time for a move is up, tables at which nobody came to sit. How many."""
    now = now or timezone.now()
    due = PairDeal.objects.filter(status=PairDeal.Status.LIVE, move_by__lte=now)
    ended = sum(
        pair_leave(deal_id=deal_id, overdue=now) for deal_id in list(due.values_list("pk", flat=True))
    )
    return ended + _clear_unvisited(now)


def _clear_unvisited(now: datetime) -> int:
    open_still = PairLink.objects.filter(scope=PairLink.Scope.SIT, revoked_at=None, expires_at__gt=now)
    waiting = PairDeal.objects.filter(status=PairDeal.Status.WAITING)
    return _cleared(waiting.exclude(links__in=open_still).values_list("pk", flat=True))


def _cleared(deal_ids: Iterable[uuid.UUID]) -> int:
    cleared = 0
    for deal_id in list(deal_ids):
        with transaction.atomic():
            deal = locked(PairDeal, deal_id, status=PairDeal.Status.WAITING)
            if deal is not None:
                clear(deal)
                cleared += 1
    return cleared


def person_leaves(user: User) -> None:
    """The account goes: what is on ends, what waits is cleared."""
    _cleared(
        PairDeal.objects.filter(opener=user, status=PairDeal.Status.WAITING).values_list("pk", flat=True)
    )
    for seat in SEATS:
        live = PairDeal.objects.filter(status=PairDeal.Status.LIVE, **{seat: user})
        for deal_id in list(live.values_list("pk", flat=True)):
            pair_leave(deal_id=deal_id, seat=seat)
