"""Traces: a turn is one of them across processes, its log lines name it, and nothing that was said or hidden is in it."""

from __future__ import annotations

import json
import re
import threading
import uuid
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from opentelemetry import trace
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from negotiation.models import Game
from parlay_web import tracing
from telemetry import carried, continued, moving, span
from tests.clients import Person, line
from tests.servers import Stack
from tests.web.conftest import OpenSocket

_kept = InMemorySpanExporter()


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    """What was traced since the test began."""
    if not isinstance(trace.get_tracer_provider(), TracerProvider):
        provider = TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(_kept))
        trace.set_tracer_provider(provider)
    _kept.clear()
    yield _kept
    _kept.clear()


def trace_of(found: ReadableSpan) -> int:
    context = found.get_span_context()
    assert context is not None
    return context.trace_id


def under(found: tuple[ReadableSpan, ...], name: str) -> ReadableSpan:
    """The one span of that name."""
    (one,) = [each for each in found if each.name == name]
    return one


@pytest.mark.django_db(transaction=True)
async def test_a_turn_is_one_trace_and_holds_no_word_of_it(
    game: Game, session: str, open_socket: OpenSocket, spans: InMemorySpanExporter
) -> None:
    socket = await open_socket(f"/ws/deals/{game.pk}/", session=session)
    await socket.until("hello")
    words = "Which of your depots went back to paper?"
    action = str(uuid.uuid4())
    data = {"text": words, "offer": 183_417, "confirmed": True}
    await socket.send_json_to({"id": action, "type": "act", "data": data})
    await socket.until("ack")
    await socket.until("turn_closed")
    found = spans.get_finished_spans()
    move = under(found, "table.move")
    told = dict(move.attributes or {})
    assert told == {"parlay.move": "act", "parlay.action": action, "parlay.game": str(game.pk)}
    steps = [each for each in found if each.name.startswith("turn.")]
    assert {each.name for each in steps} >= {"turn.hear", "turn.answer", "turn.write"}
    assert {trace_of(each) for each in steps} == {trace_of(move)}
    everything = json.dumps([[each.name, dict(each.attributes or {})] for each in found])
    for hidden in ("183417", "183,417", "depots", str(game.seed)):
        assert hidden not in everything


def test_what_one_process_hands_over_another_goes_on_with(spans: InMemorySpanExporter) -> None:
    with span("asked"):
        handed = carried()
    with continued(handed), span("done"):
        pass
    asked, done = (under(spans.get_finished_spans(), name) for name in ("asked", "done"))
    assert done.parent is not None
    assert done.parent == asked.get_span_context() or done.parent.trace_id == trace_of(asked)
    assert trace_of(done) == trace_of(asked)


def test_a_log_line_of_a_move_names_the_move_and_its_trace(spans: InMemorySpanExporter) -> None:
    with moving("act", action="a-1", game="g-1"):
        named = tracing.with_trace(None, "info", {"event": "x"})
    (move,) = spans.get_finished_spans()
    assert named["trace"] == trace.format_trace_id(trace_of(move))
    assert "trace" not in tracing.with_trace(None, "info", {"event": "x"})


def test_without_the_sdk_a_wish_to_trace_stops_the_start_in_words(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.TRACES_TO = "http://127.0.0.1:4318"
    monkeypatch.setitem(__import__("sys").modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(ImproperlyConfigured, match=r"requirements/tracing\.txt"):
        tracing.start("web")


class Collector:
    """What takes traces in over HTTP, as any collector does."""

    def __init__(self) -> None:
        self.spans: list[tuple[str, Any]] = []
        collected = self.spans

        class Taking(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = ExportTraceServiceRequest()
                request.ParseFromString(self.rfile.read(int(self.headers["Content-Length"])))
                for of_process in request.resource_spans:
                    name = next(
                        each.value.string_value
                        for each in of_process.resource.attributes
                        if each.key == "service.name"
                    )
                    collected.extend((name, each) for scope in of_process.scope_spans for each in scope.spans)
                self.send_response(200)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                """Nothing."""

        self.server = HTTPServer(("127.0.0.1", 0), Taking)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.mark.slow
async def test_a_house_that_is_traced_sends_its_turns_and_its_pages_by_route(tmp_path: Path) -> None:
    collector = Collector()
    stack = Stack(
        tmp_path / "house", OTEL_EXPORTER_OTLP_ENDPOINT=collector.url, OTEL_BSP_SCHEDULE_DELAY="100"
    )
    try:
        stack.start()
        person = Person(stack.url)
        game = person.sit_down_as_guest()
        token = person.share(game, "coach")
        Person(stack.url).get(f"/watch/{token}/")
        async with line(stack.url, f"/ws/deals/{game}/", cookies=person.cookies()) as table:
            await table.until(lambda frame: frame.get("type") == "hello")
            for offer in (190_000, 188_000):
                await table.turn(text="What drives your timeline?", offer=offer, confirmed=True)
    finally:
        stack.stop()
        collector.server.shutdown()
    names = {each.name for _, each in collector.spans}
    assert {service for service, _ in collector.spans} == {"parlay-pages"}
    assert {"table.move", "turn.hear", "turn.answer", "turn.write", "POST guest/"} <= names
    assert any(re.fullmatch(r"GET watch/<[^>]+>/", name) for name in names), names
    for _, each in collector.spans:
        assert token not in str(each)
        assert "timeline" not in str(each)
