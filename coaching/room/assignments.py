"""Writes of assignments and attempts."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import Team, User
from coaching.room.models import Assignment, Attempt, CheckResult
from negotiation.engine.shares import percent
from negotiation.models import Event, Game
from negotiation.services import game_create

FIXED_ONCE_BEGUN = ("scenario", "persona", "seat", "difficulty")
"""What attempts have in common: it can't be changed once there is one."""


class AssignmentRefused(ValueError):
    """It can't be done now; the message is for the person."""

    def __init__(self, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.field = field


@transaction.atomic
def assignment_create(*, team: Team, by: User, assignees: Iterable[User], **terms: Any) -> Assignment:
    """Set a deal to the whole team or to ``assignees``."""
    assignment = Assignment(team=team, created_by=by, **terms)
    assignment.full_clean()
    assignment.save()
    assignment.assignees.set([] if assignment.whole_team else assignees)
    return assignment


@transaction.atomic
def assignment_edit(*, assignment: Assignment, assignees: Iterable[User], **terms: Any) -> None:
    """Change the terms for attempts that begin from now on. Attempts already begun keep theirs."""
    locked = Assignment.objects.select_for_update().get(pk=assignment.pk)
    if locked.attempts.exists():
        for name in FIXED_ONCE_BEGUN:
            if name in terms and terms[name] != getattr(locked, name):
                raise AssignmentRefused(
                    "Attempts have begun, so the deal itself stays as it is. Close this one and set a new one.",
                    name,
                )
    for name, value in terms.items():
        setattr(locked, name, value)
    locked.full_clean()
    locked.save()
    locked.assignees.set([] if locked.whole_team else assignees)


def assignment_close(*, assignment: Assignment) -> None:
    """Take it back. Attempts that are under way are still judged; new ones can't begin."""
    Assignment.objects.filter(pk=assignment.pk, closed_at=None).update(closed_at=timezone.now())


@transaction.atomic
def attempt_start(*, assignment: Assignment, user: User, seat: str, seed: int | None = None) -> Attempt:
    """Sit down at the deal that was set; where an attempt is under way, that one goes on.

    Nothing is used up here: an attempt counts when its deal has ended without help.

    Args:
        seed: of its deal, where not chance but the caller deals.
    """
    locked = Assignment.objects.select_for_update().get(pk=assignment.pk)
    mine = list(Attempt.objects.select_related("game").filter(assignment=locked, user=user))
    under_way = next((one for one in mine if one.outcome == Attempt.Outcome.PLAYING), None)
    if under_way is not None and under_way.game.is_live:
        return under_way
    if under_way is not None:
        # Its deal has ended, and the process that should have judged it died: nobody waits for the worker here.
        attempt_judge(attempt=under_way)
    if locked.closed_at is not None:
        raise AssignmentRefused("This assignment was taken back.")
    outcomes = [one.outcome for one in mine]
    if Attempt.Outcome.PASSED in outcomes:
        raise AssignmentRefused("You have passed this one.")
    if Attempt.Outcome.REVIEW in outcomes:
        raise AssignmentRefused("Your last attempt waits for your manager.")
    if outcomes.count(Attempt.Outcome.FAILED) >= locked.attempts_allowed:
        raise AssignmentRefused("Your attempts are used up.")
    wanted = seat if locked.seat == Assignment.Seat.EITHER else locked.seat
    game = game_create(
        player=user,
        team=locked.team,
        scenario=locked.scenario,
        persona=locked.persona,
        seat=wanted,
        difficulty=locked.difficulty,
        seed=seed,
    )
    return Attempt.objects.create(
        assignment=locked,
        user=user,
        game=game,
        number=max((one.number for one in mine), default=0) + 1,
        pass_efficiency=locked.pass_efficiency,
        rubric=locked.rubric,
        deadline=locked.deadline,
    )


def attempt_judge(*, attempt: Attempt, at: datetime | None = None) -> None:
    """Say what came of an attempt, by its own terms. Doing it twice changes nothing but open manual checks."""
    game = attempt.game
    if game.is_live:
        return
    outcome, why = _judgement(attempt, game)
    ended = game.finished_at or timezone.now()
    attempt.outcome, attempt.why = outcome, why
    attempt.late = attempt.deadline is not None and ended > attempt.deadline
    attempt.judged_at = None if outcome == Attempt.Outcome.REVIEW else (at or timezone.now())
    attempt.save(update_fields=["outcome", "why", "late", "judged_at"])


def _judgement(attempt: Attempt, game: Game) -> tuple[str, str]:
    if game.status == Game.Status.ABANDONED:
        return Attempt.Outcome.VOID, "Closed after a week without a move. It uses nothing up."
    if game.assisted:
        return Attempt.Outcome.VOID, "Played with a coach. It uses nothing up."
    if attempt.pass_efficiency is not None and game.price is None and not _had_room(game):
        return (
            Attempt.Outcome.VOID,
            "There was no price that suited both; leaving was right. It uses nothing up.",
        )
    share = game.efficiency or 0.0
    if attempt.pass_efficiency is not None and share < attempt.pass_efficiency:
        return (
            Attempt.Outcome.FAILED,
            f"{percent(share)} of what was there; the mark is {percent(attempt.pass_efficiency)}.",
        )
    if attempt.rubric_id is not None:
        results = CheckResult.objects.filter(game=game, question__rubric_id=attempt.rubric_id)
        if not results.exists():
            return Attempt.Outcome.REVIEW, "Its checks are being read off the log."
        missed = results.filter(answer=CheckResult.Answer.NO).select_related("question").first()
        if missed is not None:
            return Attempt.Outcome.FAILED, f"Not met: {missed.question.text}."
        if results.filter(answer=CheckResult.Answer.OPEN).exists():
            return Attempt.Outcome.REVIEW, "Your manager has checks left to tick."
    return Attempt.Outcome.PASSED, f"{percent(share)} of what was there."


def _had_room(game: Game) -> bool:
    """Whether the limits met when the deal began, so that there was a share to be reached."""
    truth = Event.objects.filter(game=game, type="turn_graded").earliest("seq").data["truth"]
    # Where only the price is open, the zone of the limits is all that there is.
    return bool(truth.get("zone", truth["zopa_high"] - truth["zopa_low"]) > 0)
