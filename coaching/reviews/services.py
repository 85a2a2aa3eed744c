"""Asking for a review, working it out, and looking into it."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Coalesce
from django.utils import timezone

from coaching.analysis.costs import left_of, with_costs
from coaching.analysis.finished_log import FinishedLog
from coaching.analysis.review import VERSION, read_played, review
from coaching.reviews.choices import order_of
from coaching.reviews.models import MoveReview, TriedMove
from negotiation import catalogue
from negotiation.models import Game, Redaction
from negotiation.selectors import frames_after
from owed import queues
from owed import services as owed
from owed.kinds import Work, register

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
        return MoveReview.objects.filter(game=game, version=VERSION, state=MoveReview.State.DONE).first()
    return owed.ask(MoveReview, game=game, version=VERSION, defaults={"total": game.turns})


def _review(row: MoveReview) -> dict[str, Any]:
    started = time.monotonic()
    scenario = catalogue.for_game(row.game)
    frames = frames_after(row.game_id, 0, "player")
    played = read_played(frames, scenario, catalogue.case_for(row.game), row.game.guided_turns or 0)
    reviewed = review(played, functools.partial(owed.progress, row))
    data = with_costs(reviewed, left_of(FinishedLog(frames_after(row.game_id, 0, "coach"), scenario)))
    return {"data": data, "seconds": round(time.monotonic() - started, 2)}


def _learn(row: MoveReview) -> None:
    for learner in _learners if row.state == MoveReview.State.DONE else ():
        transaction.on_commit(functools.partial(learner, row.game, row.data or {}))


def games_unreviewed_ask(*, limit: int = 50) -> None:
    """Ask for the reviews of games that ended lately and that nobody has asked to review."""
    ended = Game.objects.filter(
        status=Game.Status.FINISHED, turns__gt=0, finished_at__gte=timezone.now() - timedelta(days=2)
    ).exclude(reviews__version=VERSION)
    for game in ended.order_by("finished_at")[:limit]:
        review_request(game=game)


REVIEW = register(
    Work(
        "review",
        MoveReview,
        _review,
        ended=_learn,
        also=games_unreviewed_ask,
        queue=queues.REVIEWS,
        # A team's, or the player's own: numbers of people are told from those of teams by their sign.
        owner=Coalesce(F("game__team_id"), -F("game__player_id")),
    )
)


@transaction.atomic
def move_try(*, reviewed: MoveReview, turn: int, choice: int | None) -> TriedMove:
    """The player's guess at the better move on a turn; the first guess counts. ``None`` gives up.

    Args:
        choice: where it was shown (``order_of``); kept is its place in the review.

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
        choice = order_of(reviewed.pk, move)[choice]
        best = max(each["value"] for each in move["choices"])
        right = move["choices"][choice]["value"] >= best - RIGHT_WITHIN
    tried, _ = TriedMove.objects.get_or_create(
        review=reviewed, turn=turn, defaults={"choice": choice, "right": right}
    )
    return tried
