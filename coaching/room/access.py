"""Who may do what in the room: the one place that decides. Whatever is not yours does not exist for you."""

from __future__ import annotations

import uuid
from typing import TypeVar

from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest

from accounts.models import Membership, Team, User
from accounts.selectors import leads_team, teams_led_by
from coaching.room.models import Assignment, Rubric
from negotiation.models import Game
from negotiation.views import signed_in

T = TypeVar("T", bound=Model)


def led_team(request: HttpRequest, team_id: int) -> Team:
    """The team, for its managers and admins; 404 for everybody else."""
    return _found(teams_led_by(signed_in(request)).filter(pk=team_id))


def led_assignment(team: Team, assignment_id: int) -> Assignment:
    """An assignment of a team that the caller was let into."""
    return _found(Assignment.objects.select_related("rubric", "team").filter(team=team, pk=assignment_id))


def led_rubric(team: Team, rubric_id: int) -> Rubric:
    """A rubric of a team that the caller was let into, unless it was retired."""
    return _found(Rubric.objects.filter(team=team, pk=rubric_id, retired_at=None))


def led_game(team: Team, game_id: uuid.UUID) -> Game:
    """A game of a team that the caller was let into."""
    return _found(Game.objects.select_related("player").filter(team=team, pk=game_id))


def member_of(team: Team, user_id: int) -> User:
    """A member of a team that the caller was let into."""
    return _found(User.objects.filter(memberships__team=team, pk=user_id))


def assigned_to(user: User, assignment_id: int) -> Assignment:
    """An open assignment that was set to this person."""
    return _found(assignments_of(user).filter(pk=assignment_id))


def assignments_of(user: User) -> QuerySet[Assignment]:
    """Every open assignment of the teams in which this person plays, as far as it is set to them."""
    playing = Membership.objects.filter(user=user, role=Membership.Role.REP).values("team")
    mine = Assignment.objects.filter(closed_at=None).select_related("team", "rubric")
    whole = mine.filter(whole_team=True, team__in=playing)
    named = mine.filter(whole_team=False, assignees=user, team__memberships__user=user)
    return (whole | named).distinct()


def may_tick(user: User, game: Game) -> bool:
    """Manual checks are ticked by those who lead the team, and by nobody for a deal of their own."""
    return game.player_id != user.pk and leads_team(user, game.team_id)


def _found(rows: QuerySet[T]) -> T:
    row = rows.first()
    if row is None:
        raise Http404("There is no such thing of yours.")
    return row
