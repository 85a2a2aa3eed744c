"""``manage.py selfplay``: reference strategies against a persona, summed up with an interval."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from negotiation.engine.deal import personas, scenarios
from negotiation.engine.deal.selfplay import PLAYERS, SelfPlayReport, selfplay
from negotiation.management.bad_input import one_line_errors

MAX_EPISODES = 1_000_000


class Command(BaseCommand):
    help = "Play a strategy, written or trained, against a persona over many seeds and print what came of it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        one_line_errors(parser)
        parser.add_argument("--scenario", required=True, choices=list(scenarios()))
        parser.add_argument("--persona", required=True, choices=list(personas()))
        parser.add_argument("--seat", default="seller", choices=["seller", "buyer"])
        parser.add_argument(
            "--rep", required=True, choices=list(PLAYERS), help="the strategy in the rep's seat"
        )
        parser.add_argument("--episodes", type=int, default=200)
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument(
            "--difficulty", type=float, default=0.5, help="0 to 1; .5 is the persona as described"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        if not 1 <= options["episodes"] <= MAX_EPISODES:
            raise CommandError(f"--episodes must lie between 1 and {MAX_EPISODES}", returncode=2)
        if options["seed"] < 0:
            raise CommandError("--seed must not be negative", returncode=2)
        if not 0 <= options["difficulty"] <= 1:
            raise CommandError("--difficulty must lie between 0 and 1", returncode=2)
        report = selfplay(
            options["scenario"],
            options["persona"],
            options["seat"],
            options["rep"],
            options["episodes"],
            options["seed"],
            options["difficulty"],
        )
        self.stdout.write(json.dumps(asdict(report)) if options["json"] else _table(report))


def _table(report: SelfPlayReport) -> str:
    low, high = report.efficiency_ci95
    return (
        f"{report.episodes} episodes, {report.episodes_per_second:.0f} a second\n"
        f"efficiency  {report.mean_efficiency:.3f}  (95% {low:.3f} to {high:.3f})\n"
        f"deal rate   {report.deal_rate:.1%}   mean turns {report.mean_turns:.1f}\n"
        f"reward      {report.mean_reward:.1f}   floor breaches {report.floor_breaches}"
    )
