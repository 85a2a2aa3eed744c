"""Asking for work, taking it, reporting on it, ending it, asking again; and handing out what nobody took.

A worker is lost when it has not reported for as long as its kind of work allows: from then on any other may take the
row, and whatever the first still writes is refused, for the row names another lease. A message is lost when the broker
was away or forgot it: the row still waits, and the sweep hands it out. So a message too many or too few does no harm.
"""

from __future__ import annotations

import functools
import secrets
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any, TypeVar

import structlog
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.db.models import Count, F, Min, Q, QuerySet
from django.utils import timezone
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from owed import kinds
from owed.kinds import Work
from owed.models import OwedRow, OwedState
from owed.post import post
from owed.queues import AWAITED

log = structlog.get_logger(__name__)

Row = TypeVar("Row", bound=OwedRow)

LATELY = timedelta(minutes=10)
"""What was done for somebody within so long counts when the next is chosen."""
AT_ONCE = 50
"""So many rows of a kind are handed out by one sweep."""
HASTENED = 600
"""Seconds until a page that still waits sends its message once more."""


class LeaseLost(Exception):
    """Another worker has the row by now, or it is gone: nothing that this one makes is wanted."""


class WorkCancelled(Exception):
    """Whoever asked for it does not want it any more, or it has used up its time, as the argument says."""


class NotYet(Exception):
    """It can't be done now: the row waits again, for the sweep to come back to."""


class CannotBeDone(Exception):
    """This work has no result and never will as it stands; the argument is told to whoever asked."""


def ask(model: type[Row], /, *, defaults: dict[str, Any] | None = None, **by: Any) -> Row:
    """The row ``by`` these columns; where there was none it is made, and a worker told once the transaction holds."""
    row, new = model._default_manager.get_or_create(**by, defaults=defaults or {})
    if new:
        hand_out(row)
    return row


def again(row: OwedRow, *, even_done: bool = False, **columns: Any) -> bool:
    """Have it done once more, where it failed or was cancelled. False where it is under way, or done already."""
    over = [OwedState.FAILED, OwedState.CANCELLED, *([OwedState.DONE] if even_done else [])]
    asked = _rows(row).filter(state__in=over)
    fresh = {"reason": "", "cancel": False, "attempts": 0, "done": 0, "heartbeat_at": timezone.now()}
    if not asked.update(state=OwedState.WAITING, **fresh, **columns):
        return False
    hand_out(row)
    row.refresh_from_db()
    return True


def hand_out(row: OwedRow) -> None:
    """Tell a worker of a row that waits, once the transaction holds."""
    work = kinds.of(type(row))
    _after_commit(_tell, work, row.pk)


def hasten(row: OwedRow) -> None:
    """Somebody looks at a page for this row: while it waits, it goes before those of its kind that nobody looks for.

    However often the page asks, one more message is sent; the one behind it finds the row done.
    """
    work = kinds.of(type(row))
    if row.state != OwedState.WAITING or work.queue == AWAITED or work.tell is not None:
        return
    with suppress(RedisError, OSError):  # without it the message that was sent at first is enough
        if cache.add(f"hastened:{work.name}:{row.pk}", 1, timeout=HASTENED):
            _after_commit(_tell, work, row.pk, AWAITED)


def _tell(work: Work[Any], pk: Any, queue: str = "") -> bool:
    # The task's module imports these services.
    from owed.tasks import do as task

    def usually(key: str) -> None:
        task.apply_async((work.name, key), queue=queue or work.queue)

    return _sent(work.tell or usually, str(pk))


def send(message: Callable[..., object], *words: Any) -> None:
    """Tell a worker, once the transaction holds, of what has no row of its own: its need is read from other rows, and
    a look of its own finds what is lost on the way."""
    _after_commit(_sent, message, *words)


def _after_commit(tell: Callable[..., bool], *words: Any) -> None:
    transaction.on_commit(functools.partial(post, functools.partial(tell, *words)), robust=True)


def _sent(message: Callable[..., object], *words: Any) -> bool:
    try:
        message(*words)
    except OperationalError:  # a sweep finds it when the broker is back
        log.exception("broker_away", message=repr(message), words=words)
        return False
    return True


def fairest(work: Work[Any], pk: Any) -> Any:
    """Which row to do for a message that meant ``pk``: the oldest that waits of whoever had the least done lately."""
    if work.owner is None:
        return pk
    rows = work.model._default_manager.annotate(owner=work.owner).order_by()
    waiting = rows.filter(state=OwedState.WAITING)
    owners = waiting.values("owner").annotate(since=Min("heartbeat_at"), first=Min("pk"))
    lately = rows.filter(
        state__in=(OwedState.RUNNING, OwedState.DONE), heartbeat_at__gte=timezone.now() - LATELY
    )
    had = dict(lately.values_list("owner").annotate(Count("pk")))
    turns = sorted(
        (had.get(each["owner"], 0), each["since"], each["first"], each["owner"]) for each in owners
    )
    if not turns:
        return pk
    return waiting.filter(owner=turns[0][-1]).order_by("heartbeat_at", "pk").values_list("pk", flat=True)[0]


