"""Who may enter the data room: staff, and nobody else. It holds the words of every team."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.cache import never_cache

from negotiation.views import signed_in

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


def for_staff(view: View[P]) -> View[P]:
    """A page of the data room: never cached, closed to all but staff."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not signed_in(request).is_staff:
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return never_cache(guarded)
