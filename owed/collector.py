"""What is owed on the metrics endpoint: of each kind how much waits, since when, and how much is worked on."""

from __future__ import annotations

from collections.abc import Iterator

import structlog
from django.db import DatabaseError
from django.db.models import Count, Min
from django.utils import timezone
from prometheus_client import REGISTRY
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from owed import kinds
from owed.models import OPEN, OwedState

log = structlog.get_logger(__name__)


class OwedCollector(Collector):
    """Asks the database at each scrape, once for each kind of work."""

    def describe(self) -> list[Metric]:
        """Nothing to ask at registration."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Everything, or nothing where the database does not answer."""
        try:
            yield from list(_metrics())
        except DatabaseError:
            log.warning("owed_not_measured", exc_info=True)


def _metrics() -> Iterator[Metric]:
    rows = GaugeMetricFamily("parlay_owed", "Pieces of work that wait or run", labels=["kind", "state"])
    oldest = GaugeMetricFamily(
        "parlay_owed_waiting_seconds",
        "Since the oldest that waits was asked for; 0 for none",
        labels=["kind"],
    )
    for work in kinds.every():
        found = work.model._default_manager.filter(state__in=OPEN).order_by()
        counted = {
            state: (count, since)
            for state, count, since in found.values_list("state").annotate(Count("pk"), Min("heartbeat_at"))
        }
        for state in OPEN:
            rows.add_metric([work.name, state], counted.get(state, (0, None))[0])
        since = counted.get(OwedState.WAITING, (0, None))[1]
        oldest.add_metric([work.name], (timezone.now() - since).total_seconds() if since else 0.0)
    yield rows
    yield oldest


def register() -> None:
    """Once per process."""
    REGISTRY.register(OwedCollector())
