"""``manage.py understand``: read talk from JSON lines, print what each line means.

The figure is read by ``engine.language``; acts, topics and what was told by ``engine.deal.listening``, with the
scenario's case.
"""

from __future__ import annotations

import json
import math
import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from negotiation.engine.deal import scenarios
from negotiation.engine.deal.case.acts import WITH_REASONS
from negotiation.engine.deal.case.declared import DealCase
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.listening import Listening, hear
from negotiation.engine.deal.types import OTHER_SEAT
from negotiation.engine.language import Reading, Seat, understand
from negotiation.management.bad_input import one_line_errors

BAD_INPUT = 2


@dataclass(frozen=True, slots=True)
class _Request:
    """One message; ``told`` and ``raised`` are ids of the other side's facts and objections, ``last_line`` its words."""

    text: str
    standing_offer: float | None
    own_offer: float | None
    told: tuple[str, ...]
    raised: tuple[str, ...]
    last_line: str


class Command(BaseCommand):
    """Reads all of stdin before it prints, so that bad input leaves nothing half done on stdout."""

    help = (
        'Reads JSON lines {"text", "standing_offer"?, "own_offer"?, "told"?, "raised"?, "last_line"?} on stdin, '
        "prints a reading for each."
    )

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
        case = cases().get(options["scenario"])
        for each in _requests(sys.stdin):
            reading = understand(
                each.text,
                money=money,
                seat=seat,
                standing_offer=each.standing_offer,
                own_offer=each.own_offer,
            )
            listening = _listen(each, case, seat)
            self.stdout.write(
                json.dumps(_wire(reading, listening)) if options["json"] else _plain(reading, listening)
            )


def _listen(request: _Request, case: DealCase | None, seat: Seat) -> Listening:
    """What the words do, where there is a case to talk about."""
    if case is None:
        return Listening()
    return hear(
        request.text,
        speaker=case.seats[seat],
        listener=case.seats[OTHER_SEAT[seat]],
        told=request.told,
        raised=request.raised,
        last_line=request.last_line,
    )


def _refuse(message: str) -> CommandError:
    return CommandError(message, returncode=BAD_INPUT)


def _requests(lines: Iterable[str]) -> list[_Request]:
    """The requests on ``lines``; empty lines are passed over."""
    requests: list[_Request] = []
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
            _Request(
                request["text"],
                _figure(request, "standing_offer", number),
                _figure(request, "own_offer", number),
                _ids(request, "told", number),
                _ids(request, "raised", number),
                _words(request, "last_line", number),
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


def _ids(request: dict[str, Any], name: str, number: int) -> tuple[str, ...]:
    value = request.get(name, [])
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise _refuse(f'line {number}: "{name}" must be a list of ids')
    return tuple(value)


def _words(request: dict[str, Any], name: str, number: int) -> str:
    value = request.get(name, "")
    if not isinstance(value, str):
        raise _refuse(f'line {number}: "{name}" must be a string')
    return value


def _wire(reading: Reading, listening: Listening) -> dict[str, object]:
    """As it is printed; an act that both readers name stands once."""
    talk = listening.talk
    told = (each.id for each in talk if each.id and (each.act == "disclose" or each.act in WITH_REASONS))
    return {
        "kind": reading.kind,
        "offer": reading.offer,
        "figure": reading.figure,
        "acts": list(dict.fromkeys((*reading.acts, *(each.act for each in talk)))),
        "topics": list(dict.fromkeys(each.topic for each in talk if each.topic)),
        "told": list(dict.fromkeys(told)),
        "tactics": list(reading.tactics),
        "confidence": reading.confidence,
    }


def _plain(reading: Reading, listening: Listening) -> str:
    figure = "-" if reading.figure is None else f"{reading.figure:,.0f}"
    acts = dict.fromkeys((*reading.acts, *(each.act for each in listening.talk)))
    return f"{reading.kind} {figure} ({reading.confidence:.2f}) {', '.join(acts)}"
