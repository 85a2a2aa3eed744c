"""What every template may know."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest


def product(request: HttpRequest) -> dict[str, bool]:
    """``demo`` shows the guest deal and the demo logins."""
    return {"demo": settings.DEMO}
