"""What machines ask a server, answered before anything else looks at the request.

A container's health check, an orchestrator's probe and a scraper call the process by its address, which is
no host that this site answers people for; sessions and redirects would only be in their way.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

from parlay_web import views

PROBES: dict[str, Callable[[HttpRequest], HttpResponse]] = {
    "/healthz": views.healthz,
    "/readyz": views.readyz,
    "/metrics": views.metrics,
}


class ProbeMiddleware(MiddlewareMixin):
    """Stands first; works for threads and the event loop alike."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """Answer a probe, let everything else through."""
        probe = PROBES.get(request.path_info)
        return probe(request) if probe else None
