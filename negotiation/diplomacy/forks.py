"""What if: a phase played on by bots many times, in a thread of the web process, with progress and a way to stop it.

A fan is a second or two of arithmetic; a row holds how far it has come, so that a page can be left and come back to.
"""

from __future__ import annotations

import secrets
import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import numpy as np
import structlog
from django.db import connections, transaction
from django.utils import timezone

from accounts.models import User
from negotiation.diplomacy import conduct
from negotiation.diplomacy.models import BoardFork, BoardGame
from negotiation.diplomacy.selectors import Place, power_of, sitting_of
from negotiation.diplomacy.services import game_create
from negotiation.diplomacy.sitting import Sitting
from negotiation.engine.diplomacy import POWERS, ImpossibleOrder, Order, State
from negotiation.engine.diplomacy.bots import BOTS
from negotiation.engine.diplomacy.outlook import Course, fan
from negotiation.engine.diplomacy.press.ledger import Ledger
from negotiation.engine.diplomacy.press.messages import Tag
from negotiation.engine.diplomacy.saved import UnreadablePosition, order_from_text, position_to_json
from negotiation.engine.diplomacy.state import OVER
from negotiation.table.errors import MoveRefused

log = structlog.get_logger(__name__)

ROLLOUTS, YEARS, STEP = 48, 3, 4
AT_ONCE = 3
_LOST = timedelta(seconds=90)
_pool = ThreadPoolExecutor(1, thread_name_prefix="fan")


def fork_ask(*, place: Place, user: User, number: int, orders: list[str] | None) -> BoardFork:
    """Ask what may come of phase ``number`` of a game, with one's own orders as they were, or these instead."""
    sitting = sitting_of(place.game)
    state = state_at(sitting, number)
    if state.season == OVER:
        raise MoveRefused("over", "The game ends there.", "number")
    power = power_of(place.seat)
    if orders is not None:
        try:
            wrong = conduct.check_orders(state, power, [order_from_text(words, state) for words in orders])
        except (UnreadablePosition, ImpossibleOrder) as problem:
            wrong = f"{problem}."
        if wrong:
            raise MoveRefused("bad_orders", wrong, "orders")
    with transaction.atomic():
        mine = BoardFork.objects.select_for_update().filter(owner=user, status=BoardFork.Status.RUNNING)
        mine.filter(updated_at__lt=timezone.now() - _LOST).update(status=BoardFork.Status.FAILED)
        if mine.filter(status=BoardFork.Status.RUNNING).count() >= AT_ONCE:
            raise MoveRefused("too_many", "Wait for the ones that you have asked for.")
        fork = BoardFork.objects.create(
            game=place.game, owner=user, power=place.seat.power, number=number, phase=state.phase,
            orders=orders, rollouts=ROLLOUTS, years=YEARS,
        )  # fmt: skip
        transaction.on_commit(lambda: _pool.submit(_in_thread, fork.pk))
    return fork


def fork_cancel(*, fork_id: uuid.UUID, user: User) -> None:
    """Stop one; what was worked out so far is not kept."""
    BoardFork.objects.filter(pk=fork_id, owner=user, status=BoardFork.Status.RUNNING).update(
        status=BoardFork.Status.CANCELLED
    )


def fork_take_up(*, place: Place, user: User, number: int) -> BoardGame:
    """A game of one's own that goes on from a phase, with bots in the other seats."""
    state = state_at(sitting_of(place.game), number)
    if state.season == OVER or not conduct.has_orders(state, power_of(place.seat)):
        raise MoveRefused("nothing_there", "There is nothing for you to order in that phase.", "number")
    bots = {seat.power: seat.bot for seat in place.game.seats.all()}
    game, _ = game_create(
        host=user, power=place.seat.power, bots=bots, years=3, taken_up=(place.game, position_to_json(state))
    )
    return game


def state_at(sitting: Sitting, number: int) -> State:
    """The position in phase ``number``; the present one is the last."""
    if not 0 <= number <= len(sitting.past):
        raise MoveRefused("no_such_phase", "The game has no such phase.", "number")
    return sitting.past[number].state if number < len(sitting.past) else sitting.state


def run(fork_id: uuid.UUID) -> None:
    """Work a fan out; stops where it was cancelled."""
    fork = BoardFork.objects.select_related("game").get(pk=fork_id)
    sitting, power = sitting_of(fork.game), POWERS.index(fork.power)
    state = state_at(sitting, fork.number)
    given = given_of(fork, sitting, state, power)
    bots = [
        BOTS[seat.bot]() for seat in sorted(fork.game.seats.all(), key=lambda seat: POWERS.index(seat.power))
    ]
    ledger = known_to(sitting, fork.number, power)
    courses: list[Course] = []
    rolls = fan(
        state,
        bots,
        seed=secrets.randbits(62),
        rollouts=fork.rollouts,
        years=fork.years,
        given=given,
        ledger=ledger,
    )
    for course in rolls:
        courses.append(course)
        if len(courses) % STEP == 0 and not _still_wanted(fork_id, len(courses)):
            return
    BoardFork.objects.filter(pk=fork_id, status=BoardFork.Status.RUNNING).update(
        status=BoardFork.Status.DONE,
        done=len(courses),
        result=bands(courses, state),
        updated_at=timezone.now(),
    )


def given_of(fork: BoardFork, sitting: Sitting, state: State, power: int) -> dict[int, list[Order]]:
    """The orders that are not a bot's to choose: those asked for; those once played; none yet, where it is on."""
    if fork.orders is not None:
        return {power: [order_from_text(words, state) for words in fork.orders]}
    if fork.number < len(sitting.past):
        return {power: list(sitting.past[fork.number].orders[power])}
    return {}


def known_to(sitting: Sitting, number: int, power: int) -> Ledger:
    """What had been promised to and by a power when a phase's orders were due; others' tags and pacts left out."""
    if number < len(sitting.past):
        past = sitting.past[number]
        ledger = past.ledger
        for message, speech in past.messages:
            ledger = ledger.heard(message, past.state, speech)
    else:
        ledger = sitting.ledger
    return Ledger(
        tuple(
            entry if entry.promise.by == power else entry._replace(tag=Tag.TRUTH if entry.tag else None)
            for entry in ledger.of(power)
        )
    )


def bands(courses: list[Course], state: State) -> dict[str, Any]:
    """By power and year: the middle of the centres held, the bands of half and of nine tenths, and what it is now."""
    counts = np.array([course.years for course in courses])  # (rollouts, years, powers)
    levels = np.quantile(counts, (0.05, 0.25, 0.5, 0.75, 0.95), axis=0, method="nearest")
    now = state.centre_counts()
    return {
        "years": [state.year + n for n in range(counts.shape[1])],
        "powers": {
            name: {
                "now": now[power],
                "mean": [round(float(value), 2) for value in counts[:, :, power].mean(axis=0)],
                "levels": [levels[:, year, power].tolist() for year in range(counts.shape[1])],
            }
            for power, name in enumerate(POWERS)
        },
        "rollouts": len(courses),
    }


def _still_wanted(fork_id: uuid.UUID, done: int) -> bool:
    return bool(
        BoardFork.objects.filter(pk=fork_id, status=BoardFork.Status.RUNNING).update(
            done=done, updated_at=timezone.now()
        )
    )


def _in_thread(fork_id: uuid.UUID) -> None:
    try:
        run(fork_id)
    except Exception:
        log.exception("fan_failed", fork=str(fork_id))
        BoardFork.objects.filter(pk=fork_id).update(status=BoardFork.Status.FAILED)
    finally:
        connections.close_all()
