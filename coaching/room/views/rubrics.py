"""Rubrics: make, retire; and the ticks on a debrief."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from accounts.selectors import teams_led_by
from coaching.room.access import led_rubric, led_team, may_tick
from coaching.room.forms import RubricForm
from coaching.room.models import CheckResult
from coaching.room.rubrics import rubric_create, rubric_retire, rubrics_of
from coaching.room.settlement import check_ticked
from negotiation.views import signed_in


@require_http_methods(["GET", "HEAD", "POST"])
def rubrics(request: HttpRequest, team_id: int) -> HttpResponse:
    """The rubrics in use, and a form for a new one."""
    team = led_team(request, team_id)
    user = signed_in(request)
    form = RubricForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        made = rubric_create(team=team, by=user, **form.cleaned_data)
        messages.success(request, f"“{made.name}” is ready to be used.")
        return redirect("room-rubrics", team_id=team.pk)
    context = {
        "team": team,
        "teams": teams_led_by(user).order_by("name"),
        "section": "rubrics",
        "rubrics": rubrics_of(team),
        "form": form,
    }
    return render(request, "room/rubrics.html", context, status=422 if form.is_bound else 200)


@require_POST
def retire(request: HttpRequest, team_id: int, rubric_id: int) -> HttpResponse:
    """Out of use; what was judged by it stays judged."""
    team = led_team(request, team_id)
    rubric = led_rubric(team, rubric_id)
    rubric_retire(rubric=rubric)
    messages.success(request, f"“{rubric.name}” is retired. Assignments that use it keep it.")
    return redirect("room-rubrics", team_id=team.pk)


@require_POST
def tick(request: HttpRequest, game_id: uuid.UUID, result_id: int) -> HttpResponse:
    """A manager's yes or no to one check of a deal of the team."""
    user = signed_in(request)
    result = get_object_or_404(
        CheckResult.objects.select_related("game", "question"), pk=result_id, game_id=game_id
    )
    if result.question.auto or not may_tick(user, result.game):
        raise Http404("There is no such check of yours.")
    check_ticked(result=result, by=user, yes=request.POST.get("answer") == CheckResult.Answer.YES)
    return redirect(reverse("debrief", args=[game_id]) + "#rubric")
