"""``manage.py understand``: read price talk from JSON lines, print what each line means."""

from __future__ import annotations

import json
import math
import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from negotiation.engine.deal import scenarios
from negotiation.engine.language import Reading, Seat, understand
from negotiation.management.bad_input import one_line_errors

BAD_INPUT = 2


class Command(BaseCommand):
    """Reads all of stdin before it prints, so that bad input leaves nothing half done on stdout."""

    help = 'Reads JSON lines {"text", "standing_offer"?, "own_offer"?} on stdin, prints a reading for each.'

    def add_arguments(self, parser: ArgumentParser) -> None:
        one_line_errors(parser)
        parser.add_argument(
            "--scenario",
            required=True,
            choices=list(scenarios()),
            help="whose plausible prices scale bare numbers",
        )
        parser.add_argument(
            "--seat", required=True, choices=["seller", "buyer"], help="where the speaker sits"
        )
        parser.add_argument("--json", action="store_true", help="one JSON object per line")

    def handle(self, *args: Any, **options: Any) -> None:
        money = scenarios()[options["scenario"]].money
        seat: Seat = options["seat"]
        readings = [
            understand(text, money=money, seat=seat, standing_offer=standing, own_offer=own)
            for text, standing, own in _requests(sys.stdin)
        ]
        for reading in readings:
            self.stdout.write(json.dumps(_wire(reading)) if options["json"] else _plain(reading))


def _refuse(message: str) -> CommandError:
    return CommandError(message, returncode=BAD_INPUT)


def _requests(lines: Iterable[str]) -> list[tuple[str, float | None, float | None]]:
    """The requests on ``lines``; empty lines are passed over."""
    requests: list[tuple[str, float | None, float | None]] = []
    try:
        numbered = list(enumerate(lines, 1))
    except UnicodeDecodeError as error:
        raise _refuse(f"stdin: not UTF-8 text ({error.reason})") from error
    for number, line in numbered:
        if not line.strip():
            continue
        try:
            request = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise _refuse(f"line {number}: not JSON") from error
        if not isinstance(request, dict) or not isinstance(request.get("text"), str):
            raise _refuse(f'line {number}: expected an object with a string "text"')
        requests.append(
            (
                request["text"],
                _figure(request, "standing_offer", number),
                _figure(request, "own_offer", number),
            )
        )
    return requests


def _figure(request: dict[str, Any], name: str, number: int) -> float | None:
    value = request.get(name)
    if value is None:
        return None
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not math.isfinite(value)
        or value <= 0
    ):
        raise _refuse(f'line {number}: "{name}" must be a positive number or null')
    return float(value)


def _wire(reading: Reading) -> dict[str, object]:
    return {
        "kind": reading.kind,
        "offer": reading.offer,
        "figure": reading.figure,
        "acts": list(reading.acts),
        "tactics": list(reading.tactics),
        "confidence": reading.confidence,
    }


def _plain(reading: Reading) -> str:
    figure = "-" if reading.figure is None else f"{reading.figure:,.0f}"
    return f"{reading.kind} {figure} ({reading.confidence:.2f}) {', '.join(reading.acts)}"
