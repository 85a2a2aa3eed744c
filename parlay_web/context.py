"""What every template may know."""

from __future__ import annotations

from functools import cache

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpRequest


@cache
def scripts() -> str:
    """The folder that pages load their scripts from: the bundles where they were built, else the modules as written.

    Without a build the plots are missing, which need a package: tables stand there.
    Asked once per process, as WhiteNoise too looks at the files once.
    """
    return "dist" if finders.find("dist/site.js") else "js"


def product(request: HttpRequest) -> dict[str, bool | str]:
    """``demo`` shows the guest deal and the demo logins; ``scripts`` is where the page's scripts lie; ``models`` shows
    staff the way to the model server, where there is one."""
    return {"demo": settings.DEMO, "scripts": scripts(), "models": bool(settings.MODEL_URL)}
