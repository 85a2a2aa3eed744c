"""Where spans go: to the collector that ``OTEL_EXPORTER_OTLP_ENDPOINT`` names, in batches, from a thread of its own.

OpenTelemetry's SDK and exporter are in ``requirements/tracing.txt``. A page is a span by its route and not by its address,
which may be secret. A collector that is away costs nobody a move: spans wait in a bounded queue and are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from contextlib import ExitStack, contextmanager
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from celery.signals import before_task_publish, task_failure, task_postrun, task_prerun
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponseBase
from opentelemetry import trace
from opentelemetry.trace import Span, StatusCode

from telemetry import SpanKind, carried, continued, span

HEADER = "parlay_trace"
"""Of a task's message; Celery takes headers of one name only."""

_under_way: dict[str, ExitStack] = {}


def start(service: str) -> None:
    """Send this process's spans, if somebody collects them. Call it after any fork.

    Args:
        service: the process's part in the house.

    Raises:
        ImproperlyConfigured: without OpenTelemetry's SDK.
    """
    if not settings.TRACES_TO:
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
        from opentelemetry.sdk.trace.sampling import ParentBasedTraceIdRatio
    except ImportError:
        message = "OTEL_EXPORTER_OTLP_ENDPOINT is set: install requirements/tracing.txt, or unset it"
        raise ImproperlyConfigured(message) from None
    provider = TracerProvider(
        resource=Resource.create({"service.name": f"parlay-{service}"}),
        sampler=ParentBasedTraceIdRatio(settings.TRACES_SHARE),
    )
    exporter = OTLPSpanExporter(f"{settings.TRACES_TO}/v1/traces", headers=settings.TRACES_HEADERS)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    trace.set_tracer_provider(provider)


def with_trace(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A log line under a span names its trace, so that one leads to the other."""
    found = trace.get_current_span().get_span_context()
    if found.is_valid:
        event["trace"] = trace.format_trace_id(found.trace_id)
    return event


class PageSpans:
    """A span for each page, by the route that made it."""

    sync_capable = async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self._get_response = get_response
        self._waits = iscoroutinefunction(get_response)
        if self._waits:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Any:
        """Make the page under a span, which is under that of whoever asked, if they trace too."""
        if self._waits:
            return self._make_and_wait(request)
        with _page(request) as now:
            return _told(now, request, self._get_response(request))

    async def _make_and_wait(self, request: HttpRequest) -> HttpResponseBase:
        with _page(request) as now:
            return _told(now, request, await self._get_response(request))


@contextmanager
def _page(request: HttpRequest) -> Iterator[Span]:
    with (
        continued({"traceparent": request.headers.get("traceparent", "")}),
        span("page", SpanKind.SERVER) as now,
    ):
        yield now


def _told(now: Span, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    route = request.resolver_match.route if request.resolver_match else "none"
    now.update_name(f"{request.method} {route}")
    now.set_attribute("http.response.status_code", response.status_code)
    return response


@before_task_publish.connect
def _hand_over(headers: dict[str, Any], **_: object) -> None:
    """A task goes on under the span of whoever asked for it."""
    if found := carried():
        headers[HEADER] = found


@task_prerun.connect
def _begin(task_id: str, task: Any, **_: object) -> None:
    if not settings.TRACES_TO:
        return
    stack = ExitStack()
    stack.enter_context(continued(getattr(task.request, HEADER, None) or {}))
    stack.enter_context(span(f"task {task.name}", SpanKind.CONSUMER))
    _under_way[task_id] = stack


@task_failure.connect
def _failed(exception: BaseException, **_: object) -> None:
    trace.get_current_span().set_status(StatusCode.ERROR, type(exception).__name__)


@task_postrun.connect
def _end(task_id: str, **_: object) -> None:
    if stack := _under_way.pop(task_id, None):
        stack.close()
