"""Signing up: for a newcomer allauth's own page, for a guest the way to keep the deals played so far."""

from __future__ import annotations

from allauth.account.views import SignupView
from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters

from accounts.forms import KeepDealsForm
from accounts.models import User
from accounts.services import guest_keep

newcomer = SignupView.as_view()


@sensitive_post_parameters("password1")
def signup(request: HttpRequest) -> HttpResponse:
    """``/accounts/signup/``. A guest stays the same user, so its games stay where they are."""
    guest = request.user
    if not (isinstance(guest, User) and guest.is_guest):
        return newcomer(request)
    form = KeepDealsForm(request.POST if request.method == "POST" else None, guest=guest)
    if form.is_valid():
        guest_keep(guest=guest, email=form.cleaned_data["email"], password=form.cleaned_data["password1"])
        update_session_auth_hash(request, guest)
        return redirect("home")
    return render(request, "account/signup.html", {"form": form}, status=422 if form.is_bound else 200)
