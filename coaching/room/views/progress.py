"""Progress of a team, the leaderboard, and what can be taken away as CSV."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts import quotas
from accounts.models import Team
from accounts.selectors import teams_led_by
from accounts.streaming import RowByRow
from coaching.room import exports
from coaching.room import progress as selectors
from coaching.room.access import led_team
from coaching.room.models.ratings import OVERALL
from coaching.room.setting import scenario_choices
from negotiation.views import signed_in


def _pool(request: HttpRequest) -> str:
    """The scenario asked for, as far as there is one; else all of them together."""
    asked = request.GET.get("scenario", "")
    return asked if asked in dict(scenario_choices()) else OVERALL


@never_cache
@require_safe
def team_progress(request: HttpRequest, team_id: int) -> HttpResponse:
    """Every rep's figures, for those who lead them."""
    team = led_team(request, team_id)
    pool = _pool(request)
    context = {
        "team": team,
        "teams": teams_led_by(signed_in(request)).order_by("name"),
        "section": "progress",
        "rows": selectors.team_progress(team, pool),
        "scenarios": scenario_choices(),
        "pool": pool,
    }
    return render(request, "room/progress.html", context)


@never_cache
@require_safe
def leaderboard(request: HttpRequest) -> HttpResponse:
    """Everybody who shows themselves, or, with ``?team=``, one's own team. A guest needs an account first."""
    user = signed_in(request)
    if user.is_guest:
        return redirect("account_signup")
    teams = Team.objects.filter(memberships__user=user).order_by("name")
    asked = request.GET.get("team", "")
    team = teams.filter(pk=asked).first() if asked.isdecimal() and len(asked) < 10 else None
    pool = _pool(request)
    context = {
        "team": team,
        "teams": teams,
        "rows": selectors.leaderboard(user, team, pool),
        "scenarios": scenario_choices(),
        "pool": pool,
    }
    return render(request, "room/leaderboard.html", context)


@require_safe
def export(request: HttpRequest, team_id: int, kind: str) -> RowByRow:
    """One table of the team as CSV."""
    team = led_team(request, team_id)
    if kind not in exports.KINDS:
        raise Http404("There is no such export.")
    quotas.spend(request, "exports")
    name = f"{slugify(team.name) or 'team'}-{kind}-{timezone.now():%Y-%m-%d}.csv"
    return RowByRow(
        exports.lines(exports.KINDS[kind](team)),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"},
    )
