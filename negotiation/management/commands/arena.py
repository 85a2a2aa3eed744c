"""``manage.py arena``: any opponents against each other, in both seats, with intervals."""

from __future__ import annotations

import asyncio
import json
from argparse import ArgumentParser
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from negotiation import glicko
from negotiation.engine.deal import personas, scenarios
from negotiation.engine.personas import USUAL
from negotiation.management.bad_input import one_line_errors
from negotiation.opponents import StrategicOpponent
from negotiation.opponents.arena import Contestant, Tally, report_of, tallies, tournament

MAX_SEEDS = 10_000
WIDTH = 18
"""Of a printed mean with its interval."""
FORMS = "PERSONA, narrated:MODEL, negotiator:ADAPTER or outside:URL#MODEL, each but the first with @PERSONA if you like"


class Command(BaseCommand):
    help = "Play opponents against each other in both seats and print what came of it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        one_line_errors(parser)
        parser.add_argument("opponents", nargs="+", help=FORMS)
        parser.add_argument(
            "--scenario", action="append", choices=list(scenarios()), help="default: all of them"
        )
        parser.add_argument("--seeds", type=int, default=10, help="games of a pair on each scenario and side")
        parser.add_argument("--seed", type=int, default=0, help="the first seed")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        if not 1 <= options["seeds"] <= MAX_SEEDS:
            raise CommandError(f"--seeds must lie between 1 and {MAX_SEEDS}", returncode=2)
        if options["seed"] < 0:
            raise CommandError("--seed must not be negative", returncode=2)
        names: list[str] = options["opponents"]
        if len(names) < 2 or len(set(names)) != len(names):
            raise CommandError("name at least two opponents, each once", returncode=2)
        servers = _Servers()
        contestants = [contestant_of(name, servers) for name in names]
        deals = [scenarios()[one] for one in options["scenario"] or scenarios()]
        seeds = range(options["seed"], options["seed"] + options["seeds"])

        async def play() -> dict[str, Tally]:
            try:
                return tallies(await tournament(contestants, deals, seeds, self._heard))
            finally:
                await servers.close()

        found = asyncio.run(play())
        ratings = ratings_of(found)
        report = {
            "scenarios": [deal.id for deal in deals],
            "seeds": [seeds[0], seeds[-1]],
            "contestants": [
                {"name": name, **report_of(found[name], options["seed"]), "glicko": ratings[name]}
                for name in sorted(found, key=lambda each: -ratings[each]["rating"])
            ],
        }
        self.stdout.write(json.dumps(report) if options["json"] else _table(report))

    def _heard(self, over: int, games: int) -> None:
        if over % max(1, games // 20) == 0 or over == games:
            self.stderr.write(f"{over} of {games} games")


@dataclass
class _Servers:
    """One client for each server that a contestant lives on."""

    clients: dict[str, Any] = field(default_factory=dict)

    def client(self, url: str, key: str = "") -> Any:
        from negotiation.opponents.client import ModelClient, Server

        if url not in self.clients:
            self.clients[url] = ModelClient(
                Server(url, key, settings.MODEL_TURN_SECONDS, settings.MODEL_CONCURRENCY)
            )
        return self.clients[url]

    async def close(self) -> None:
        for client in self.clients.values():
            await client.close()


def contestant_of(name: str, servers: _Servers) -> Contestant:
    """Who is meant by a name on the command line.

    Raises:
        CommandError: naming what makes no sense.
    """
    kind, _, rest = name.partition(":")
    if not rest:
        if name not in personas():
            raise CommandError(f"{name}: no such opponent; use {FORMS}", returncode=2)
        return Contestant(name, name, StrategicOpponent())
    where, _, persona = rest.rpartition("@") if rest.rpartition("@")[2] in personas() else (rest, "", USUAL)
    if kind in ("narrated", "negotiator"):
        if not settings.MODEL_URL:
            raise CommandError(f"{name}: MODEL_URL names no model server", returncode=2)
        client = servers.client(settings.MODEL_URL, settings.MODEL_API_KEY)
        from negotiation.opponents.narrated import NarratedOpponent
        from negotiation.opponents.negotiator import NegotiatorOpponent

        if kind == "narrated":
            return Contestant(name, persona, NarratedOpponent(client, where))
        return Contestant(name, persona, NegotiatorOpponent(client, where, settings.MODEL_STYLE))
    if kind == "outside":
        url, _, model = where.partition("#")
        if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).netloc or not model:
            raise CommandError(f"{name}: expected outside:http://host:port/v1#MODEL", returncode=2)
        from negotiation.opponents.negotiator import NegotiatorOpponent

        return Contestant(name, persona, NegotiatorOpponent(servers.client(url), model, "full"))
    raise CommandError(f"{name}: no such opponent; use {FORMS}", returncode=2)


def ratings_of(found: dict[str, Tally]) -> dict[str, dict[str, Any]]:
    """Glicko-2 after one rating period in which everybody starts equal, with 95% intervals."""
    start = glicko.Rating()
    after = {
        name: glicko.played(start, [(start, score) for _, score in tally.scores])
        for name, tally in found.items()
    }
    return {
        name: {
            "rating": each.rating,
            "ci95": [each.rating - 1.96 * each.deviation, each.rating + 1.96 * each.deviation],
        }
        for name, each in after.items()
    }


def _table(report: dict[str, Any]) -> str:
    titles = ("deals", "share", "valid", "guard per turn", "wait, s", "p95, s")
    head = f"{'':34} games  {'  '.join(title.ljust(WIDTH) for title in titles)}  beyond limit  rating"
    return "\n".join([head, *(_line(each) for each in report["contestants"])])


def _line(each: dict[str, Any]) -> str:
    low, high = each["glicko"]["ci95"]
    figures = [
        _mean(each[figure])
        for figure in ("deal_rate", "share", "validity", "interventions_per_turn", "latency")
    ]
    slow = each["latency_p95"]
    figures.append(("-" if slow is None else f"{slow:.2f}").ljust(WIDTH))
    return (
        f"{each['name'][:34]:34} {each['games']:5}  {'  '.join(figures)}  {each['limit_breaches']:12}  "
        f"{each['glicko']['rating']:.0f} ({low:.0f} to {high:.0f})"
    )


def _mean(value: dict[str, Any] | None) -> str:
    """A mean with its interval, or a dash where nothing was measured."""
    if value is None:
        return "-".ljust(WIDTH)
    low, high = value["ci95"]
    return f"{value['mean']:.2f} ({low:.2f}-{high:.2f})".ljust(WIDTH)
