"""``/account/privacy/``: what a person allows, takes along, and takes back."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from accounts import quotas
from accounts.consent import CURRENT, WORDINGS
from accounts.models import User
from accounts.selectors import consent_of, consents_to_training, team_of
from accounts.services import consent_give, visibility_set
from coaching import attempts
from coaching.room import leaving, mydata
from coaching.room.models import DataExport
from negotiation.models import Game
from negotiation.table.forgetting import house_days, tables_with_words
from negotiation.table.forgetting import transcripts_delete as delete_transcripts
from negotiation.views import signed_in

CONFIRMATION = "delete"


class DestroyForm(forms.Form):
    """The person's password again; of a guest, who has none, only the word."""

    password = forms.CharField(required=False, strip=False)
    word = forms.CharField(required=False)

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean(self) -> dict[str, Any]:
        """Both must be right, and each says when it is not. Whoever guesses passwords is made to wait."""
        data = super().clean() or {}
        guesses = f"password:{self.user.pk}"
        if attempts.too_many(guesses):
            raise forms.ValidationError("Too many wrong passwords. Wait ten minutes.")
        if data.get("word", "").strip().lower() != CONFIRMATION:
            self.add_error("word", f"Type the word {CONFIRMATION}.")
        if self.user.has_usable_password() and not self.user.check_password(data.get("password", "")):
            attempts.note_miss(guesses)
            self.add_error("password", "That is not your password.")
        return data


def _page(request: HttpRequest, *, status: int = 200, **more: Any) -> HttpResponse:
    user = signed_in(request)
    team = team_of(user)
    export = DataExport.objects.filter(user=user).defer("archive").order_by("-asked_at").first()
    context = {
        "wording": WORDINGS[CURRENT],
        "wording_version": CURRENT,
        "consent": consent_of(user),
        "consents": consents_to_training(user),
        "visibilities": User.Visibility.choices,
        "days": team.retention_days if team and team.retention_days else house_days(),
        "with_words": tables_with_words(user),
        "live": Game.objects.filter(player=user, status=Game.Status.LIVE).count(),
        "export": export,
        "needs_password": user.has_usable_password(),
        **more,
    }
    return render(request, "account/privacy.html", context, status=status)


@never_cache
@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """The page."""
    return _page(request)


@require_POST
def consent(request: HttpRequest) -> HttpResponse:
    """Yes or no to training use, under the wording that the page showed."""
    granted = request.POST.get("consent") == "yes"
    shown = request.POST.get("wording", "")
    if granted and shown != str(CURRENT):
        messages.warning(request, "The wording has changed since you opened the page. Read it again.")
        return redirect("privacy")
    consent_give(user=signed_in(request), granted=granted)
    messages.success(
        request, "Your deals may be used for training." if granted else "Your deals stay out of training."
    )
    return redirect("privacy")


@require_POST
def visibility(request: HttpRequest) -> HttpResponse:
    """Who sees one's figures."""
    chosen = request.POST.get("visibility", "")
    if chosen not in User.Visibility.values:
        return _page(request, status=422)
    visibility_set(user=signed_in(request), visibility=chosen)
    messages.success(request, "Saved.")
    return redirect("privacy")


@require_POST
def export_ask(request: HttpRequest) -> HttpResponse:
    """Have one's data put together."""
    quotas.spend(request, "exports")
    export = mydata.export_ask(user=signed_in(request))
    if export.ready_at is not None:
        return redirect("privacy-download", export_id=export.pk)
    messages.success(request, "Your data is being put together. It appears on this page within minutes.")
    return redirect("privacy")


@never_cache
@require_safe
def export_download(request: HttpRequest, export_id: Any) -> HttpResponse:
    """The archive, for its person alone."""
    export = DataExport.objects.filter(pk=export_id, user=signed_in(request)).exclude(ready_at=None).first()
    if export is None or export.archive is None:
        raise Http404("There is no such archive of yours.")
    name = f"parlay-my-data-{timezone.localdate():%Y-%m-%d}.zip"
    return HttpResponse(
        bytes(export.archive),
        content_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@sensitive_post_parameters("password")
@require_POST
def transcripts_delete(request: HttpRequest) -> HttpResponse:
    """Delete the words of every deal that is over."""
    user = signed_in(request)
    form = DestroyForm(request.POST, user=user)
    if not form.is_valid():
        return _page(request, transcripts_form=form, status=422)
    count = delete_transcripts(player=user)
    messages.success(request, f"The words of {count} deal{'' if count == 1 else 's'} are gone.")
    return redirect("privacy")


@sensitive_post_parameters("password")
@require_POST
def account_delete(request: HttpRequest) -> HttpResponse:
    """Delete the account and sign out."""
    user = signed_in(request)
    form = DestroyForm(request.POST, user=user)
    if form.is_valid():
        try:
            leaving.account_delete(user=user)
        except leaving.CantLeave as needed:
            form.add_error(None, str(needed))
    if not form.is_valid():
        return _page(request, account_form=form, status=422)
    logout(request)
    messages.success(request, "Your account is deleted.")
    return redirect("home")
