"""Reads of assignments: what a rep has to do, and how the team stands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

from django.utils import timezone

from accounts.models import Membership, Team, User
from coaching.room.access import assignments_of
from coaching.room.models import Assignment, Attempt
from coaching.room.setting import persona_name, scenario_title
from negotiation.models import Game

SOON = timedelta(hours=24)

State = Literal["open", "playing", "review", "passed", "failed"]


@dataclass(slots=True)
class AssignmentStanding:
    """How one person stands with one assignment."""

    assignment: Assignment
    user: User
    attempts: list[Attempt] = field(default_factory=list)

    @property
    def used(self) -> int:
        """Attempts used up: those that ended and count."""
        counted = (Attempt.Outcome.PASSED, Attempt.Outcome.FAILED, Attempt.Outcome.REVIEW)
        return sum(attempt.outcome in counted for attempt in self.attempts)

    @property
    def left(self) -> int:
        """Attempts that can still be begun and counted."""
        return max(0, self.assignment.attempts_allowed - self.used)

    @property
    def left_range(self) -> range:
        """For a page that draws one mark for each attempt left."""
        return range(self.left)

    @property
    def state(self) -> State:
        """Where it stands; one pass is enough for good."""
        outcomes = {attempt.outcome for attempt in self.attempts}
        decisive: tuple[State, ...] = ("passed", "playing", "review")
        for outcome in decisive:
            if outcome in outcomes:
                return outcome
        return "open" if self.left else "failed"

    @property
    def under_way(self) -> Attempt | None:
        """The attempt being played now."""
        return next((one for one in self.attempts if one.outcome == Attempt.Outcome.PLAYING), None)

    @property
    def last(self) -> Attempt | None:
        """The latest attempt that has ended."""
        ended = [one for one in self.attempts if one.outcome != Attempt.Outcome.PLAYING]
        return ended[-1] if ended else None

    @property
    def passed(self) -> Attempt | None:
        """The attempt that passed."""
        return next((one for one in self.attempts if one.outcome == Attempt.Outcome.PASSED), None)

    @property
    def best(self) -> float | None:
        """The best share of an attempt that counts."""
        shares = [
            one.game.efficiency
            for one in self.attempts
            if one.outcome in (Attempt.Outcome.PASSED, Attempt.Outcome.FAILED, Attempt.Outcome.REVIEW)
            and one.game.efficiency is not None
        ]
        return max(shares, default=None)

    @property
    def late(self) -> bool:
        """Passed after the deadline, or not passed and the deadline is over."""
        if self.passed is not None:
            return self.passed.late
        deadline = self.assignment.deadline
        return deadline is not None and deadline < timezone.now()

    @property
    def due_soon(self) -> bool:
        """Not done, and the deadline is less than a day away."""
        deadline = self.assignment.deadline
        open_still = self.state in ("open", "playing")
        return open_still and deadline is not None and timedelta(0) < deadline - timezone.now() < SOON

    @property
    def scenario_title(self) -> str:
        """What is played."""
        return scenario_title(self.assignment.scenario)

    @property
    def persona_name(self) -> str:
        """Against whom."""
        return persona_name(self.assignment.persona)


def standings_for(user: User) -> list[AssignmentStanding]:
    """What was set to this person: what is still to do first, by deadline; what is passed last."""
    rows = [
        AssignmentStanding(assignment, user)
        for assignment in assignments_of(user).prefetch_related("rubric__checks")
    ]
    _fill(rows)
    far = datetime.max.replace(tzinfo=timezone.get_current_timezone())
    return sorted(rows, key=lambda row: (row.state == "passed", row.assignment.deadline or far))


def attempt_of(game: Game) -> Attempt | None:
    """The attempt that this game is, if it is one."""
    return Attempt.objects.select_related("assignment").filter(game=game).first()


@dataclass(frozen=True, slots=True)
class Matrix:
    """The team against its assignments: one row for each person, one cell for each assignment."""

    assignments: list[Assignment]
    rows: list[tuple[User, list[AssignmentStanding | None]]]


def matrix_of(team: Team, *, closed: bool = False) -> Matrix:
    """Who stands where. A cell is empty where the assignment is not set to that person."""
    assignments = list(
        Assignment.objects.filter(team=team, closed_at__isnull=not closed)
        .select_related("rubric", "team")
        .prefetch_related("assignees")
    )
    people = [
        membership.user
        for membership in Membership.objects.filter(team=team, user__is_active=True)
        .select_related("user")
        .order_by("user__display_name", "user__email")
    ]
    reps = set(
        Membership.objects.filter(team=team, role=Membership.Role.REP).values_list("user_id", flat=True)
    )
    cells: dict[tuple[int, int], AssignmentStanding] = {}
    for assignment in assignments:
        named = {user.pk for user in assignment.assignees.all()}
        for person in people:
            if person.pk in (reps if assignment.whole_team else named):
                cells[assignment.pk, person.pk] = AssignmentStanding(assignment, person)
    _fill(cells.values())
    rows = [(person, [cells.get((one.pk, person.pk)) for one in assignments]) for person in people]
    return Matrix(assignments, [(person, row) for person, row in rows if any(row)])


def _fill(standings: Iterable[AssignmentStanding]) -> None:
    """Read the attempts of many standings at once."""
    wanted = list(standings)
    found: defaultdict[tuple[int, int], list[Attempt]] = defaultdict(list)
    attempts = Attempt.objects.filter(
        assignment__in={row.assignment.pk for row in wanted}, user__in={row.user.pk for row in wanted}
    ).select_related("game")
    for attempt in attempts.order_by("number"):
        found[attempt.assignment_id, attempt.user_id].append(attempt)
    for row in wanted:
        row.attempts = found[row.assignment.pk, row.user.pk]
