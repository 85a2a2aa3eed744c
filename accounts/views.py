"""Signing up, keeping a guest's deals, and taking a place in a team."""

from __future__ import annotations

from typing import Any

from allauth.account.views import PasswordResetView, SignupView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts import invitations
from accounts.forms import JoinForm, KeepDealsForm
from accounts.models import Invitation, User
from accounts.services import guest_keep

newcomer = SignupView.as_view()
letter = PasswordResetView.as_view()

GONE = {"unknown": 404, "revoked": 410, "used": 410, "expired": 410, "other": 403, "over": 410}


@login_not_required
@sensitive_post_parameters("password1")
def signup(request: HttpRequest) -> HttpResponse:
    """``/accounts/signup/``. A guest stays the same user, so its games stay where they are."""
    guest = request.user
    if not settings.SIGNUP or not (isinstance(guest, User) and guest.is_guest):
        return newcomer(request)
    form = KeepDealsForm(request.POST if request.method == "POST" else None, guest=guest)
    if form.is_valid():
        guest_keep(guest=guest, email=form.cleaned_data["email"], password=form.cleaned_data["password1"])
        update_session_auth_hash(request, guest)
        return redirect("home")
    return render(request, "account/signup.html", {"form": form}, status=422 if form.is_bound else 200)


@login_not_required
def admin_login(request: HttpRequest) -> HttpResponse:
    """``/admin/login/``: people sign in at one place, under one set of limits."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.GET.get("next") or reverse("admin:index"))
    if not request.user.is_staff:
        raise PermissionDenied
    return redirect("admin:index")


@login_not_required
def password_reset(request: HttpRequest) -> HttpResponse:
    """``/accounts/password/reset/``: where no letter can be sent the page says so, and promises none."""
    if not settings.MAIL:
        return render(request, "account/no_mail.html", status=422 if request.method == "POST" else 200)
    return letter(request)


@login_not_required
@sensitive_post_parameters("password1")
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """``/join/<token>/``. Looking changes nothing; taking the place uses the link up."""
    try:
        invitation = invitations.invitation_opened(token)
        return _private(_join(request, invitation, token))
    except invitations.InvitationRefused as refused:
        page = render(
            request, "account/join_gone.html", {"message": refused.message}, status=GONE[refused.reason]
        )
        return _private(page)


def _join(request: HttpRequest, invitation: Invitation, token: str) -> HttpResponse:
    user = request.user if isinstance(request.user, User) else None
    owner = invitations.account_for(invitation)
    context: dict[str, Any] = {"invitation": invitation, "owner": owner}
    if user is not None and not user.is_guest:
        context["matches"] = user == owner
        if request.method != "POST":
            return render(request, "account/join.html", context)
        invitations.invitation_accept(invitation=invitation, user=user)
        return _welcome(request, invitation)
    if owner is not None:
        context["sign_in"] = f"{reverse('account_login')}?next={reverse('join', args=[token])}"
        return render(request, "account/join.html", context, status=403 if request.method == "POST" else 200)
    form = JoinForm(
        request.POST if request.method == "POST" else None,
        email=invitation.email,
        initial={"name": invitation.name},
    )
    if form.is_valid():
        made = invitations.account_by_invitation(
            invitation=invitation,
            name=form.cleaned_data["name"],
            password=form.cleaned_data["password1"],
            guest=user,
        )
        login(request, made, backend=settings.AUTHENTICATION_BACKENDS[0])
        return _welcome(request, invitation)
    return render(
        request, "account/join.html", {**context, "form": form}, status=422 if form.is_bound else 200
    )


def _welcome(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    messages.success(request, f"You are on the team {invitation.team.name}.")
    return redirect("home")


def _private(response: HttpResponse) -> HttpResponse:
    """A page whose address is a secret: neither indexed nor stored; no referrer leaves this house anyway."""
    response["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    response["Cache-Control"] = "no-store, private"
    return response
