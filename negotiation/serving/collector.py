"""The model server on the metrics endpoint, as this process has come to know it. Asks nobody: a scrape costs nothing."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client import REGISTRY
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from negotiation import seating

STATES = ("closed", "half_open", "open")


class ModelServerCollector(Collector):
    """Reads the health of this process's connection at each scrape."""

    def describe(self) -> list[Metric]:
        """Nothing to ask at registration."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Queue, breaker, waits and failures."""
        health = seating.health()
        if health is None:
            return
        breaker = GaugeMetricFamily("parlay_model_breaker", "1 for the state it is in", labels=["state"])
        for state in STATES:
            breaker.add_metric([state], float(state == health.breaker))
        yield breaker
        yield GaugeMetricFamily("parlay_model_turns_under_way", "Turns asked of it now", health.under_way)
        yield GaugeMetricFamily("parlay_model_turns_waiting", "Turns that wait for a place", health.waiting)
        yield GaugeMetricFamily(
            "parlay_model_tokens_per_second",
            "Tokens it sent us, over the last minute",
            health.tokens_per_second,
        )
        yield CounterMetricFamily("parlay_model_requests", "Requests sent", health.asked)
        yield CounterMetricFamily("parlay_model_requests_failed", "Requests that failed", health.failed)
        yield CounterMetricFamily("parlay_model_requests_retried", "Requests sent again", health.retried)
        yield CounterMetricFamily(
            "parlay_model_requests_called_off", "Requests that nobody waited for any more", health.called_off
        )
        waits = GaugeMetricFamily(
            "parlay_model_seconds",
            "Latest waits, by part of the answer and quantile",
            labels=["part", "quantile"],
        )
        for part, quantile, value in (
            ("first_token", "0.5", health.first_token_p50),
            ("first_token", "0.95", health.first_token_p95),
            ("whole", "0.5", health.total_p50),
            ("whole", "0.95", health.total_p95),
        ):
            if value is not None:
                waits.add_metric([part, quantile], value)
        yield waits


def register() -> None:
    """Once per process."""
    REGISTRY.register(ModelServerCollector())