def claim(work: Work[Any], pk: Any) -> Any:
    """Take a row for this worker: one that waits, or whose worker is lost. ``None`` where it is not to be had.

    However often the broker delivers it, one worker gets it: a single UPDATE decides.
    """
    lease, now = secrets.token_hex(16), timezone.now()
    mine = work.model._default_manager.filter(pk=pk)
    free = Q(state=OwedState.WAITING) | _lost(work)
    try:
        with transaction.atomic():
            mine.filter(free).update(
                state=OwedState.RUNNING, lease=lease, heartbeat_at=now, attempts=F("attempts") + 1
            )
    except IntegrityError:  # one at a time, and another one runs
        return None
    row = mine.filter(lease=lease).first()
    if row is not None and work.most is not None and row.attempts > work.most:
        fail(row, f"{work.most} workers were lost over it.")
        return None
    return row


def progress(row: OwedRow, done: int | None = None, total: int | None = None) -> None:
    """Report that the worker is alive, and how far it is; this renews its lease.

    Raises:
        LeaseLost: when another worker has the row by now.
        WorkCancelled: when it is not wanted any more.
    """
    steps = {} if done is None else {"done": done, "total": total}
    if not _held(row).filter(cancel=False).update(heartbeat_at=timezone.now(), **steps):
        raise WorkCancelled if _held(row).exists() else LeaseLost


def let_go(row: OwedRow, state: OwedState, reason: str = "", **columns: Any) -> bool:
    """Write down how it ended. False where another worker has it by now, and nothing is written."""
    ended = {"state": state, "lease": "", "cancel": False, "reason": reason[:300]}
    with transaction.atomic():
        if not _held(row).update(**ended, heartbeat_at=timezone.now(), **columns):
            return False
        row.refresh_from_db()
        if (work := kinds.of(type(row))).ended is not None:
            work.ended(row)
    log.info("work_let_go", work=work.name, row=str(row.pk), state=row.state, reason=row.reason)
    return True


def finish(row: OwedRow, **columns: Any) -> bool:
    """It is done, and this is what came of it."""
    return let_go(row, OwedState.DONE, **columns)


def fail(row: OwedRow, reason: str, **columns: Any) -> bool:
    """It has failed, and this is why."""
    return let_go(row, OwedState.FAILED, reason, **columns)


def cancel(row: OwedRow, **columns: Any) -> bool:
    """Stop it: at once where it waits, at its worker's next progress where it runs."""
    mine = _rows(row)
    stopped = mine.filter(state=OwedState.WAITING).update(state=OwedState.CANCELLED, **columns)
    return bool(stopped or mine.filter(state=OwedState.RUNNING).update(cancel=True))


def do(work: Work[Any], pk: Any) -> bool:
    """Take a row and work it to its end. False where it was not to be had."""
    row = claim(work, pk)
    if row is None:
        return False
    try:
        progress(row)
        finish(row, **work.run(row))
    except LeaseLost:
        log.warning("lease_lost", work=work.name, row=str(pk))
    except WorkCancelled as cancelled:
        let_go(row, OwedState.CANCELLED, str(cancelled))
    except NotYet:
        let_go(row, OwedState.WAITING)
    except CannotBeDone as problem:
        fail(row, str(problem))
    except Exception as problem:
        # Its words may hold what nobody is to read; they stand in the log of the worker.
        fail(row, type(problem).__name__)
        raise
    return True


def owed(work: Work[Any]) -> list[Any]:
    """Keys of rows that a worker should be told of: those whose worker is lost, and those that nobody took."""
    rows = work.model._default_manager.order_by("heartbeat_at")
    lost = list(rows.filter(_lost(work)).values_list("pk", flat=True)[:AT_ONCE])
    if work.one_at_a_time:
        busy = rows.filter(state=OwedState.RUNNING).exists()
        return lost if busy else list(rows.filter(state=OwedState.WAITING).values_list("pk", flat=True)[:1])
    late = Q(state=OwedState.WAITING, heartbeat_at__lt=timezone.now() - work.silent)
    return lost + list(rows.filter(late).values_list("pk", flat=True)[:AT_ONCE])


def sweep() -> dict[str, int]:
    """Ask for what nobody asked for and hand out what nobody took; how many rows that was, by the name of their kind."""
    told = {}
    for work in kinds.every():
        try:
            told[work.name] = _sweep(work)
        except Exception:  # one kind in trouble does not keep the others waiting
            log.exception("sweep_failed", work=work.name)
    return told


def _sweep(work: Work[Any]) -> int:
    if work.also is not None:
        work.also()
    told = 0
    for pk in owed(work):
        if not _tell(work, pk):
            break
        told += 1
        if not work.one_at_a_time:  # the message lies in the queue: not another one with each sweep
            waits = work.model._default_manager.filter(pk=pk, state=OwedState.WAITING)
            waits.update(heartbeat_at=timezone.now())
    return told


def _lost(work: Work[Any]) -> Q:
    return Q(state=OwedState.RUNNING, heartbeat_at__lt=timezone.now() - work.silent)


def _rows(row: OwedRow) -> QuerySet[Any]:
    return type(row)._default_manager.filter(pk=row.pk)


def _held(row: OwedRow) -> QuerySet[Any]:
    return _rows(row).filter(state=OwedState.RUNNING, lease=row.lease)
