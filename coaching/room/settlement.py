"""What follows from the end of a game: checks answered, the attempt judged, the rating moved. Each happens once.

It runs right after the transaction that ended the game. A process that dies in between leaves the game to the
worker, which looks for games that ended without it (``tasks.settle_games``).
"""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import structlog
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from accounts.models import User
from coaching.reviews.services import review_request
from coaching.room import ratings
from coaching.room.assignments import attempt_judge
from coaching.room.models import Attempt, CheckResult, Rubric
from coaching.room.rubrics import answer_checks, check_tick
from negotiation.models import Game

log = structlog.get_logger(__name__)

LOOK_BACK = timedelta(days=2)


def game_ended(sender: Any, table: Game, **_: Any) -> None:
    """A deal is over: settle it after the commit; never harm the table."""
    transaction.on_commit(lambda: settle(table.pk), robust=True)
    transaction.on_commit(lambda: review_request(game=table), robust=True)


@transaction.atomic
def settle(game_id: uuid.UUID) -> None:
    """Everything that follows from this end. Doing it again changes nothing."""
    game = Game.objects.select_for_update().select_related("player").get(pk=game_id)
    if game.is_live:
        return
    attempt = Attempt.objects.select_related("game", "rubric").filter(game=game).first()
    if game.status == Game.Status.FINISHED:
        answer_checks(game=game, rubrics=_rubrics_for(game, attempt))
        ratings.rate(game)
    if attempt is not None and attempt.judged_at is None:
        attempt_judge(attempt=attempt)


def _rubrics_for(game: Game, attempt: Attempt | None) -> list[Rubric]:
    """The rubric of the attempt, and those that the team lays against every deal."""
    ended = game.finished_at or timezone.now()
    every = Q(team_id=game.team_id, every_deal=True, created_at__lte=ended, retired_at=None)
    named = Q(pk=attempt.rubric_id) if attempt is not None and attempt.rubric_id else Q(pk__in=[])
    return list(Rubric.objects.filter(every | named)) if game.team_id or attempt else []


def games_unsettled() -> list[uuid.UUID]:
    """Games that ended lately and whose end had no consequences yet, though it should have."""
    ended = Game.objects.filter(finished_at__gte=timezone.now() - LOOK_BACK).exclude(status=Game.Status.LIVE)
    owed_attempt = ended.filter(attempt__outcome=Attempt.Outcome.PLAYING)
    owed_rating = ended.filter(ratings.rating_moved(), rated__isnull=True)
    unread = ended.filter(status=Game.Status.FINISHED, check_results__isnull=True)
    owed_checks = unread.filter(
        team__rubrics__every_deal=True,
        team__rubrics__retired_at=None,
        team__rubrics__created_at__lte=F("finished_at"),
    )
    owed_rubric = unread.filter(attempt__rubric__isnull=False)
    found = owed_attempt | owed_rating | owed_checks | owed_rubric
    return list(found.values_list("id", flat=True).distinct()[:500])


@transaction.atomic
def check_ticked(*, result: CheckResult, by: User, yes: bool) -> None:
    """A manager answered a check; an attempt that waited for it is judged anew."""
    check_tick(result=result, by=by, yes=yes)
    attempt = Attempt.objects.select_for_update().filter(game_id=result.game_id, judged_at=None).first()
    if attempt is not None and attempt.outcome == Attempt.Outcome.REVIEW:
        attempt_judge(attempt=attempt)
