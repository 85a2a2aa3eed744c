"""The API as a whole: every router, one schema at ``/api/openapi.json``."""

from __future__ import annotations

from ninja import NinjaAPI
from ninja.security import django_auth

from coaching.api import router as coaching_router
from negotiation.api import router as negotiation_router
from parlay_web.version import VERSION

api = NinjaAPI(
    title="Parlay",
    version=VERSION,
    description="Deals, opponents and debriefs. Signed-in sessions only; writes need the CSRF token.",
    auth=django_auth,
    docs_url=None,
)
api.add_router("", negotiation_router)
api.add_router("", coaching_router)
