"""What is owed on the metrics endpoint: of each kind how much waits, since when, and how much is worked on; and the base of
collectors that ask the database at each scrape."""

from __future__ import annotations

from collections.abc import Callable, Iterator

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


class DatabaseCollector(Collector):
    """Asks the database at each scrape.

    Args:
        name: what is not measured where the database does not answer, for the log.
        metrics: asks it.
    """

    def __init__(self, name: str, metrics: Callable[[], Iterator[Metric]]) -> None:
        self._name, self._metrics = name, metrics

    def describe(self) -> list[Metric]:
        """Nothing to ask at registration."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Everything, or nothing where the database does not answer: the other metrics are told all the same."""
        try:
            yield from list(self._metrics())
        except DatabaseError:
            log.warning("not_measured", of=self._name, exc_info=True)


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
    REGISTRY.register(DatabaseCollector("owed", _metrics))
