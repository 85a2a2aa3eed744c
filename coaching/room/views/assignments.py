"""Assignments: set, change, take back, look over; and for the rep, begin."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import quotas
from accounts.models import Team
from accounts.selectors import teams_led_by
from coaching.room import assignments as services
from coaching.room.access import assigned_to, led_assignment, led_team
from coaching.room.assignment_selectors import matrix_of
from coaching.room.forms import AssignmentForm, initial_of
from coaching.room.models import Assignment
from negotiation.views import signed_in

DIFFICULTIES = [
    (0.0, "0, they give ground easily"),
    (0.25, "25, patient with mistakes"),
    (0.5, "50, a fair fight"),
    (0.75, "75, they read you well"),
    (1.0, "100, they take all you let them"),
]


def _page(request: HttpRequest, template: str, team: Team, *, status: int = 200, **more: Any) -> HttpResponse:
    context = {
        "team": team,
        "teams": teams_led_by(signed_in(request)).order_by("name"),
        "section": "assignments",
        **more,
    }
    form = more.get("form")
    if form is not None:
        context |= _difficulty_of(form)
    return render(request, template, context, status=status)


def _difficulty_of(form: AssignmentForm) -> dict[str, Any]:
    """The levels to choose from; one that was set otherwise is among them."""
    raw = form["difficulty"].value()
    try:
        chosen = float(raw)
    except (TypeError, ValueError):
        chosen = 0.5
    levels = dict(DIFFICULTIES)
    levels.setdefault(chosen, f"{chosen * 100:.0f}")
    return {"difficulties": sorted(levels.items()), "chosen_difficulty": chosen}


@never_cache
@require_safe
def overview(request: HttpRequest, team_id: int) -> HttpResponse:
    """The team against its open assignments; ``?closed=1`` against those that were taken back."""
    team = led_team(request, team_id)
    closed = bool(request.GET.get("closed"))
    return _page(request, "room/assignments.html", team, matrix=matrix_of(team, closed=closed), closed=closed)


@require_http_methods(["GET", "HEAD", "POST"])
def create(request: HttpRequest, team_id: int) -> HttpResponse:
    """Set a deal."""
    team = led_team(request, team_id)
    form = AssignmentForm(request.POST if request.method == "POST" else None, team=team)
    if form.is_valid():
        made = services.assignment_create(team=team, by=signed_in(request), **form.terms())
        messages.success(request, f"“{made.title}” is set.")
        return redirect("room-assignments", team_id=team.pk)
    return _page(request, "room/assignment_form.html", team, form=form, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, team_id: int, assignment_id: int) -> HttpResponse:
    """Change the terms of attempts to come."""
    team = led_team(request, team_id)
    assignment = led_assignment(team, assignment_id)
    form = AssignmentForm(
        request.POST if request.method == "POST" else None,
        team=team,
        keep_deadline=assignment.deadline,
        initial=initial_of(assignment),
    )
    if form.is_valid():
        try:
            services.assignment_edit(assignment=assignment, **form.terms())
        except services.AssignmentRefused as refused:
            form.add_error(refused.field, refused.message)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, "Saved. Attempts that have begun keep the terms they began with.")
            return redirect("room-assignments", team_id=team.pk)
    return _page(
        request,
        "room/assignment_form.html",
        team,
        form=form,
        assignment=assignment,
        begun=assignment.attempts.exists(),
        status=422 if form.is_bound else 200,
    )


@require_POST
def close(request: HttpRequest, team_id: int, assignment_id: int) -> HttpResponse:
    """Take it back."""
    team = led_team(request, team_id)
    assignment = led_assignment(team, assignment_id)
    services.assignment_close(assignment=assignment)
    messages.success(request, f"“{assignment.title}” was taken back. What was played stays on record.")
    return redirect("room-assignments", team_id=team.pk)


@require_POST
def start(request: HttpRequest, assignment_id: int) -> HttpResponse:
    """The rep sits down, or goes on where the last try stands."""
    user = signed_in(request)
    assignment = assigned_to(user, assignment_id)
    quotas.spend(request, "deals")
    seat = "buyer" if request.POST.get("seat") == Assignment.Seat.BUYER else "seller"
    try:
        attempt = services.attempt_start(assignment=assignment, user=user, seat=seat)
    except services.AssignmentRefused as refused:
        messages.warning(request, refused.message)
        return redirect("home")
    return redirect("deal-table", game_id=attempt.game_id)
