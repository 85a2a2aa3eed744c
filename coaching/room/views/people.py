"""The people of a team: members, invitations, and how long the words of their deals are kept."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import invitations
from accounts.forms import InviteForm
from accounts.models import Invitation, Team
from accounts.selectors import teams_led_by
from accounts.tasks import send_invitation
from coaching.room.access import led_team
from coaching.room.forms import RetentionForm
from negotiation.table.forgetting import house_days
from negotiation.views import signed_in


def _page(request: HttpRequest, team: Team, *, status: int = 200, **more: Any) -> HttpResponse:
    context = {
        "team": team,
        "teams": teams_led_by(signed_in(request)).order_by("name"),
        "section": "people",
        "memberships": team.memberships.filter(user__is_active=True)
        .select_related("user")
        .order_by("user__display_name", "user__email"),
        "invitations": invitations.open_invitations(team),
        "house_days": house_days(),
        "by_mail": _by_mail(),
        "form": InviteForm(),
        "retention": RetentionForm(initial={"retention_days": team.retention_days}),
        **more,
    }
    return render(request, "room/people.html", context, status=status)


def _by_mail() -> bool:
    """Whether letters leave this house at all."""
    return bool(settings.MAIL)


@never_cache
@require_safe
def people(request: HttpRequest, team_id: int) -> HttpResponse:
    """Who is on the team, who is invited."""
    return _page(request, led_team(request, team_id))


@never_cache
@require_POST
def invite(request: HttpRequest, team_id: int) -> HttpResponse:
    """Read a list and show what would happen; with ``go``, invite those without a problem.

    Lines with problems are never dropped: they stand in the field again, ready to be put right.
    """
    team = led_team(request, team_id)
    user = signed_in(request)
    form = InviteForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, team, form=form, status=422)
    reading = invitations.read_list(form.cleaned_data["text"], team=team, by=user)
    if "go" not in request.POST or reading.trouble or not reading.good:
        bad = bool(reading.trouble or reading.bad)
        return _page(
            request, team, reading=reading, text=form.cleaned_data["text"], status=422 if bad else 200
        )
    made = invitations.invitations_create(team=team, by=user, lines=reading.good)
    links = [_send(request, invitation, token) for invitation, token in made]
    return _page(request, team, links=links, text=reading.leftover, left=reading.bad)


@never_cache
@require_POST
def resend(request: HttpRequest, team_id: int, invitation_id: int) -> HttpResponse:
    """A fresh link; the old one opens no more."""
    team = led_team(request, team_id)
    invitation = _invitation(team, invitation_id, request)
    try:
        fresh, token = invitations.invitation_resend(invitation=invitation)
    except invitations.InvitationRefused as refused:
        messages.warning(request, refused.message)
        return redirect("room-people", team_id=team.pk)
    return _page(request, team, links=[_send(request, fresh, token)])


@require_POST
def revoke(request: HttpRequest, team_id: int, invitation_id: int) -> HttpResponse:
    """Take an invitation back."""
    team = led_team(request, team_id)
    invitation = _invitation(team, invitation_id, request)
    invitations.invitation_revoke(invitation=invitation)
    messages.success(request, f"The invitation of {invitation.email} is taken back.")
    return redirect("room-people", team_id=team.pk)


@require_POST
def retention(request: HttpRequest, team_id: int) -> HttpResponse:
    """How long the words of this team's deals are kept."""
    team = led_team(request, team_id)
    form = RetentionForm(request.POST)
    if not form.is_valid():
        return _page(request, team, retention=form, status=422)
    team.retention_days = form.cleaned_data["retention_days"]
    team.save(update_fields=["retention_days"])
    messages.success(request, "Saved. The next night acts on it.")
    return redirect("room-people", team_id=team.pk)


def _invitation(team: Team, invitation_id: int, request: HttpRequest) -> Invitation:
    """An invitation of the team; one to an admin's place is for admins alone."""
    found = get_object_or_404(Invitation, team=team, pk=invitation_id)
    if not invitations.may_invite(signed_in(request), team, found.role):
        return get_object_or_404(Invitation.objects.none())
    return found


def _send(request: HttpRequest, invitation: Invitation, token: str) -> dict[str, str]:
    """The link, told this once, and sent by mail where there is mail."""
    url = request.build_absolute_uri(reverse("join", args=[token]))
    if _by_mail():
        transaction.on_commit(lambda: send_invitation.delay(invitation.pk, url))
    return {"email": invitation.email, "url": url}
