"""The page of one's own second factor: enrol, show, renew recovery codes, take another telephone."""

from __future__ import annotations

from base64 import b32encode
from binascii import unhexlify

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts import second_factor
from accounts.models import User

DRAFT = "second_factor_draft"
"""The key in the session of a telephone that is not enrolled yet."""
WRONG = "That code is wrong, was used before, or came too soon after a wrong one. Wait for the next one."


@sensitive_post_parameters("code")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """``/account/second-factor/``, for staff."""
    user = request.user
    if not isinstance(user, User) or not user.is_staff:
        raise PermissionDenied
    if not second_factor.is_enrolled(user):
        return _enrol(request, user)
    if not second_factor.is_shown(user, request.session):
        return _show(request, user)
    return _settled(request, user)


def _enrol(request: HttpRequest, user: User) -> HttpResponse:
    key = request.session.get(DRAFT)
    if key is None:
        key = request.session[DRAFT] = second_factor.new_key()
    if request.method == "POST":
        codes = second_factor.enrol(request, user, key, _code_of(request))
        if codes is not None:
            del request.session[DRAFT]
            return _page(request, "codes", codes=codes)
    by_hand = b32encode(unhexlify(key)).decode()
    picture = second_factor.picture_of(user, key)
    return _page(request, "enrol", failed=request.method == "POST", picture=picture, by_hand=by_hand)


def _show(request: HttpRequest, user: User) -> HttpResponse:
    if request.method == "POST" and second_factor.show(request, user, _code_of(request)):
        return redirect(_next_of(request) or "home")
    return _page(request, "show", failed=request.method == "POST")


def _settled(request: HttpRequest, user: User) -> HttpResponse:
    action = request.POST.get("action", "")
    if action == "codes":
        return _page(request, "codes", codes=second_factor.renew_codes(user))
    if action == "forget":
        second_factor.forget(user)
        return redirect("second-factor")
    return _page(request, "settled", left=second_factor.codes_left(user))


def _code_of(request: HttpRequest) -> str:
    return request.POST.get("code", "").strip()[:32]


def _next_of(request: HttpRequest) -> str:
    wanted = request.GET.get("next", "")
    safe = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return wanted if safe else ""


def _page(request: HttpRequest, state: str, *, failed: bool = False, **more: object) -> HttpResponse:
    context = {"state": state, "error": WRONG if failed else "", "next": _next_of(request), **more}
    return render(request, "account/second_factor.html", context, status=422 if failed else 200)
