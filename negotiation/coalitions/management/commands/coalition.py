"""``manage.py coalition``: tables of three without people, summed up with intervals."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from negotiation.engine.coalition import SEATS, Seat, coalition_scenarios
from negotiation.engine.coalition.selfplay import CoalitionReport, selfplay
from negotiation.engine.coalition.strategies import STRATEGIES
from negotiation.engine.deal import personas
from negotiation.management.bad_input import one_line_errors

MAX_EPISODES = 100_000


class Command(BaseCommand):
    help = "Play a deal for three over many seeds, a persona or a reference strategy in each seat."

    def add_arguments(self, parser: ArgumentParser) -> None:
        one_line_errors(parser)
        players = [*personas(), *STRATEGIES]
        parser.add_argument("--scenario", default="cold_store", choices=list(coalition_scenarios()))
        parser.add_argument("--persona-seller", default="veteran", choices=players, help="who sells")
        parser.add_argument("--persona-a", default="shark", choices=players, help="the first buyer")
        parser.add_argument("--persona-b", default="diplomat", choices=players, help="the second buyer")
        parser.add_argument("--episodes", type=int, default=200)
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        if not 1 <= options["episodes"] <= MAX_EPISODES:
            raise CommandError(f"--episodes must lie between 1 and {MAX_EPISODES}", returncode=2)
        if options["seed"] < 0:
            raise CommandError("--seed must not be negative", returncode=2)
        players: dict[Seat, str] = {
            "seller": options["persona_seller"],
            "buyer_a": options["persona_a"],
            "buyer_b": options["persona_b"],
        }
        report = selfplay(options["scenario"], players, options["episodes"], options["seed"])
        found = {"players": players, **asdict(report)}
        self.stdout.write(json.dumps(found) if options["json"] else _table(report, players))


def _table(report: CoalitionReport, players: dict[Seat, str]) -> str:
    lines = [
        f"{report.episodes} episodes, {report.episodes_per_second:.0f} a second, {report.mean_rounds:.1f} rounds"
    ]
    for seat in SEATS:
        share = report.share_of_shapley[seat]
        low, high = share["ci95"]
        lines.append(
            f"{seat:8} {players[seat]:9} {share['mean']:.2f} of its Shapley value (95% {low:.2f} to {high:.2f})"
        )
    lines += [f"{rate:6.1%}  {name}" for name, rate in report.formed.items()]
    return "\n".join(lines)
