"""Spans across the processes of the house, and the one id that the log lines of a turn share.

Spans are OpenTelemetry's: without its SDK and an address to send to (``parlay_web.tracing``) they cost some microseconds and
go nowhere. What a span or a log line says of a move is which it was, of which game, and how it went; never what was said,
offered or hidden.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from opentelemetry import context, propagate, trace
from opentelemetry.trace import Span, SpanKind
from structlog.contextvars import bound_contextvars

__all__ = ["SpanKind", "carried", "continued", "moving", "span"]

_TRACER = trace.get_tracer("parlay")


def span(name: str, kind: SpanKind = SpanKind.INTERNAL, **told: str | float) -> AbstractContextManager[Span]:
    """What goes on until the block ends, under what goes on already.

    Args:
        told: identifiers, kinds and counts.
    """
    return _TRACER.start_as_current_span(
        name, kind=kind, attributes={f"parlay.{key}": value for key, value in told.items()}
    )


def carried() -> dict[str, str]:
    """What another process has to be handed to go on under the present span: headers, empty where there is none."""
    headers: dict[str, str] = {}
    propagate.inject(headers)
    return headers


@contextmanager
def continued(headers: Mapping[str, Any]) -> Iterator[None]:
    """Go on under the span of whoever handed these over."""
    token = context.attach(propagate.extract({key: str(value) for key, value in headers.items()}))
    try:
        yield
    finally:
        context.detach(token)


@contextmanager
def moving(kind: str, *, action: str, game: str) -> Iterator[None]:
    """One move of somebody's: a span, and its id on every log line until it is through."""
    with bound_contextvars(action=action, game=game), span("table.move", move=kind, action=action, game=game):
        yield
