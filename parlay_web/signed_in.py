"""Who is not signed in is sent to sign in, at every page that does not say otherwise (``login_not_required``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponseBase

DOORS_OF_THEIR_OWN = frozenset({"admin", "ninja"})
"""The applications' names of the admin, whose every page asks for staff, and of the API, which answers 401: a script has no
use for a form."""


class SignedInMiddleware(LoginRequiredMiddleware):
    """Closed unless opened: a view that forgets to say anything is safe."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponseBase | None:
        """Send to the form, or let through."""
        match = request.resolver_match
        if match is not None and DOORS_OF_THEIR_OWN & set(match.app_names):
            return None
        return super().process_view(request, view, args, kwargs)
