"""Asking for a review, working it out, and looking into it."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import structlog
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from kombu.exceptions import OperationalError

from coaching.analysis.review import VERSION, read_played, review
from coaching.reviews.models import MoveReview, TriedMove
from negotiation import catalogue
from negotiation.models import Game, Redaction
from negotiation.selectors import frames_after

log = structlog.get_logger(__name__)

STALLED = timedelta(minutes=2)
"""A review that has not moved for so long has lost its worker."""
RIGHT_WITHIN = 0.01
"""A guess worth no less than this share of the zone below the best is right."""

Learner = Callable[[Game, dict[str, Any]], None]
_learners: list[Learner] = []


def on_reviewed(learner: Learner) -> None:
    """Have ``learner`` called, in the worker, with each game that was reviewed and its review."""
    if learner not in _learners:
        _learners.append(learner)


class NothingToTry(ValueError):
    """This move holds no better one to find, or its review is not there."""


def review_request(*, game: Game) -> MoveReview | None:
    """Have the worker review a finished game. One that is under way or done is not started twice.

    Returns:
        The review, or ``None`` for a game without an end or without a move, and for one whose words were taken out
        of the log before it was reviewed (ADR 0007): what was said is part of how a move is read.
    """
    if game.status != Game.Status.FINISHED or game.turns == 0:
        return None
    if Redaction.objects.filter(table=game).exists():
        return MoveReview.objects.filter(game=game, version=VERSION, status=MoveReview.Status.DONE).first()
    asked, new = MoveReview.objects.get_or_create(game=game, version=VERSION, defaults={"total": game.turns})
    if new:
        transaction.on_commit(lambda: _enqueue(asked.pk), robust=True)
    return asked


def review_again(*, failed: MoveReview) -> None:
    """Start a review that failed once more."""
    row = MoveReview.objects.filter(pk=failed.pk, status=MoveReview.Status.FAILED)
    if row.update(status=MoveReview.Status.WAITING, done=0, updated_at=timezone.now()):
        transaction.on_commit(lambda: _enqueue(failed.pk), robust=True)


def _enqueue(review_id: int) -> None:
    # The task's module imports these services.
    from coaching.reviews.tasks import review_game

    try:
        review_game.delay(review_id)
    except OperationalError:  # the sweep finds it when the broker is back
        log.exception("review_not_enqueued", review=review_id)


def _claim(review_id: int) -> bool:
    """Take the review for this worker: a waiting one, or one whose worker has been silent for long."""
    mine = MoveReview.objects.filter(pk=review_id)
    now = timezone.now()
    waiting = mine.filter(status=MoveReview.Status.WAITING)
    orphan = mine.filter(status=MoveReview.Status.RUNNING, updated_at__lt=now - STALLED)
    return any(found.update(status=MoveReview.Status.RUNNING, updated_at=now) for found in (waiting, orphan))


def review_run(*, review_id: int) -> bool:
    """Work a review out and keep it. False when someone else has it or it is gone."""
    if not _claim(review_id):
        return False
    row = MoveReview.objects.filter(pk=review_id)
    game = Game.objects.get(reviews__pk=review_id)
    started = time.monotonic()

    def progress(done: int, total: int) -> None:
        row.update(done=done, total=total, updated_at=timezone.now())

    try:
        played = read_played(frames_after(game.pk, 0, "player"), catalogue.for_game(game))
        data = review(played, progress)
    except Exception:
        row.update(status=MoveReview.Status.FAILED, updated_at=timezone.now())
        raise
    seconds = round(time.monotonic() - started, 2)
    row.update(status=MoveReview.Status.DONE, data=data, seconds=seconds, updated_at=timezone.now())
    for learner in _learners:
        learner(game, data)
    return True


def reviews_owed(*, limit: int = 50) -> list[int]:
    """Reviews that wait without a worker having been told, or whose worker died."""
    late = timezone.now() - STALLED
    open_ones = MoveReview.objects.filter(
        status__in=[MoveReview.Status.WAITING, MoveReview.Status.RUNNING], updated_at__lt=late
    )
    return list(open_ones.order_by(F("requested_at")).values_list("pk", flat=True)[:limit])


def games_unreviewed(*, limit: int = 50) -> list[uuid.UUID]:
    """Games that ended lately and that nobody has asked to review."""
    ended = Game.objects.filter(
        status=Game.Status.FINISHED, turns__gt=0, finished_at__gte=timezone.now() - timedelta(days=2)
    ).exclude(reviews__version=VERSION)
    return list(ended.order_by("finished_at").values_list("pk", flat=True)[:limit])


@transaction.atomic
def move_try(*, reviewed: MoveReview, turn: int, choice: int | None) -> TriedMove:
    """The player's guess at the better move on a turn; the first guess counts. ``None`` gives up.

    Raises:
        NothingToTry: when there is nothing to find there, or no such choice.
    """
    move = next((each for each in (reviewed.data or {}).get("moves", []) if each["turn"] == turn), None)
    if move is None or move["better"] is None:
        raise NothingToTry("There is no better move to find on this turn.")
    right = False
    if choice is not None:
        if not 0 <= choice < len(move["choices"]):
            raise NothingToTry("There is no such choice.")
        best = max(each["value"] for each in move["choices"])
        right = move["choices"][choice]["value"] >= best - RIGHT_WITHIN
    tried, _ = TriedMove.objects.get_or_create(
        review=reviewed, turn=turn, defaults={"choice": choice, "right": right}
    )
    return tried
